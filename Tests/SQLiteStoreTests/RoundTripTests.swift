import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Stored values come back")
struct StoredValues {
    @Test("Every type of value comes back as it was saved")
    func everyType() async throws {
        let store = try SQLiteStore.inMemory()
        let file = try ScratchFile("picture bytes")
        var record = CloudRecord(recordType: "Thing", recordID: CloudRecordID("t1"))
        let zone = CloudZoneID("notes", ownerName: "someone")
        let values: [(String, CloudValue)] = [
            ("text", .string("héllo \u{1F600} 'quoted' \"double\" \\ % _")),
            ("emptyText", .string("")),
            ("smallest", .int64(.min)), ("largest", .int64(.max)),
            ("tiny", .double(.leastNonzeroMagnitude)), ("third", .double(1.0 / 3)), ("whole", .double(3)),
            ("date", .date(Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7))),
            ("early", .date(Date(timeIntervalSinceReferenceDate: -63_114_076_800))),
            ("bytes", .bytes(Data([0, 255, 1, 0]))), ("noBytes", .bytes(Data())),
            (
                "place",
                .location(
                    CloudLocation(
                        latitude: 52.1,
                        longitude: -4.3,
                        altitude: 0.1,
                        horizontalAccuracy: 5,
                        verticalAccuracy: 1.0 / 3,
                        course: 359.9,
                        speed: 0,
                        timestamp: Date(timeIntervalSinceReferenceDate: 1.5)
                    )
                )
            ),
            ("bare", .location(CloudLocation(latitude: 0, longitude: 0))),
            ("link", .reference(CloudReference(recordID: CloudRecordID("u1")))),
            ("owner", .reference(CloudReference(recordID: CloudRecordID("u2", zone: zone), action: .deleteSelf))),
            ("texts", .list([.string("a"), .string("\u{1F}\n\"\\"), .string("")])),
            ("numbers", .list([.int64(.min), .int64(0), .int64(.max)])),
            ("doubles", .list([.double(0.1), .double(1), .double(-1e300)])),
            ("dates", .list([.date(Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7))])),
            ("datas", .list([.bytes(Data([1, 2])), .bytes(Data())])),
            ("places", .list([.location(CloudLocation(latitude: 1.5, longitude: 2.5))])),
            (
                "links",
                .list([
                    .reference(CloudReference(recordID: CloudRecordID("u1"))),
                    .reference(CloudReference(recordID: CloudRecordID("u2", zone: zone), action: .deleteSelf)),
                ])
            ),
            ("nothing", .list([])),
        ]
        for (name, value) in values { record[name] = value }
        record["picture"] = .asset(CloudAsset(fileURL: file.url))
        let saved = try await store.saveOne(record)
        let fetched = try await store.fetchOne("t1")
        for (name, value) in values {
            #expect(fetched[name] == value, "\(name)")
        }
        #expect(try fetched["picture"]?.assetValue?.data() == Data("picture bytes".utf8))
        #expect(fetched == saved)
        #expect(fetched.creationDate == saved.creationDate)
        #expect(fetched.modificationDate == saved.modificationDate)
    }

    @Test("Dates keep every bit")
    func datesAreExact() async throws {
        let store = try SQLiteStore.inMemory()
        var generator = SystemRandomNumberGenerator()
        let dates = (0..<500).map { _ in
            Date(timeIntervalSinceReferenceDate: Double.random(in: -1e11...1e11, using: &generator))
        }
        var record = item("d", ["list": .list(dates.map(CloudValue.date))])
        for (index, date) in dates.enumerated() { record["date\(index)"] = .date(date) }
        try await store.saveOne(record)
        let fetched = try await store.fetchOne("d")
        for (index, date) in dates.enumerated() { #expect(fetched["date\(index)"] == .date(date)) }
        #expect(fetched["list"] == .list(dates.map(CloudValue.date)))
    }

    @Test("A text that does not fit into the statement's own memory comes back whole")
    func longTexts() async throws {
        let store = try SQLiteStore.inMemory()
        let long = String(repeating: "ab\u{1F600}", count: 5_000)
        let medium = String(repeating: "x", count: 16_000)
        try await store.saveOne(item("l", ["a": .string(medium), "b": .string(long), "c": .string("short")]))
        let fetched = try await store.fetchOne("l")
        #expect(fetched["a"] == .string(medium))
        #expect(fetched["b"] == .string(long))
        #expect(fetched["c"] == .string("short"))
    }

    @Test("System fields are those of the store, and stay those of the creation")
    func systemFields() async throws {
        let folder = try TestFolder()
        let path = folder.path("users.sqlite")
        let alice = try SQLiteStore(path: path, userRecordID: CloudRecordID("alice"))
        let bob = try SQLiteStore(path: path, userRecordID: CloudRecordID("bob"))
        let first = try await alice.saveOne(item("r", ["a": .int64(1)]))
        #expect(first.creationDate == first.modificationDate)
        #expect(first.creatorUserRecordID == CloudRecordID("alice"))
        let tag = try #require(first.recordChangeTag)
        var changed = first
        changed["a"] = .int64(2)
        let second = try await bob.saveOne(changed)
        #expect(second.creationDate == first.creationDate)
        #expect(second.creatorUserRecordID == CloudRecordID("alice"))
        #expect(second.lastModifiedUserRecordID == CloudRecordID("bob"))
        let (modified, created) = (try #require(second.modificationDate), try #require(first.modificationDate))
        #expect(modified >= created)
        #expect(second.recordChangeTag != tag)
        let fetched = try await alice.fetchOne("r")
        #expect(fetched == second)
        #expect(fetched.lastModifiedUserRecordID == CloudRecordID("bob"))
        #expect(fetched.modificationDate == second.modificationDate)
        #expect(try await bob.currentUserRecordID() == CloudRecordID("bob"))
    }

    @Test("Fetching gives one result for each ID, in their order, whatever their types")
    func fetchingMany() async throws {
        let store = try SQLiteStore.inMemory()
        var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
        other["x"] = .double(1)
        _ = try await store.modify(CloudModification(saving: [item("a", ["n": .int64(1)]), other, item("b")]))
        let ids = ["b", "missing", "o", "a", "b"].map { CloudRecordID($0) }
        let results = try await store.fetch(ids, desiredFields: nil)
        #expect(results.map { try? $0.get().recordID.recordName } == ["b", nil, "o", "a", "b"])
        #expect(try results[2].get()["x"] == .double(1))
        #expect(try results[3].get()["n"] == .int64(1))
        guard case .failure(let error) = results[1] else { throw CancellationError() }
        #expect(error.code == .unknownItem)
        #expect(error.recordID == CloudRecordID("missing"))
        #expect(try await store.fetch([], desiredFields: nil).isEmpty)
    }

    @Test("Fields that were not asked for are absent")
    func desiredFields() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["n": .int64(1), "t": .string("x"), "z": .list([])]))
        let fetched = try await store.fetchOne("a", fields: ["t", "nobodyKnows", "t"])
        #expect(fetched.state(of: "t") == .value(.string("x")))
        #expect(fetched.state(of: "n") == .absent)
        #expect(fetched.state(of: "nobodyKnows") == .absent)
        let none = try await store.fetchOne("a", fields: [])
        #expect(none.knownFieldNames.isEmpty)
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"), desiredFields: ["z"])
        #expect(try await store.records(query).first?.knownFieldNames == ["z"])
    }
}

