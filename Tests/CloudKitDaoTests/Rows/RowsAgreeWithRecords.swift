import CSQLite
import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

@Suite("Objects filled from rows")
struct RowsAgreeWithRecords {
    /// Everything that can be told of an object.
    private static func picture(_ object: CloudDataObject) -> String {
        var lines = [
            "\(object.recordID), created \(String(describing: object.creationDate))",
            "modified \(String(describing: object.modificationDate)) \(object.recordChangeTag ?? "-")",
            "by \(String(describing: object.creatorUserRecordID)), \(String(describing: object.lastModifiedUserRecordID))",
        ]
        var mirror: Mirror? = Mirror(reflecting: object)
        while let current = mirror, current.subjectType != CloudDataObject.self {
            lines += current.children.map { "\($0.label ?? "") \($0.value)" }
            mirror = current.superclassMirror
        }
        for record in [try? object.toRecord(), object.storedRecord] {
            lines.append(record.map { "\($0) \($0.knownFieldNames) \($0.recordChangeTag ?? "-")" } ?? "none")
        }
        return lines.joined(separator: "\n")
    }

    /// What queries and a fetch give through a DAO, with the errors of what can't be mapped.
    private static func pictures<Object: CloudDataObject>(
        _ type: Object.Type,
        _ store: any CloudStore,
        _ ids: [CloudRecordID],
        _ orders: [OrderBy],
        _ keys: [String]
    ) async throws -> [String] {
        let dao = CloudDao(store: store)
        let failures = Mutex<[String]>([])
        dao.mappingFailureHandler = { error in failures.withLock { $0.append("\(error)") } }
        var pictures: [String] = []
        for order in orders {
            for desired in [nil, keys] {
                let objects = try await dao.query(
                    type,
                    predicate: CloudPredicate(.everything),
                    orderBy: order,
                    desiredKeys: desired
                )
                pictures += objects.map(picture)
                for try await batch in dao.batches(
                    of: type,
                    predicate: CloudPredicate(.everything),
                    orderBy: order,
                    desiredKeys: desired,
                    batchSize: 70
                ) {
                    pictures += batch.map(picture) + batch.failures.map { "\($0)" }
                }
            }
        }
        for result in try await dao.fetch(type, ids) {
            switch result {
            case .success(let object): pictures.append(picture(object))
            case .failure(let error): pictures.append("\(error)")
            }
        }
        return pictures + failures.withLock { $0 }
    }

    /// Writes into the file what another tool might: values of other types, nulls and texts.
    private static func damage(_ path: String, _ random: inout SeededGenerator) throws {
        var database: OpaquePointer?
        try #require(sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
        defer { sqlite3_close(database) }
        let columns = [
            "text", "optionalText", "int", "optionalInt", "double", "optionalDouble", "flag", "optionalFlag", "date",
            "optionalDate", "small", "data", "texts", "mood", "reference", "place", "extra", "home__street",
            "address__number", "_created", "_modified", "_creator",
        ]
        for _ in 0..<25 {
            let value = random.any([
                "NULL", "5", "1", "2.5", "'calm'", "'2024-05-06T07:08:09Z'", "''", "x'00FF'", "x''",
            ])
            let rows = "rowid % 61 = \(random.number(0..<61))"
            // What the table refuses stays as it was.
            sqlite3_exec(
                database,
                "UPDATE RowNote SET \"\(random.any(columns))\" = \(value) WHERE \(rows)",
                nil,
                nil,
                nil
            )
        }
    }

    @Test("are those that records give, whatever is stored", arguments: 0..<3)
    func agreement(round: Int) async throws {
        let seed = SeededGenerator.seed &+ UInt64(round)
        var random = SeededGenerator(seed: seed)
        let folder = FileManager.default.temporaryDirectory.appending(path: "rows-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "rows.sqlite").path
        let stores = try ["one", "two"].map { try SQLiteStore(path: path, userRecordID: CloudRecordID($0)) }
        try await stores[0].saveZone(CloudZoneID("zone"))
        var ids = [CloudRecordID("missing")]
        for number in 0..<180 {
            let object: CloudDataObject
            switch number % 3 {
            case 0:
                let nested = NestedRowNote()
                nested.address = random.once(in: 2) ? nil : RowAddress()
                object = nested
            case 1:
                let note = LongRowNote()
                note.fill(&random)
                object = note
            default:
                let note = RowNote()
                note.fill(&random)
                object = note
            }
            let zone = random.once(in: 4) ? CloudZoneID("zone") : .default
            object.recordID = CloudRecordID("note\(number)", zone: zone)
            ids.append(object.recordID)
            try await CloudDao(store: random.any(stores)).save(object)
        }
        // Changed by the other user, perhaps.
        for case .success(let note) in try await CloudDao(store: stores[1]).fetch(RowNote.self, Array(ids.prefix(20))) {
            note.int += note.int == .max ? 0 : 1
            _ = try? await CloudDao(store: stores[1]).save(note)
        }
        if round > 0 { try Self.damage(path, &random) }
        let records = InterceptedStore(stores[0])
        func compare<Object: CloudDataObject>(_ type: Object.Type, by field: String, _ keys: [String]) async throws {
            let orders: [OrderBy] = [.newestFirst, .ascending("creationDate"), .descending(field)]
            let byRows = try await Self.pictures(type, stores[0], ids, orders, keys)
            let byRecords = try await Self.pictures(type, records, ids, orders, keys)
            #expect(byRows.count == byRecords.count, "PROPERTY_TEST_SEED=\(seed &- UInt64(round))")
            for (left, right) in zip(byRows, byRecords) {
                guard left != right else { continue }
                Issue.record("PROPERTY_TEST_SEED=\(seed &- UInt64(round)), \(type): \(left)\nis by records\n\(right)")
                return
            }
        }
        try await compare(RowNote.self, by: "int", ["text", "optionalInt", "mood"])
        try await compare(LongRowNote.self, by: "extra", ["extra", "date"])
        try await compare(ShortRowNote.self, by: "mood", ["int", "neverSaved"])
        try await compare(NestedRowNote.self, by: "text", ["home__street"])
        for store in stores { await store.close() }
    }

    @Test("can be changed, deleted and given another ID as if they had been made from records")
    func changing() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let note = RowNote()
        note.recordID = CloudRecordID("a")
        try await dao.save(note)
        let first = try #require(try await dao.query(RowNote.self).first)
        let tag = first.recordChangeTag
        first.recordID = CloudRecordID("a")
        #expect(first.recordChangeTag == tag)
        first.text = "changed"
        try await dao.save(first, savePolicy: .changedKeys)
        #expect(first.recordChangeTag != tag && first.creationDate == note.creationDate)
        let second = try #require(try await dao.query(RowNote.self).first)
        #expect(second.text == "changed")
        second.recordID = CloudRecordID("b")
        #expect(second.creationDate == nil && second.recordChangeTag == nil && second.storedRecord == nil)
        try await dao.save(second)
        let third = try #require(try await dao.query(RowNote.self, orderBy: .newestFirst).first)
        #expect(third.recordID.recordName == "b")
        try await dao.delete(third)
        #expect(third.recordID.recordName == "b" && third.recordChangeTag == nil)
        #expect(try await dao.query(RowNote.self).map(\.recordID.recordName) == ["a"])
    }
}
