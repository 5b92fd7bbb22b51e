import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

// Two that change the same record.
extension SaveAndConflict {
    /// Two objects of the record m1 as "original", of which the first has saved "theirs" meanwhile.
    private func staleMessage() async throws -> Message {
        let original = Message("m1", text: "original", likes: 1)
        try await dao.save(original)
        let mine = try await stored()
        let theirs = try await stored()
        theirs.text = "theirs"
        theirs.tags = ["theirs"]
        try await dao.save(theirs)
        mine.text = "mine"
        return mine
    }

    private func conflict(of message: Message) async throws -> CloudError {
        try #require(await #expect(throws: CloudError.self) { try await dao.save(message) })
    }

    @Test func `a stale object gets client, server and ancestor, and the store keeps the newer one`() async throws {
        let mine = try await staleMessage()
        let tag = mine.recordChangeTag
        let error = try await conflict(of: mine)
        #expect(error.code == .serverRecordChanged)
        #expect(error.recordID == CloudRecordID("m1"))
        #expect(!error.remedy.isEmpty)
        #expect(error.clientRecord?["text"] == .string("mine"))
        #expect(error.clientRecord?.recordChangeTag == tag)
        #expect(error.serverRecord?["text"] == .string("theirs"))
        #expect(error.serverRecord?["tags"] == .list([.string("theirs")]))
        #expect(error.serverRecord?.recordChangeTag != tag)
        #expect(error.serverRecord?.recordChangeTag != nil)
        #expect(error.ancestorRecord?["text"] == .string("original"))
        #expect(error.ancestorRecord?["likes"] == .int64(1))
        #expect(error.ancestorRecord?.recordChangeTag == tag)
        #expect(try await stored().text == "theirs")
        #expect(mine.text == "mine")
        #expect(mine.recordChangeTag == tag)
    }

    @Test func `the ancestor of an object that was saved before is what was saved`() async throws {
        let mine = Message("m1", text: "as I saved it")
        try await dao.save(mine)
        try await dao.save(try await stored())
        mine.text = "mine"
        let error = try await conflict(of: mine)
        #expect(error.ancestorRecord?["text"] == .string("as I saved it"))
    }

