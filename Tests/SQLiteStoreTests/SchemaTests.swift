import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Schema")
struct Schema {
    @Test("Fields and types that differ only in case are kept apart")
    func caseOfNames() async throws {
        let folder = try TestFolder()
        let path = folder.path("case.sqlite")
        var record = CloudRecord(recordType: "Item", recordID: CloudRecordID("a"))
        record["From"] = .string("upper")
        record["from"] = .int64(1)
        record["FROM"] = .location(CloudLocation(latitude: 1, longitude: 2))
        var other = CloudRecord(recordType: "ITEM", recordID: CloudRecordID("b"))
        other["from"] = .double(2)
        do {
            let store = try SQLiteStore(path: path)
            try await store.saveOne(record)
            try await store.saveOne(other)
            await store.close()
        }
        let store = try SQLiteStore(path: path)
        let fetched = try await store.fetchOne("a")
        #expect(fetched["From"] == .string("upper"))
        #expect(fetched["from"] == .int64(1))
        #expect(fetched["FROM"] == record["FROM"])
        #expect(try await store.fetchOne("b")["from"] == .double(2))
        #expect(try await store.names(CloudQuery(recordType: "ITEM")) == ["b"])
        #expect(try await store.matches(.compare(field: "from", .equal, .int64(1))) == ["a"])
    }

    @Test(
        "Names that mean something to SQL are names like others",
        arguments: ["sqlite_master", "select", "json_each", "table", "rowid", "group"]
    )
    func namesOfSQL(name: String) async throws {
        let store = try SQLiteStore.inMemory()
        var record = CloudRecord(recordType: name, recordID: CloudRecordID("a"))
        record["rowid"] = .string("r")
        record["value"] = .int64(1)
        record[name == "rowid" ? "limit" : name] = .list([.string("x")])
        record["oid"] = .int64(2)
        try await store.saveOne(record)
        let fetched = try await store.fetchOne("a")
        #expect(fetched["value"] == .int64(1))
        #expect(fetched["oid"] == .int64(2))
        let predicate = CloudPredicate(.contains(field: name == "rowid" ? "limit" : name, .string("x")))
        let found = try await store.names(
            CloudQuery(recordType: name, predicate: predicate, orderBy: .descending("rowid"))
        )
        #expect(found == ["a"])
    }

    @Test("A value of another type than its field is refused, naming record, field and both types")
    func typeConflict() async throws {
        let store = try SQLiteStore.inMemory()
        let saved = try await store.saveOne(item("a", ["n": .int64(1)]))
        for value in [CloudValue.string("x"), .double(1), .date(Date()), .list([.int64(1)])] {
            let refused = try await error { try await store.saveOne(item("b", ["n": value, "fresh": .int64(1)])) }
            #expect(refused.code == .invalidArguments)
            #expect(refused.field == "n")
            #expect(refused.recordID == CloudRecordID("b"))
            #expect(refused.message.contains("INT64") && refused.message.contains(value.fieldType.description))
            var change = saved
            change["n"] = value
            #expect(try await error { try await store.saveOne(change) }.field == "n")
        }
        #expect(try await store.matches(.everything) == ["a"])
        #expect(try await store.fetchOne("a") == saved)
        // Nothing of the refused records is left: the other field has no type yet.
        try await store.saveOne(item("c", ["fresh": .string("text")]))
    }

