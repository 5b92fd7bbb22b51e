import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Save policies, conflicts and batches")
struct Saving {
    @Test("A new record is not saved over one that exists, and the conflict carries what is stored")
    func newOverExisting() async throws {
        let store = try SQLiteStore.inMemory()
        let saved = try await store.saveOne(item("a", ["n": .int64(1), "t": .string("x")]))
        let conflict = try await error { try await store.saveOne(item("a", ["n": .int64(2)])) }
        #expect(conflict.code == .serverRecordChanged)
        #expect(conflict.serverRecord == saved)
        #expect(conflict.clientRecord?["n"] == .int64(2))
        #expect(try await store.fetchOne("a") == saved)
    }

    @Test("A stale record is a conflict, the current one is saved")
    func staleRecord() async throws {
        let store = try SQLiteStore.inMemory()
        let first = try await store.saveOne(item("a", ["n": .int64(1)]))
        var change = first
        change["n"] = .int64(2)
        let second = try await store.saveOne(change)
        let conflict = try await error { try await store.saveOne(change) }
        #expect(conflict.serverRecord == second)
        change = second
        change["n"] = .int64(3)
        try await store.saveOne(change)
        #expect(try await store.fetchOne("a")["n"] == .int64(3))
    }

    @Test("A record with a tag that is gone is an unknown item, unless the policy is to write anyway")
    func goneRecord() async throws {
        let store = try SQLiteStore.inMemory()
        let saved = try await store.saveOne(item("a", ["n": .int64(1)]))
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("a")]))
        let gone = try await error { try await store.saveOne(saved) }
        #expect(gone.code == .unknownItem)
        #expect(gone.recordID == CloudRecordID("a"))
        #expect(try await error { try await store.saveOne(saved, .changedKeys) }.code == .unknownItem)
        let again = try await store.saveOne(saved, .allKeys)
        #expect(try await store.fetchOne("a") == again)
    }

    @Test("A tag of another database is a conflict")
    func foreignDatabase() async throws {
        let (first, second) = (try SQLiteStore.inMemory(), try SQLiteStore.inMemory())
        let saved = try await first.saveOne(item("a", ["n": .int64(1)]))
        try await second.saveOne(item("a", ["n": .int64(2)]))
        #expect(try await error { try await second.saveOne(saved) }.code == .serverRecordChanged)
        #expect(try await second.fetchOne("a")["n"] == .int64(2))
    }

    @Test("A tag that no store made is a conflict", arguments: ["", "zz~", "01", "-1", "zzzzzzzzzzzzzzzzzzzzzz"])
    func foreignTag(tag: String) async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        var record = item("a")
        record.recordChangeTag = tag
        #expect(try await error { try await store.saveOne(record) }.code == .serverRecordChanged)
    }

    @Test("The other policies write whatever is stored", arguments: [CloudSavePolicy.changedKeys, .allKeys])
    func overwritingPolicies(policy: CloudSavePolicy) async throws {
        let store = try SQLiteStore.inMemory()
        let first = try await store.saveOne(item("a", ["n": .int64(1), "t": .string("x")]), policy)
        try await store.saveOne(item("a", ["n": .int64(2)]), policy)
        var stale = item("a", ["n": .int64(3)])
        stale.setTag(of: first)
        let third = try await store.saveOne(stale, policy)
        #expect(third.creationDate == first.creationDate)
        let fetched = try await store.fetchOne("a")
        #expect(fetched["n"] == .int64(3))
        #expect(fetched["t"] == .string("x"))
    }

    @Test("A name that exists under another type is refused, naming both types")
    func nameOfAnotherType() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["n": .int64(1)]))
        let other = CloudRecord(recordType: "Other", recordID: CloudRecordID("a"))
        for policy in [CloudSavePolicy.ifServerRecordUnchanged, .allKeys] {
            let refused = try await error { try await store.saveOne(other, policy) }
            #expect(refused.code == .invalidArguments)
            #expect(refused.message.contains("Other") && refused.message.contains("Item"))
        }
        #expect(try await store.fetchOne("a").recordType == "Item")
    }

    @Test("A refused record does not keep the others of a batch from being saved")
    func partialBatch() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("old", ["n": .int64(1)]))
        let result = try await store.modify(
            CloudModification(
                saving: [
                    item("a", ["n": .int64(1)]), item("b", ["n": .string("text")]), item("old", ["n": .int64(2)]),
                    item("", ["n": .int64(3)]), item("c", ["n": .int64(4)]),
                ],
                deleting: [CloudRecordID("nobody")]
            )
        )
        let codes = result.saved.map { outcome -> CloudError.Code? in
            if case .failure(let error) = outcome { error.code } else { nil }
        }
        #expect(codes == [nil, .invalidArguments, .serverRecordChanged, .invalidArguments, nil])
        #expect(try result.deleted.map { try $0.get() } == [CloudRecordID("nobody")])
        #expect(try await store.matches(.everything) == ["a", "c", "old"])
        #expect(try await store.fetchOne("old")["n"] == .int64(1))
    }

    @Test("An atomic batch with a refused record writes nothing")
    func atomicBatch() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("old", ["n": .int64(1)]))
        let result = try await store.modify(
            CloudModification(
                saving: [item("a", ["n": .int64(1), "newField": .date(Date())]), item("b", ["n": .string("text")])],
                deleting: [CloudRecordID("old")],
                isAtomic: true
            )
        )
        let codes = result.saved.map { outcome -> CloudError.Code? in
            if case .failure(let error) = outcome { error.code } else { nil }
        }
        #expect(codes == [.batchRequestFailed, .invalidArguments])
        guard case .failure(let deletion) = result.deleted[0] else { throw CancellationError() }
        #expect(deletion.code == .batchRequestFailed)
        #expect(try await store.matches(.everything) == ["old"])
        // The field that was not saved has no type yet.
        try await store.saveOne(item("c", ["newField": .string("text")]))
        #expect(try await store.fetchOne("c")["newField"] == .string("text"))
    }

    @Test("A record that is in a batch twice is an error for the batch, and nothing is written")
    func duplicates() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("old"))
        let id = CloudRecordID("d")
        for batch in [
            CloudModification(saving: [item("x"), item("d"), item("d")]),
            CloudModification(saving: [item("x"), item("d")], deleting: [id]),
            CloudModification(deleting: [CloudRecordID("old"), id, id]),
        ] {
            let refused = try await error { _ = try await store.modify(batch) }
            #expect(refused.code == .invalidArguments)
            #expect(refused.recordID == id)
        }
        #expect(try await store.matches(.everything) == ["old"])
    }

    @Test("An empty batch succeeds without a write")
    func emptyBatch() async throws {
        let folder = try TestFolder()
        let path = folder.path("empty.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a"))
        let before = try PlainSQL.run("PRAGMA data_version; SELECT next_sequence FROM _meta", path)
        let result = try await store.modify(CloudModification())
        #expect(result.saved.isEmpty && result.deleted.isEmpty)
        #expect(try PlainSQL.run("PRAGMA data_version; SELECT next_sequence FROM _meta", path) == before)
    }

    @Test("A deleted record is gone, its name is free for any type, and a tombstone remains")
    func deleting() async throws {
        let folder = try TestFolder()
        let path = folder.path("deleted.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["n": .int64(1)]))
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("a")]))
        #expect(try await error { _ = try await store.fetchOne("a") }.code == .unknownItem)
        #expect(try await store.matches(.everything) == [])
        try await store.saveOne(CloudRecord(recordType: "Other", recordID: CloudRecordID("a")))
        #expect(try await store.fetchOne("a").recordType == "Other")
        #expect(try PlainSQL.run("SELECT record_name FROM _tombstones", path) == [["a"]])
    }

    @Test("The records of one batch keep its order when sorted by date")
    func batchOrder() async throws {
        let store = try SQLiteStore.inMemory()
        let names = (0..<50).map { "n\($0 * 7919 % 50)" }
        _ = try await store.modify(CloudModification(saving: names.map { item($0) }))
        #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: .ascending("creationDate"))) == names)
        #expect(try await store.names(CloudQuery(recordType: "Item")) == names.reversed())
    }

    @Test("A zone must exist before a record is saved into it")
    func zones() async throws {
        let store = try SQLiteStore.inMemory()
        let zone = CloudZoneID("notes")
        let record = CloudRecord(recordType: "Item", recordID: CloudRecordID("a", zone: zone))
        let refused = try await error { try await store.saveOne(record) }
        #expect(refused.code == .zoneNotFound)
        #expect(refused.message.contains("notes"))
        try await store.saveZone(zone)
        try await store.saveZone(zone)
        #expect(try await store.zones() == [.default, zone])
        try await store.saveOne(record)
        try await store.saveOne(item("a", ["n": .int64(1)]))
        let fetched = try await store.fetch([record.recordID, CloudRecordID("a")], desiredFields: nil)
        #expect(try fetched.map { try $0.get().recordID.zoneID } == [zone, .default])
        #expect(try await store.names(CloudQuery(recordType: "Item", zoneID: zone)) == ["a"])
        #expect(try await store.names(CloudQuery(recordType: "Item", zoneID: CloudZoneID("none"))) == [])
        #expect(try await store.records(CloudQuery(recordType: "Item"), pageSize: 1).count == 2)
    }
}
