import CloudKitDao
import Synchronization
import Testing

/// Conflicts that a handler resolves.
@Suite struct ConflictHandling {
    private let store: SQLiteStore
    private let dao: CloudDao

    init() throws {
        store = try SQLiteStore.inMemory()
        dao = CloudDao(store: store)
    }

    private func stored(_ name: String = "m1") async throws -> Message {
        try #require(try await dao.fetch(Message.self, name))
    }

    /// The client's copy of a record of which the server's copy was changed meanwhile.
    private func stale(
        _ name: String = "m1",
        mine: (Message) -> Void,
        theirs: (Message) -> Void
    ) async throws -> Message {
        try await dao.save(Message(name, from: "original", text: "original", likes: 1))
        let client = try await stored(name)
        let server = try await stored(name)
        theirs(server)
        try await dao.save(server)
        mine(client)
        return client
    }

    @Test func `without a handler a conflict is reported, as before`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        let error = await #expect(throws: CloudError.self) { try await dao.save(mine) }
        #expect(error?.code == .serverRecordChanged)
        #expect(dao.conflictHandler == nil)
    }

    @Test func `when the server wins, the object gets its fields and nothing is written`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.likes = 2 })
        let server = try await stored()
        try await dao.save(mine, conflictHandler: .serverWins)
        #expect(mine.text == "original")
        #expect(mine.likes == 2)
        #expect(mine.recordChangeTag == server.recordChangeTag)
        #expect(mine.modificationDate == server.modificationDate)
        #expect(try await stored().recordChangeTag == server.recordChangeTag)
        mine.text = "later"
        try await dao.save(mine)
        #expect(try await stored().text == "later")
    }

    @Test func `when the client wins, its fields are written over the newer ones`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.likes = 2 })
        try await dao.save(mine, conflictHandler: .clientWins)
        let stored = try await stored()
        #expect(stored.text == "mine")
        #expect(stored.likes == 1)
        #expect(stored.recordChangeTag == mine.recordChangeTag)
    }

    @Test(arguments: [CloudConflictHandler.Side.client, .server])
    func `merging takes each field from the side that changed it`(side: CloudConflictHandler.Side) async throws {
        let mine = try await stale(
            mine: { message in
                message.text = "mine"
                message.from = "my from"
                message.likes = nil
            },
            theirs: { message in
                message.from = "their from"
                message.tags = ["theirs"]
            }
        )
        dao.conflictHandler = .merge(preferring: side)
        try await dao.save(mine)
        let expectedFrom = side == .client ? "my from" : "their from"
        for message in [mine, try await stored()] {
            #expect(message.text == "mine")
            #expect(message.from == expectedFrom)
            #expect(message.likes == nil)
            #expect(message.tags == ["theirs"])
        }
        #expect(mine.recordChangeTag == (try await stored()).recordChangeTag)
    }

    @Test func `a field that both sides changed to the same value is no conflict`() async throws {
        let mine = try await stale(mine: { $0.text = "same" }, theirs: { $0.text = "same" })
        let tag = try await stored().recordChangeTag
        try await dao.save(mine, conflictHandler: .merge(preferring: .server))
        #expect(mine.text == "same")
        #expect(mine.recordChangeTag == tag)
    }

    @Test func `without an ancestor the preferred side has every field`() async throws {
        for (side, text) in [(CloudConflictHandler.Side.client, "new"), (.server, "stored")] {
            let stored = Message("m-\(text)", text: "stored", likes: 5)
            try await dao.save(stored)
            let new = Message("m-\(text)", text: "new")
            try await dao.save(new, conflictHandler: .merge(preferring: side))
            #expect(new.text == text)
            #expect(new.likes == (side == .client ? nil : 5))
        }
    }

    @Test func `fields that the class lacks are kept by every ready handler`() async throws {
        for handler in [CloudConflictHandler.serverWins, .clientWins, .merge] {
            try await dao.save(Message("m1", from: "kept", text: "original"), savePolicy: .allKeys)
            let brief = try #require(try await dao.fetch(BriefMessage.self, "m1"))
            let other = try await stored()
            other.likes = 9
            try await dao.save(other)
            brief.text = "brief"
            try await dao.save(brief, conflictHandler: handler)
            let stored = try await stored()
            #expect(stored.from == "kept")
            #expect(stored.likes == 9)
            #expect(brief.recordChangeTag == stored.recordChangeTag)
        }
    }

    @Test func `an own handler gets the three records, and its record is what is stored`() async throws {
        let mine = try await stale(mine: { $0.likes = 4 }, theirs: { $0.likes = 7 })
        let handler = CloudConflictHandler { client, server, ancestor in
            #expect(client["likes"] == .int64(4))
            #expect(server["likes"] == .int64(7))
            #expect(ancestor?["likes"] == .int64(1))
            var merged = server
            merged["likes"] = .int64(10)
            return merged
        }
        try await dao.save(mine, conflictHandler: handler)
        #expect(mine.likes == 10)
        #expect(try await stored().likes == 10)
    }

    @Test func `a handler that gives up leaves the conflict, with its three records`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        dao.conflictHandler = .merge
        let error = await #expect(throws: CloudError.self) { try await dao.save(mine, conflictHandler: .giveUp) }
        #expect(error?.code == .serverRecordChanged)
        #expect(error?.clientRecord?["text"] == .string("mine"))
        #expect(error?.serverRecord?["text"] == .string("theirs"))
        #expect(error?.ancestorRecord?["text"] == .string("original"))
        #expect(mine.text == "mine")
        #expect(try await stored().text == "theirs")
    }

    @Test func `an error of the handler is reported, and nothing is written`() async throws {
        struct Surprise: Error {}
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        let thrown = CloudError(.constraintViolation, "Never.")
        var error = await #expect(throws: CloudError.self) {
            try await dao.save(mine, conflictHandler: CloudConflictHandler { _, _, _ in throw thrown })
        }
        #expect(error?.code == .constraintViolation)
        error = await #expect(throws: CloudError.self) {
            try await dao.save(mine, conflictHandler: CloudConflictHandler { _, _, _ in throw Surprise() })
        }
        #expect(error?.message.contains("Surprise") == true)
        #expect(error?.message.contains("m1") == true)
        #expect(try await stored().text == "theirs")
    }

    @Test func `a handler that returns another record is an error`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        for record in [
            CloudRecord(recordType: "Message", recordID: CloudRecordID("other")),
            CloudRecord(recordType: "Signal", recordID: CloudRecordID("m1")),
        ] {
            let error = await #expect(throws: CloudError.self) {
                try await dao.save(mine, conflictHandler: CloudConflictHandler { _, _, _ in record })
            }
            #expect(error?.code == .invalidArguments)
            #expect(error?.message.contains("m1") == true)
        }
    }

    @Test func `new conflicts are resolved again, with the first client record and the newest server record`()
        async throws
    {
        let mine = try await stale(mine: { $0.likes = 2 }, theirs: { $0.likes = 10 })
        let asked = Mutex<[Int64?]>([])
        let rival = Rival(store: store, count: 3)
        let handler = CloudConflictHandler { client, server, ancestor in
            asked.withLock { $0.append(server["likes"]?.int64Value) }
            #expect(client["likes"] == .int64(2))
            #expect(ancestor?["likes"] == .int64(1))
            var merged = server
            merged["likes"] = .int64((server["likes"]?.int64Value ?? 0) + 1)
            return merged
        }
        try await CloudDao(store: rival.store).save(mine, conflictHandler: handler)
        #expect(asked.withLock { $0 } == [10, 110, 210, 310])
        #expect(mine.likes == 311)
        #expect(try await stored().likes == 311)
    }

    @Test func `the number of attempts is bounded`() async throws {
        let mine = try await stale(mine: { $0.likes = 2 }, theirs: { $0.likes = 10 })
        let rival = Rival(store: store, count: .max)
        var handler = CloudConflictHandler.clientWins
        handler.maximumAttempts = 5
        let error = await #expect(throws: CloudError.self) {
            try await CloudDao(store: rival.store).save(mine, conflictHandler: handler)
        }
        #expect(error?.code == .serverRecordChanged)
        #expect(rival.store.modifications.count == 5)
    }

    @Test func `a cancelled save is not tried again`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        let record = try mine.toRecord()
        let store = PickyStore(store)
        let task = Task {
            let copy = try Message(record: record)
            let handler = CloudConflictHandler { client, _, _ in
                withUnsafeCurrentTask { $0?.cancel() }
                return client
            }
            try await CloudDao(store: store).save(copy, conflictHandler: handler)
        }
        let error = await #expect(throws: CloudError.self) { try await task.value }
        #expect(error?.code == .operationCancelled)
        #expect(store.modifications.count == 1)
        #expect(try await stored().text == "theirs")
    }

    @Test func `a record that was deleted meanwhile is not made again`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        let base = store
        let deleting = PickyStore(
            base,
            onModify: { number, _ in
                if number == 2 { _ = try await base.modify(CloudModification(deleting: [CloudRecordID("m1")])) }
                return nil
            }
        )
        let error = await #expect(throws: CloudError.self) {
            try await CloudDao(store: deleting).save(mine, conflictHandler: .clientWins)
        }
        #expect(error?.code == .unknownItem)
        #expect(try await dao.fetch(Message.self, "m1") == nil)
    }

    @Test func `of a batch, the records in conflict are sent again, and no others`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.likes = 2 })
        let picky = PickyStore(store)
        let batch = [Message("m0"), mine, Message("m2")]
        let old = Message("old")
        let result = try await CloudDao(store: picky).modify(
            saving: batch,
            deleting: [old],
            conflictHandler: .merge
        )
        let records = try result.saved.map { try $0.get() }
        #expect(picky.modifications.map(\.deleting) == [[], [], [old.recordID]])
        #expect(try result.deleted.map { try $0.get() } == [old.recordID])
        #expect(picky.modifications.map { $0.saving.map(\.recordID.recordName) } == [["m0", "m1", "m2"], ["m1"], []])
        #expect(records.map(\.recordChangeTag) == batch.map(\.recordChangeTag))
        #expect(mine.likes == 2)
    }

    @Test func `an atomic batch is sent again as a whole, when all conflicts are resolved`() async throws {
        let mine = try await stale("m1", mine: { $0.text = "mine" }, theirs: { $0.likes = 2 })
        let other = try await stale("m2", mine: { $0.text = "mine" }, theirs: { $0.likes = 3 })
        let old = Message("old")
        try await dao.save(old)
        let picky = PickyStore(store)
        let child = Message("m3")
        let result = try await CloudDao(store: picky).modify(
            saving: [mine, other, child],
            deleting: [old],
            atomically: true,
            conflictHandler: .merge
        )
        #expect(result.saved.allSatisfy { (try? $0.get()) != nil })
        #expect(result.deleted.allSatisfy { (try? $0.get()) != nil })
        #expect(try await stored("m1").likes == 2)
        #expect(try await stored("m2").text == "mine")
        #expect(child.recordChangeTag != nil)
        #expect(try await dao.fetch(Message.self, "old") == nil)
        #expect(picky.requestSizes.last == 4)
    }

    @Test func `an atomic batch of which one conflict is given up writes nothing`() async throws {
        let mine = try await stale("m1", mine: { $0.text = "mine" }, theirs: { $0.text = "theirs" })
        let handler = CloudConflictHandler { client, server, _ in client.recordID == server.recordID ? nil : client }
        let child = Message("m3")
        let error = try #require(
            await #expect(throws: CloudError.self) {
                try await dao.save([child, mine], atomically: true, conflictHandler: handler)
            }
        )
        #expect(
            error.partialErrors.mapValues(\.code)
                == [CloudRecordID("m1"): .serverRecordChanged, CloudRecordID("m3"): .batchRequestFailed]
        )
        #expect(child.recordChangeTag == nil)
        #expect(try await dao.fetch(Message.self, "m3") == nil)
    }

    @MainActor @Test func `what the app changes while conflicts are resolved is kept for the next save`() async throws {
        let mine = try await stale(mine: { $0.text = "mine" }, theirs: { $0.likes = 2 })
        let (started, proceed) = (Gate(), Gate())
        let base = store
        let slow = PickyStore(
            base,
            onModify: { number, _ in
                if number == 2 {
                    started.open()
                    await proceed.wait()
                }
                return nil
            }
        )
        let done = Gate()
        CloudDao(store: slow).saveItem(
            mine,
            conflictHandler: .merge,
            completionHandler: { _ in done.open() },
            errorHandler: { error in
                Issue.record(error)
                done.open()
            }
        )
        await started.wait()
        mine.from = "edited"
        proceed.open()
        await done.wait()
        #expect(mine.from == "edited")
        #expect(mine.text == "mine")
        #expect(mine.likes == 2)
        #expect(try await stored().from == "original")
        try await dao.save(mine)
        #expect(try await stored().from == "edited")
    }
}

/// Changes the record m1 before each of the next saves, so that they are in conflict.
private final class Rival: Sendable {
    let store: PickyStore

    init(store base: SQLiteStore, count: Int) {
        store = PickyStore(
            base,
            onModify: { number, _ in
                // The first save is stale by itself.
                guard number > 1, number - 1 <= count else { return nil }
                let dao = CloudDao(store: base)
                if let message = try await dao.fetch(Message.self, "m1") {
                    message.likes = (message.likes ?? 0) + 100
                    try await dao.save(message)
                }
                return nil
            }
        )
    }
}