@Suite("Absent, null and value")
struct FieldStates {
    @Test("Saving leaves absent fields alone and clears null ones")
    func absentAndNull() async throws {
        let store = try SQLiteStore.inMemory()
        let saved = try await store.saveOne(
            item("a", ["keep": .string("k"), "clear": .string("c"), "change": .string("1")])
        )
        var change = item("a", ["clear": nil, "change": .string("2")])
        change.setTag(of: saved)
        let result = try await store.saveOne(change)
        #expect(result.state(of: "keep") == .absent)
        let fetched = try await store.fetchOne("a")
        #expect(fetched["keep"] == .string("k"))
        #expect(fetched.state(of: "clear") == .null)
        #expect(fetched["change"] == .string("2"))
    }

    @Test("Records of one layout that know different fields don't touch each other's")
    func sameLayoutDifferentFields() async throws {
        let store = try SQLiteStore.inMemory()
        let layout = FieldLayout(recordType: "Item", names: ["a", "b"])
        func record(_ name: String, _ a: FieldState, _ b: FieldState) -> CloudRecord {
            var record = CloudRecord(layout: layout, recordID: CloudRecordID(name))
            record.setState(a, of: "a")
            record.setState(b, of: "b")
            return record
        }
        let full = FieldState.value(.int64(1))
        _ = try await store.modify(CloudModification(saving: (1...4).map { record("r\($0)", full, full) }))
        let two = FieldState.value(.int64(2))
        _ = try await store.modify(
            CloudModification(
                saving: [
                    record("r1", two, .absent), record("r2", .absent, two), record("r3", .null, two),
                    record("r4", .absent, .absent),
                ],
                savePolicy: .allKeys
            )
        )
        let fetched = try await store.fetch((1...4).map { CloudRecordID("r\($0)") }, desiredFields: nil)
        let states = try fetched.map { [try $0.get().state(of: "a"), try $0.get().state(of: "b")] }
        #expect(states == [[two, full], [full, two], [.null, two], [full, full]])
    }

    @Test("A null of a field that nobody knows makes no column, one of a declared type does")
    func nullsOfUnknownFields() async throws {
        let folder = try TestFolder()
        let path = folder.path("nulls.sqlite")
        let store = try SQLiteStore(path: path)
        let layout = FieldLayout(
            recordType: "Item",
            names: ["untyped", "typed", "list"],
            types: [nil, .int64, .list(of: .date)]
        )
        var record = CloudRecord(layout: layout, recordID: CloudRecordID("a"))
        record["untyped"] = nil
        record["typed"] = nil
        record["list"] = .list([])
        try await store.saveOne(record)
        let fields = try PlainSQL.run("SELECT name, kind FROM _fields ORDER BY position", path)
        #expect(fields == [["typed", "INT64"], ["list", "LIST<TIMESTAMP>"]])
        let fetched = try await store.fetchOne("a")
        #expect(fetched.state(of: "untyped") == .absent)
        #expect(fetched.state(of: "typed") == .null)
        #expect(fetched["list"] == .list([]))
    }

    @Test("An empty list is not null, and gets its type with the first element")
    func emptyLists() async throws {
        let store = try SQLiteStore.inMemory()
        let saved = try await store.saveOne(item("a", ["l": .list([])]))
        try await store.saveOne(item("n", ["l": nil]))
        #expect(try await store.fetchOne("a")["l"] == .list([]))
        #expect(try await store.fetchOne("n").state(of: "l") == .null)
        var change = saved
        change["l"] = .list([.int64(1)])
        let second = try await store.saveOne(change)
        #expect(try await store.fetchOne("a")["l"] == .list([.int64(1)]))
        change = second
        change["l"] = .list([.string("x")])
        let refused = try await error { try await store.saveOne(change) }
        #expect(refused.code == .invalidArguments)
        #expect(refused.message.contains("LIST<STRING>") && refused.message.contains("LIST<INT64>"))
        change["l"] = .list([])
        try await store.saveOne(change)
        #expect(try await store.fetchOne("a")["l"] == .list([]))
    }
}
