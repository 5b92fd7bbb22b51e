import CloudKitDao
import Testing

// Batches of which one object is bad.
extension SaveAndConflict {
    /// How one object of a batch can be bad.
    enum Fault: CaseIterable {
        /// It can't be mapped.
        case unmappable
        /// The store's rules refuse it.
        case refused
        /// It is stale.
        case stale

        var code: CloudError.Code { self == .stale ? .serverRecordChanged : .invalidArguments }
    }

    /// Five new messages, of which the third, named bad, has a fault.
    private func batch(with fault: Fault) async throws -> [Message] {
        var messages = (1...5).map { Message("m\($0)", text: "new") }
        messages[2] = Message("bad", text: "new")
        switch fault {
        case .unmappable:
            messages[2].serial = .max
        case .refused:
            messages[2].text = "with\0NUL"
        case .stale:
            try await dao.save(Message("bad", text: "stored"))
        }
        return messages
    }

    private func storedNames() async throws -> [String] {
        try await dao.query(Message.self, orderBy: .ascending(\.recordID)).map(\.recordID.recordName)
    }

    @Test(arguments: Fault.allCases)
    func `in a batch that is not atomic, one bad object keeps no other from being saved`(fault: Fault) async throws {
        let messages = try await batch(with: fault)
        let error = try #require(await #expect(throws: CloudError.self) { try await dao.save(messages) })
        #expect(error.code == .partialFailure)
        #expect(error.partialErrors.mapValues(\.code) == [CloudRecordID("bad"): fault.code])
        #expect(error.message.contains("bad"))
        let expected = ["m1", "m2", "m4", "m5"]
        #expect(try await storedNames() == (fault == .stale ? ["bad"] : []) + expected)
        for message in messages where message.recordID.recordName != "bad" {
            #expect(message.recordChangeTag != nil)
            #expect(try await stored(message.recordID.recordName).recordChangeTag == message.recordChangeTag)
        }
        #expect(messages[2].recordChangeTag == nil)
    }

    @Test(arguments: Fault.allCases)
    func `in an atomic batch, one bad object keeps all others from being saved`(fault: Fault) async throws {
        let messages = try await batch(with: fault)
        let error = try #require(
            await #expect(throws: CloudError.self) { try await dao.save(messages, atomically: true) }
        )
        #expect(error.code == .partialFailure)
        var codes = Dictionary(uniqueKeysWithValues: messages.map { ($0.recordID, CloudError.Code.batchRequestFailed) })
        codes[CloudRecordID("bad")] = fault.code
        #expect(error.partialErrors.mapValues(\.code) == codes)
        #expect(try await storedNames() == (fault == .stale ? ["bad"] : []))
        #expect(messages.map(\.recordChangeTag) == [nil, nil, nil, nil, nil])
        #expect(messages.map(\.creationDate) == [nil, nil, nil, nil, nil])
    }

    @Test(arguments: [false, true])
    func `a batch without a fault is saved as a whole, in the order of the objects`(isAtomic: Bool) async throws {
        let messages = [5, 4, 3, 2, 1].map { (number: Int) in Message("m\(number)", likes: number) }
        let records = try await dao.save(messages, atomically: isAtomic)
        #expect(records.map(\.recordID.recordName) == ["m5", "m4", "m3", "m2", "m1"])
        #expect(records.map { $0["likes"] } == [5, 4, 3, 2, 1].map { .int64($0) })
        #expect(records.map(\.recordChangeTag) == messages.map(\.recordChangeTag))
    }

    @Test func `the conflict of an object in a batch has its ancestor too`() async throws {
        let message = Message("m1", text: "original")
        try await dao.save(message)
        let theirs = try await stored()
        theirs.text = "theirs"
        try await dao.save(theirs)
        message.text = "mine"
        let error = try #require(
            await #expect(throws: CloudError.self) { try await dao.save([Message("m2"), message]) }
        )
        let conflict = try #require(error.partialErrors[CloudRecordID("m1")])
        #expect(conflict.clientRecord?["text"] == .string("mine"))
        #expect(conflict.serverRecord?["text"] == .string("theirs"))
        #expect(conflict.ancestorRecord?["text"] == .string("original"))
    }

    @Test func `objects of several classes go into one batch`() async throws {
        try await dao.save([Message("m1"), Signal("s1", "one"), Notice()])
        #expect(try await dao.query(Message.self).count == 1)
        #expect(try await dao.query(Signal.self).map(\.title) == ["one"])
        #expect(try await dao.query(Notice.self).count == 1)
    }

    @Test(arguments: [false, true])
    func `a batch that has a record twice is refused as a whole`(isSameObject: Bool) async throws {
        let first = Message("m1", text: "first")
        let second = isSameObject ? first : Message("m1", text: "second")
        let error = await #expect(throws: CloudError.self) { try await dao.save([first, Message("m2"), second]) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.message.contains("m1") == true)
        #expect(error?.remedy.isEmpty == false)
        #expect(try await storedNames() == [])
        #expect(first.recordChangeTag == nil)
    }

    @Test func `more IDs than a statement can have parameters are fetched and deleted in one call`() async throws {
        try await dao.save(Message("r7"))
        let ids = (0..<40_000).map { CloudRecordID("r\($0)") }
        let found = try await dao.fetch(Message.self, ids).map { (try? $0.get()) != nil }
        #expect(found.count == ids.count)
        #expect(found.firstIndex(of: true) == 7)
        #expect(found.lastIndex(of: true) == 7)
        #expect(try await dao.delete(ids) == ids)
        #expect(try await storedNames() == [])
    }

    @Test func `an empty batch does nothing`() async throws {
        #expect(try await dao.save([]).isEmpty)
        #expect(try await dao.save([], atomically: true).isEmpty)
        #expect(try await dao.delete([CloudRecordID]()).isEmpty)
    }

    @Test func `an object whose willSave throws is not saved, the others are`() async throws {
        let error = try #require(
            await #expect(throws: CloudError.self) { try await dao.save([Reluctant(), Message("m1")]) }
        )
        #expect(error.partialErrors.values.map(\.message) == ["Not today."])
        #expect(try await storedNames() == ["m1"])
        #expect(try await dao.query(Reluctant.self).isEmpty)
    }
}

/// An object that refuses to be saved.
private final class Reluctant: CloudDataObject {
    var mood = "bad"

    override func willSave() throws {
        throw CloudError(.constraintViolation, "Not today.")
    }
}
