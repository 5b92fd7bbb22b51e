import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

extension SchemaEvolution {
    @Suite("Schema evolution: reading and extending")
    struct Extending {
        private func schema(_ fields: [String: CloudFieldType], _ indexes: Set<CloudIndex> = []) -> CloudSchema {
            CloudSchema(recordTypes: [CloudRecordType(name: "Item", fields: fields, indexes: indexes)])
        }

        private let allTypes: [String: CloudFieldType] = [
            "s": .string, "i": .int64, "d": .double, "t": .date, "b": .bytes, "p": .location, "r": .reference,
            "a": .asset, "l": .list(of: .string), "u": .list(of: nil), "I": .string,
        ]

        @Test("A schema reads as what was saved, and what was made of it")
        func reading() async throws {
            let store = try SQLiteStore.inMemory()
            #expect(try await store.schema() == CloudSchema())
            try await store.saveOne(item("a", ["n": .int64(1), "l": .list([.string("x")])]))
            #expect(try await store.schema() == schema(["n": .int64, "l": .list(of: .string)]))
            let made = try SQLiteStore.inMemory()
            try await made.extendSchema(schema(allTypes))
            #expect(try await made.schema() == schema(allTypes))
            try await made.saveOne(item("a", ["s": .string("x"), "I": .string("y"), "i": .int64(1)]))
            #expect(try await made.schema() == schema(allTypes))
            #expect(try await made.matches(.compare(field: "I", .equal, .string("y"))) == ["a"])
        }

        @Test("Extending again changes nothing, not even the generation")
        func idempotent() async throws {
            let folder = try TestFolder()
            let path = folder.path("again.sqlite")
            let store = try SQLiteStore(path: path)
            let wanted = schema(allTypes, [.words, .queryable("s", sortedBy: "creationDate"), .queryable("p")])
            try await store.extendSchema(wanted)
            try await store.deploySchema()
            let before = try PlainSQL.run("SELECT * FROM _meta; SELECT * FROM sqlite_master", path)
            try await store.extendSchema(wanted)
            try await store.extendSchema(schema(["u": .list(of: nil), "l": .list(of: nil)]))
            try await store.extendSchema(CloudSchema())
            try await store.deploySchema()
            #expect(try PlainSQL.run("SELECT * FROM _meta; SELECT * FROM sqlite_master", path) == before)
        }