    @Test("A record in conflict makes no columns")
    func conflictMakesNoColumns() async throws {
        let folder = try TestFolder()
        let path = folder.path("conflict.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["n": .int64(1)]))
        let conflict = try await error { try await store.saveOne(item("a", ["fresh": .int64(1)])) }
        #expect(conflict.code == .serverRecordChanged)
        #expect(try PlainSQL.run("SELECT name FROM _fields", path) == [["n"]])
    }

    @Test("What another tool wrote into a column is delivered as it is")
    func foreignData() async throws {
        let folder = try TestFolder()
        let path = folder.path("foreign.sqlite")
        let store = try SQLiteStore(path: path)
        let date = Date(timeIntervalSinceReferenceDate: 0)
        for name in ["a", "b"] {
            try await store.saveOne(
                item(
                    name,
                    [
                        "n": .int64(1), "d": .date(date), "x": .double(1), "s": .string("s"), "l": .list([.int64(1)]),
                        "p": .location(CloudLocation(latitude: 1, longitude: 2)), "b": .bytes(Data([1])),
                    ]
                )
            )
        }
        try PlainSQL.run(
            """
            UPDATE Item SET n = 'many', d = '2001-01-02T00:00:00Z', x = 'half', s = x'00ff', l = 'no list', p = '[1]',
            b = 7 WHERE _name = 'a'
            """,
            path
        )
        let fetched = try await store.fetchOne("a")
        #expect(fetched["n"] == .string("many"))
        #expect(fetched["d"] == .date(date + 86_400))
        #expect(fetched["x"] == .string("half"))
        #expect(fetched["s"] == .bytes(Data([0, 255])))
        #expect(fetched["l"] == .string("no list"))
        #expect(fetched["p"] == .string("[1]"))
        #expect(fetched["b"] == .int64(7))
        #expect(try await store.matches(.contains(field: "l", .int64(1))) == ["b"])
        for field in ["n", "d", "x", "s", "b"] {
            for order in [OrderBy.ascending(field), .descending(field)] {
                #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: order), pageSize: 1).count == 2)
            }
        }
    }

    @Test("A store opened again finds everything")
    func reopening() async throws {
        let folder = try TestFolder()
        let path = folder.path("new/folder/again.sqlite")
        let saved: CloudRecord
        do {
            let store = try SQLiteStore(path: path)
            saved = try await store.saveOne(item("a", ["n": .int64(1), "l": .list([.string("x")])]))
            try await store.saveZone(CloudZoneID("z"))
            await store.close()
            #expect(try await error { _ = try await store.fetchOne("a") }.code == .badDatabase)
        }
        let store = try SQLiteStore(path: path)
        #expect(try await store.fetchOne("a") == saved)
        #expect(try await store.zones() == [.default, CloudZoneID("z")])
        var change = saved
        change["n"] = .int64(2)
        let again = try await store.saveOne(change)
        #expect(again.recordChangeTag != saved.recordChangeTag)
    }

    @Test("A second store on the file sees records, and fields that were added meanwhile")
    func secondStore() async throws {
        let folder = try TestFolder()
        let path = folder.path("two.sqlite")
        let first = try SQLiteStore(path: path)
        let second = try SQLiteStore(path: path)
        let saved = try await first.saveOne(item("a", ["n": .int64(1)]))
        #expect(try await second.fetchOne("a") == saved)
        var change = saved
        change["text"] = .string("new field")
        let grown = try await second.saveOne(change)
        #expect(try await first.fetchOne("a") == grown)
        // Both stores add the same field and another type at the same time as the other does.
        try await first.saveOne(item("b", ["both": .int64(1)]))
        try await second.saveOne(item("c", ["both": .int64(2)]))
        let other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
        try await second.saveOne(other)
        #expect(try await first.names(CloudQuery(recordType: "Other")) == ["o"])
        #expect(try await first.matches(.compare(field: "both", .greater, .int64(0))) == ["b", "c"])
        #expect(try await error { try await first.saveOne(item("d", ["both": .string("x")])) }.field == "both")
    }

    @Test("A file of a newer version is refused, and one that is no database")
    func incompatibleFiles() async throws {
        let folder = try TestFolder()
        let path = folder.path("newer.sqlite")
        try await SQLiteStore(path: path).close()
        try PlainSQL.run("UPDATE _meta SET format = 99", path)
        let newer = try await error { _ = try SQLiteStore(path: path) }
        #expect(newer.code == .incompatibleVersion)
        let text = folder.path("text.sqlite")
        try Data(String(repeating: "this is no database ", count: 100).utf8).write(to: URL(filePath: text))
        let wrong = try await error { _ = try SQLiteStore(path: text) }
        #expect(wrong.code == .internalError)
        #expect(wrong.message.contains("text.sqlite"))
        #expect(!wrong.message.contains(folder.url.lastPathComponent))
        let unreachable = try await error { _ = try SQLiteStore(path: text + "/below.sqlite") }
        #expect(unreachable.code == .internalError)
    }
}
