import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// What saving does to the store and to the object.
@Suite struct SaveAndConflict {
    let dao: CloudDao

    init() throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
    }

    /// The stored message m1, read anew.
    func stored(_ recordName: String = "m1") async throws -> Message {
        try #require(try await dao.fetch(Message.self, recordName))
    }

    // MARK: Names and updates

    @Test(arguments: [
        "m1", "with space", "https://example.org/plans/7.pdf?x=1", "../../etc/x", "a%2Fb", "a/b", "a_b", "~",
        String(repeating: "n", count: 255),
    ])
    func `the record name that the app chose is kept`(name: String) async throws {
        let message = Message(name, text: "mine")
        try await dao.save(message)
        #expect(message.recordID.recordName == name)
        let fetched = try #require(try await dao.fetch(Message.self, name))
        #expect(fetched.recordID == CloudRecordID(name))
        #expect(fetched.text == "mine")
    }

    @Test func `names that differ in case only are different records`() async throws {
        try await dao.save([Message("Name", text: "upper"), Message("name", text: "lower")])
        #expect(try await stored("Name").text == "upper")
        #expect(try await stored("name").text == "lower")
    }

    @Test func `an object without a chosen name gets one, and keeps it`() async throws {
        let message = Message()
        let name = message.recordID.recordName
        try await dao.save(message)
        #expect(UUID(uuidString: name) != nil)
        #expect(message.recordID.recordName == name)
        #expect(try await dao.query(Message.self).map(\.recordID.recordName) == [name])
    }

    @Test func `saving a changed object again is an update`() async throws {
        let message = Message("m1", text: "first")
        try await dao.save(message)
        message.text = "second"
        message.tags = ["new"]
        try await dao.save(message)
        let all = try await dao.query(Message.self)
        #expect(all.map(\.text) == ["second"])
        #expect(all.map(\.tags) == [["new"]])
    }

    @Test func `an object that was fetched can be saved again and again`() async throws {
        try await dao.save(Message("m1", likes: 0))
        let fetched = try await stored()
        for likes in 1...3 {
            fetched.likes = likes
            try await dao.save(fetched)
        }
        #expect(try await stored().likes == 3)
    }

    @Test func `an object whose ID is changed after the save becomes another record`() async throws {
        let message = Message("m1", text: "same")
        try await dao.save(message)
        message.recordID = CloudRecordID("m2")
        #expect(message.recordChangeTag == nil)
        try await dao.save(message)
        let names = try await dao.query(Message.self, orderBy: .ascending(\.recordID)).map(\.recordID.recordName)
        #expect(names == ["m1", "m2"])
    }

    // MARK: What the store fills

    @Test func `a save fills the object's system fields with the store's`() async throws {
        let message = Message("m1")
        #expect(message.creationDate == nil)
        #expect(message.recordChangeTag == nil)
        try await dao.save(message)
        let user = try await dao.store().currentUserRecordID()
        #expect(message.creationDate != nil)
        #expect(message.modificationDate == message.creationDate)
        #expect(message.creatorUserRecordID == user)
        #expect(message.lastModifiedUserRecordID == user)
        let fetched = try await stored()
        #expect(fetched.creationDate == message.creationDate)
        #expect(fetched.modificationDate == message.modificationDate)
        #expect(fetched.recordChangeTag == message.recordChangeTag)
        #expect(fetched.creatorUserRecordID == user)
    }

    @Test func `every save gives a new tag and keeps the date of creation`() async throws {
        let message = Message("m1")
        try await dao.save(message)
        let created = message.creationDate
        var tags = [message.recordChangeTag]
        for _ in 1...3 {
            try await dao.save(message)
            tags.append(message.recordChangeTag)
            #expect(message.creationDate == created)
            #expect(try #require(message.modificationDate) >= #require(created))
        }
        #expect(Set(tags).count == 4)
        #expect(!tags.contains(nil))
    }

    @Test func `the modifier of a record is who saved it last, its creator who saved it first`() async throws {
        let folder = try TestFolder()
        let ann = CloudDao(
            store: try SQLiteStore(path: folder.path("users.sqlite"), userRecordID: CloudRecordID("_ann"))
        )
        let bob = CloudDao(
            store: try SQLiteStore(path: folder.path("users.sqlite"), userRecordID: CloudRecordID("_bob"))
        )
        try await ann.save(Message("m1"))
        let message = try #require(try await bob.fetch(Message.self, "m1"))
        message.text = "by Bob"
        try await bob.save(message)
        #expect(message.creatorUserRecordID == CloudRecordID("_ann"))
        #expect(message.lastModifiedUserRecordID == CloudRecordID("_bob"))
    }

    @Test func `a handler gets the record as it is stored`() async throws {
        let calls = await HandlerReport.calls { handlers in
            dao.saveItem(
                Message("m1", text: "hello"),
                completionHandler: { record in
                    handlers.completed("\(record["text"]?.stringValue ?? "") \(record.recordChangeTag != nil)")
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["hello true"])
    }

    // MARK: Clearing and leaving alone

    @Test func `nil clears the stored field, of whatever kind it is`() async throws {
        let folder = try TestFolder()
        let notice = Notice()
        notice.fill(asset: try folder.file("a.bin", Data([1])))
        let everything = notice.present
        #expect(everything.count == 13)
        try await dao.save(notice)
        let fetched = try #require(try await dao.fetch(Notice.self, notice.recordID))
        #expect(fetched.present == everything)
        fetched.clear()
        try await dao.save(fetched)
        let cleared = try #require(try await dao.fetch(Notice.self, notice.recordID))
        #expect(cleared.present == [])
        for field in everything.subtracting(["asset", "location", "json"]) {
            let found = try await dao.query(Notice.self, predicate: "\(field: field) == nil")
            #expect(found.count == 1, "\(field) == nil")
        }
        // A field of an embedded object goes with it.
        #expect(try await dao.query(Notice.self, predicate: "place__street == nil AND place__floor == nil").count == 1)
    }

    @Test func `nil within an embedded object that stays clears its field only`() async throws {
        let notice = Notice()
        notice.place = Notice.Place()
        notice.place?.street = "Ring"
        notice.place?.floor = 3
        try await dao.save(notice)
        notice.place?.floor = nil
        try await dao.save(notice)
        let fetched = try #require(try await dao.fetch(Notice.self, notice.recordID))
        #expect(fetched.place?.street == "Ring")
        #expect(fetched.place != nil)
        #expect(fetched.place?.floor == nil)
    }

    @Test(arguments: [CloudSavePolicy.ifServerRecordUnchanged, .allKeys, .changedKeys])
    func `a class with fewer properties leaves the other fields alone`(policy: CloudSavePolicy) async throws {
        let folder = try TestFolder()
        let message = Message("m1", from: "ann", text: "long", likes: 7)
        message.tags = ["a", "b"]
        message.kind = .picture
        message.picture = CloudAsset(fileURL: try folder.file("p.bin", Data([1, 2, 3])))
        try await dao.save(message)
        let brief = try #require(try await dao.fetch(BriefMessage.self, "m1"))
        brief.text = "short"
        try await dao.save(brief, savePolicy: policy)
        let fetched = try await stored()
        #expect(fetched.text == "short")
        #expect(fetched.from == "ann")
        #expect(fetched.likes == 7)
        #expect(fetched.tags == ["a", "b"])
        #expect(fetched.kind == .picture)
        #expect(try fetched.picture?.data() == Data([1, 2, 3]))
    }

    // MARK: Deleting

    @Test func `a deleted object is gone`() async throws {
        let message = Message("m1")
        try await dao.save([message, Message("m2")])
        try await dao.delete(message)
        #expect(try await dao.fetch(Message.self, "m1") == nil)
        #expect(try await dao.query(Message.self).map(\.recordID.recordName) == ["m2"])
    }

    @Test func `deleting what is not there is no error`() async throws {
        try await dao.delete(Message("never saved"))
        #expect(try await dao.delete([CloudRecordID("nor this")]) == [CloudRecordID("nor this")])
        #expect(try await dao.query(Message.self).isEmpty)
    }

    @Test func `a deleted object that is saved again is a new record`() async throws {
        let message = Message("m1", text: "first life")
        try await dao.save(message)
        try await dao.delete(message)
        #expect(message.recordChangeTag == nil)
        #expect(message.creationDate == nil)
        message.text = "second life"
        try await dao.save(message)
        #expect(try await stored().text == "second life")
    }

    @Test func `deleting overrules a newer version`() async throws {
        try await dao.save(Message("m1"))
        let stale = try await stored()
        try await dao.save(try await stored())
        try await dao.delete(stale)
        #expect(try await dao.fetch(Message.self, "m1") == nil)
    }

    @Test func `of objects of which some can't be deleted, the deleted ones become new`() async throws {
        let base = try SQLiteStore.inMemory()
        let refused = CloudRecordID("m2")
        let store = InterceptedStore(
            base,
            onModify: { modification in
                guard modification.deleting.contains(refused) else { return nil }
                var rest = modification
                rest.deleting.removeAll { $0 == refused }
                _ = try await base.modify(rest)
                let error = CloudError(.permissionFailure, "Not yours.", recordID: refused)
                return CloudModificationResult(
                    saved: [],
                    deleted: modification.deleting.map { $0 == refused ? .failure(error) : .success($0) }
                )
            }
        )
        let dao = CloudDao(store: store)
        let messages = [Message("m1"), Message("m2")]
        try await dao.save(messages)
        let error = await #expect(throws: CloudError.self) { try await dao.delete(messages) }
        #expect(error?.partialErrors.mapValues(\.code) == [refused: .permissionFailure])
        #expect(messages[0].recordChangeTag == nil)
        #expect(messages[1].recordChangeTag != nil)
    }
}
