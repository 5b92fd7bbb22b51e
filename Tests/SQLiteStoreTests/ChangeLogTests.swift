import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Change log")
struct ChangeLog {
    private func names(_ changes: CloudChanges) -> [String] { changes.saved.map(\.recordID.recordName) }

    @Test("A token from before a compaction expires; one from after it, and reading from the beginning, do not")
    func compaction() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        try await store.saveOne(item("b"))
        let old = try await store.changes(since: nil, in: nil, limit: 10).token
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("a")]))
        let new = try await store.changes(since: old, in: nil, limit: 10).token
        try await store.compactChangeLog(before: .distantFuture)
        let error = try await error { _ = try await store.changes(since: old, in: nil, limit: 10) }
        #expect(error.code == .changeTokenExpired)
        #expect(try await names(store.changes(since: new, in: nil, limit: 10)).isEmpty)
        #expect(try await names(store.changes(since: nil, in: nil, limit: 10)) == ["b"])
    }

    @Test("Reading everything in pages is not disturbed by a compaction of what was deleted before it began")
    func compactionWhileReading() async throws {
        let store = try SQLiteStore.inMemory()
        for name in ["a", "b", "c", "gone"] { try await store.saveOne(item(name)) }
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("gone")]))
        let first = try await store.changes(since: nil, in: nil, limit: 1)
        #expect(names(first) == ["a"] && first.deleted.isEmpty && first.moreComing)
        try await store.compactChangeLog(before: .distantFuture)
        let rest = try await store.changes(since: first.token, in: nil, limit: 10)
        #expect(names(rest) == ["b", "c"] && rest.deleted.isEmpty && !rest.moreComing)
    }

    @Test("What is deleted between the pages of a first reading is reported")
    func deletedWhileReading() async throws {
        let store = try SQLiteStore.inMemory()
        for name in ["a", "b", "c"] { try await store.saveOne(item(name)) }
        let first = try await store.changes(since: nil, in: nil, limit: 2)
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("a")]))
        let rest = try await store.changes(since: first.token, in: nil, limit: 10)
        #expect(names(rest) == ["c"])
        #expect(rest.deleted.map(\.recordID.recordName) == ["a"])
        #expect(rest.deleted.map(\.recordType) == ["Item"])
    }

    @Test("A token of a later state than that of a restored backup expires")
    func backup() async throws {
        let folder = try TestFolder()
        let (path, copy) = (folder.path("db.sqlite"), folder.path("copy.sqlite"))
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a"))
        try PlainSQL.run("VACUUM INTO '\(copy)'", path)
        try await store.saveOne(item("b"))
        let token = try await store.changes(since: nil, in: nil, limit: 10).token
        let restored = try SQLiteStore(path: copy)
        let error = try await error { _ = try await restored.changes(since: token, in: nil, limit: 10) }
        #expect(error.code == .changeTokenExpired)
        #expect(error.message.contains("backup"))
    }

    @Test("New records are found by their rows, and changed ones by the index of changes")
    func plan() async throws {
        let folder = try TestFolder()
        let path = folder.path("db.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a"))
        for (condition, search) in [
            ("_row > 1 AND _sequence = _row ORDER BY _row", "USING INTEGER PRIMARY KEY"),
            ("_sequence > 1 AND _sequence <> _row ORDER BY _sequence", "INDEX _Item_sequence"),
        ] {
            let plan = try PlainSQL.run(
                "EXPLAIN QUERY PLAN SELECT _sequence, _row FROM Item WHERE \(condition) LIMIT 2",
                path
            )
            let steps = plan.compactMap(\.last)
            #expect(steps.count == 1 && steps[0].contains(search), "\(steps)")
        }
    }

    @Test("A token of one zone is refused for another one and for the database; one of the database is good for a zone")
    func tokenOfAnotherZone() async throws {
        let store = try SQLiteStore.inMemory()
        let (one, other) = (CloudZoneID("one"), CloudZoneID("other"))
        for zone in [one, other] {
            try await store.saveZone(zone)
            try await store.saveOne(CloudRecord(recordType: "Item", recordID: CloudRecordID("a", zone: zone)))
        }
        let token = try await store.changes(since: nil, in: one, limit: 10).token
        for zone in [other, nil] {
            let error = try await error { _ = try await store.changes(since: token, in: zone, limit: 10) }
            #expect(error.code == .invalidArguments)
        }
        let whole = try await store.changes(since: nil, in: nil, limit: 10).token
        try await store.saveOne(CloudRecord(recordType: "Item", recordID: CloudRecordID("b", zone: one)))
        #expect(try await names(store.changes(since: whole, in: one, limit: 10)) == ["b"])
    }

    @Test("Production hears nothing of types that were not deployed, their deletions included")
    func production() async throws {
        let folder = try TestFolder()
        let path = folder.path("db.sqlite")
        let development = try SQLiteStore(path: path)
        try await development.saveOne(item("seen"))
        try await development.deploySchema()
        let production = try SQLiteStore(path: path, environment: .production)
        let token = try await production.changes(since: nil, in: nil, limit: 10).token
        try await development.saveOne(CloudRecord(recordType: "Hidden", recordID: CloudRecordID("h")))
        _ = try await development.modify(CloudModification(deleting: [CloudRecordID("h"), CloudRecordID("seen")]))
        let changes = try await production.changes(since: token, in: nil, limit: 10)
        #expect(changes.deleted.map(\.recordID.recordName) == ["seen"])
    }
}