        @Test("A conflict of types names both, and nothing is made")
        func conflict() async throws {
            let store = try SQLiteStore.inMemory()
            try await store.extendSchema(schema(["n": .int64, "l": .list(of: .string)]))
            let before = try await store.schema()
            for (name, type) in [("n", CloudFieldType.string), ("n", .list(of: .int64)), ("l", .list(of: .int64))] {
                let other = CloudRecordType(name: "Another", fields: ["x": .string])
                let wanted = CloudRecordType(name: "Item", fields: [name: type, "fresh": .int64])
                let refused = try await error {
                    try await store.extendSchema(CloudSchema(recordTypes: [other, wanted]))
                }
                #expect(refused.code == .invalidArguments)
                #expect(refused.field == name)
                let old = before["Item"]?.fields[name]?.description ?? ""
                for word in ["Item", type.description, old] { #expect(refused.message.contains(word)) }
            }
            #expect(try await store.schema() == before)
        }

        @Test(
            "What can't be a schema is refused by name",
            arguments: [
                CloudRecordType(name: "9a"), CloudRecordType(name: ""),
                CloudRecordType(name: "Item", fields: ["a-b": .string]),
                CloudRecordType(name: "Item", fields: ["creationDate": .date]),
                CloudRecordType(name: "Item", fields: ["n": .list(of: .list(of: .int64))]),
                CloudRecordType(name: "Item", indexes: [.queryable("missing")]),
                CloudRecordType(name: "Item", indexes: [.ordered(equal: [], sorted: [])]),
                CloudRecordType(name: "Item", indexes: [.queryable("recordChangeTag")]),
                CloudRecordType(name: "Item", fields: ["l": .list(of: .string)], indexes: [.queryable("l")]),
                CloudRecordType(name: "Item", fields: ["a": .asset], indexes: [.queryable("a")]),
            ]
        )
        func refused(recordType: CloudRecordType) async throws {
            let store = try SQLiteStore.inMemory()
            let refused = try await error { try await store.extendSchema(CloudSchema(recordTypes: [recordType])) }
            #expect(refused.code == .invalidArguments)
            #expect(!refused.remedy.isEmpty)
            #expect(try await store.schema() == CloudSchema())
        }

        @Test("Indexes read as they were declared, also those on system fields and places")
        func indexes() async throws {
            let store = try SQLiteStore.inMemory()
            let indexes: Set<CloudIndex> = [
                .words, .queryable("s"), .queryable("s", sortedBy: "creationDate", isAscending: false),
                .queryable("i", "r", sortedBy: "t"), .queryable("p"), .queryable("recordID"),
                .queryable("creatorUserRecordID", sortedBy: "modificationDate"),
                .ordered(equal: [], sorted: [.init("I"), .init("i", isAscending: false)]),
                .ordered(equal: ["i"], sorted: [.init("d"), .init("recordID", isAscending: false)]),
                .queryable("p", sortedBy: "i"),
            ]
            try await store.extendSchema(schema(allTypes, indexes))
            #expect(try await store.schema()["Item"]?.indexes == indexes)
            #expect(try await store.schema()["Item"]?.fields == allTypes)
        }

        @Test("Indexes that queries made are among the schema's, and give another store the same ones")
        func indexesOfQueries() async throws {
            let store = try SQLiteStore.inMemory()
            try await store.saveOne(
                item("a", ["n": .int64(1), "t": .string("x"), "p": .location(.init(latitude: 1, longitude: 2))])
            )
            _ = try await store.names(CloudQuery(recordType: "Item"))
            let equal = CloudPredicate(.compare(field: "n", .equal, .int64(1)))
            _ = try await store.names(CloudQuery(recordType: "Item", predicate: equal, orderBy: .descending("t")))
            let place = CloudLocation(latitude: 1, longitude: 2)
            _ = try await store.matches(.near(field: "p", place, metres: 100))
            _ = try await store.matches(.tokens("x"))
            let indexes = try #require(try await store.schema()["Item"]?.indexes)
            #expect(
                indexes.isSuperset(of: [
                    .queryable("creationDate"), .queryable("n", sortedBy: "t"), .queryable("p"), .words,
                ])
            )
            let copy = try SQLiteStore.inMemory()
            try await copy.extendSchema(try await store.schema())
            #expect(try await copy.schema() == (try await store.schema()))
        }

        @Test("A declared index serves the queries that it is for: they make no other one")
        func declaredServes() async throws {
            let folder = try TestFolder()
            let path = folder.path("declared.sqlite")
            let store = try SQLiteStore(path: path)
            let indexes: Set<CloudIndex> = [
                .queryable("n", sortedBy: "creationDate"), .queryable("t"), .queryable("p"), .queryable("creationDate"),
                .queryable("recordID"),
            ]
            try await store.extendSchema(schema(["n": .int64, "t": .string, "p": .location], indexes))
            try await store.saveOne(item("a", ["n": .int64(1), "t": .string("x")]))
            let range = CloudPredicate(.compare(field: "t", .greater, .string("a")))
            let equal = CloudPredicate(.compare(field: "n", .equal, .int64(1)))
            let near = CloudPredicate(.near(field: "p", .init(latitude: 1, longitude: 2), metres: 100))
            for order in [OrderBy.ascending("creationDate"), .descending("creationDate")] {
                for predicate in [range, equal, near] {
                    _ = try await store.names(CloudQuery(recordType: "Item", predicate: predicate, orderBy: order))
                }
            }
            #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: .descending("t"))) == ["a"])
            #expect(try PlainSQL.run("SELECT name FROM _indexes", path).count == indexes.count)
        }

        @Test("What one store adds, another one on the file sees at once")
        func twoStores() async throws {
            let folder = try TestFolder()
            let first = try SQLiteStore(path: folder.path("two.sqlite"))
            let second = try SQLiteStore(path: folder.path("two.sqlite"))
            try await first.extendSchema(schema(["n": .int64]))
            #expect(try await second.schema() == schema(["n": .int64]))
            try await second.saveOne(item("a", ["n": .int64(1), "m": .string("x")]))
            #expect(try await first.schema() == schema(["n": .int64, "m": .string]))
            let refused = try await error { try await first.extendSchema(schema(["m": .int64])) }
            #expect(refused.message.contains("STRING") && refused.message.contains("INT64"))
            try await first.saveOne(item("b", ["m": .string("y")]))
            #expect(try await second.matches(.compare(field: "m", .equal, .string("y"))) == ["b"])
        }
    }
}