    @Test func `applying the change to the server's record resolves a conflict`() async throws {
        let mine = try await staleMessage()
        let error = try await conflict(of: mine)
        let merged = try Message(record: try #require(error.serverRecord))
        merged.text = "theirs and mine"
        try await dao.save(merged)
        #expect(try await stored().text == "theirs and mine")
        #expect(try await stored().tags == ["theirs"])
    }

    @Test func `the error handler gets the same conflict`() async throws {
        let mine = try await staleMessage()
        let calls = await HandlerReport.calls { handlers in
            dao.saveItem(
                mine,
                completionHandler: { handlers.completed($0.recordID.recordName) },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.serverRecordChanged])
        #expect(calls.errors.first?.ancestorRecord?["text"] == .string("original"))
        #expect(calls.errors.first?.serverRecord?["text"] == .string("theirs"))
    }

    @Test func `a new object with the name of a stored one is a conflict without an ancestor`() async throws {
        try await dao.save(Message("m1", text: "first"))
        let second = Message("m1", text: "second")
        let error = try await conflict(of: second)
        #expect(error.code == .serverRecordChanged)
        #expect(error.clientRecord?["text"] == .string("second"))
        #expect(error.serverRecord?["text"] == .string("first"))
        #expect(error.ancestorRecord == nil)
        #expect(try await stored().text == "first")
        #expect(second.recordChangeTag == nil)
    }

    @Test func `saving what someone else deleted is unknownItem, and makes no record`() async throws {
        try await dao.save(Message("m1"))
        let mine = try await stored()
        try await dao.delete([CloudRecordID("m1")])
        mine.text = "too late"
        let error = try await conflict(of: mine)
        #expect(error.code == .unknownItem)
        #expect(error.recordID == CloudRecordID("m1"))
        #expect(!error.remedy.isEmpty)
        #expect(try await dao.fetch(Message.self, "m1") == nil)
        try await dao.save(mine, savePolicy: .allKeys)
        #expect(try await stored().text == "too late")
    }

    // MARK: Save policies

    @Test func `allKeys writes all of a stale object's fields`() async throws {
        let mine = try await staleMessage()
        try await dao.save(mine, savePolicy: .allKeys)
        let fetched = try await stored()
        #expect(fetched.text == "mine")
        #expect(fetched.tags == [])
        #expect(fetched.recordChangeTag == mine.recordChangeTag)
    }

    @Test func `changedKeys writes only what was changed in a stale object`() async throws {
        let mine = try await staleMessage()
        try await dao.save(mine, savePolicy: .changedKeys)
        let fetched = try await stored()
        #expect(fetched.text == "mine")
        #expect(fetched.tags == ["theirs"])
        #expect(fetched.likes == 1)
    }

    @Test func `changedKeys does not make a deleted record anew from its changed fields`() async throws {
        let mine = Message("m1", text: "all of it", likes: 1)
        try await dao.save(mine)
        try await dao.delete([mine.recordID])
        mine.likes = 2
        let error = await #expect(throws: CloudError.self) { try await dao.save(mine, savePolicy: .changedKeys) }
        #expect(error?.code == .unknownItem)
        #expect(try await dao.fetch(Message.self, "m1") == nil)
        try await dao.save(mine, savePolicy: .allKeys)
        #expect(try await dao.fetch(Message.self, "m1")?.text == "all of it")
    }

    @Test func `text that differs only in its bytes is a change`() async throws {
        let mine = Message("m1", text: "caf\u{E9}")
        try await dao.save(mine)
        mine.text = "cafe\u{301}"
        try await dao.save(mine, savePolicy: .changedKeys)
        let stored = try #require(try await dao.fetch(Message.self, "m1"))
        #expect(Array(stored.text.unicodeScalars) == Array("cafe\u{301}".unicodeScalars))
        let other = Message("m1", text: "caf\u{E9}")
        #expect(other != stored)
    }

    @Test func `changedKeys writes a property that was cleared`() async throws {
        let mine = try await staleMessage()
        mine.likes = nil
        try await dao.save(mine, savePolicy: .changedKeys)
        let fetched = try await stored()
        #expect(fetched.likes == nil)
        #expect(fetched.tags == ["theirs"])
    }

    @Test func `after changedKeys the next changes are told from the right base`() async throws {
        let mine = try await staleMessage()
        try await dao.save(mine, savePolicy: .changedKeys)
        mine.likes = 99
        try await dao.save(mine, savePolicy: .changedKeys)
        let fetched = try await stored()
        #expect(fetched.likes == 99)
        #expect(fetched.text == "mine")
        #expect(fetched.tags == ["theirs"])
        let second = try await stored()
        second.text = "second"
        try await dao.save(second, savePolicy: .changedKeys)
        // What mine had before must not be taken for unchanged now.
        mine.text = "mine again"
        try await dao.save(mine, savePolicy: .changedKeys)
        #expect(try await stored().text == "mine again")
    }

    @Test func `changedKeys makes a record that does not exist, with all its fields`() async throws {
        let message = Message("m1", from: "ann", text: "new")
        try await dao.save(message, savePolicy: .changedKeys)
        #expect(try await stored() == message)
    }

    // MARK: Databases

    @Test func `the same name in the databases of two containers is four records`() async throws {
        let containers = ["one", "two"].map { CloudContainer("conflict.\($0).\(UUID().uuidString)") }
        for container in containers {
            CloudContainer.configure(container, storage: .inMemory)
        }
        for container in containers {
            for scope in [CloudDatabaseScope.public, .private] {
                let text = "\(container.identifier) \(scope)"
                try await container.database(scope).save(Message("m1", text: text))
            }
        }
        for container in containers {
            for scope in [CloudDatabaseScope.public, .private] {
                let found = try await container.database(scope).query(Message.self)
                #expect(found.map(\.text) == ["\(container.identifier) \(scope)"])
            }
        }
    }

    @MainActor @Test func `what is assigned while a save runs is kept`() async throws {
        let folder = try TestFolder()
        let file = folder.url.appending(path: "picture")
        try Data("first".utf8).write(to: file)
        let mine = Message("m1")
        mine.picture = CloudAsset(fileURL: file)
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.saveItem(
                mine,
                completionHandler: { _ in continuation.resume() },
                errorHandler: { error in
                    Issue.record(error)
                    continuation.resume()
                }
            )
            mine.picture = nil
            mine.text = "later"
        }
        #expect(mine.picture == nil)
        #expect(mine.text == "later")
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.saveItem(
                mine,
                completionHandler: { _ in continuation.resume() },
                errorHandler: { error in
                    Issue.record(error)
                    continuation.resume()
                }
            )
            mine.recordID = CloudRecordID("m2")
        }
        #expect(mine.recordID == CloudRecordID("m2"))
        #expect(mine.recordChangeTag == nil)
    }
}
