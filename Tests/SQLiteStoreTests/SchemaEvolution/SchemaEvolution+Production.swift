import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

/// How the schema of a file grows, is read, deployed, locked and brought to a newer format.
enum SchemaEvolution {
    /// Two stores on one file, one in each environment.
    struct Pair {
        let folder: TestFolder
        let development: SQLiteStore
        let production: SQLiteStore

        init() throws {
            folder = try TestFolder()
            development = try SQLiteStore(path: folder.path("pair.sqlite"))
            production = try SQLiteStore(path: folder.path("pair.sqlite"), environment: .production)
        }
    }

    @Suite("Schema evolution: production")
    struct Production {
        @Test("A type or field that is not deployed is refused, naming it, and nothing is made")
        func locked() async throws {
            let pair = try Pair()
            let untyped = try await error { try await pair.production.saveOne(item("a", ["n": .int64(1)])) }
            #expect(untyped.code == .invalidArguments)
            #expect(untyped.message.contains("record type Item is not deployed"))
            #expect(untyped.recordID == CloudRecordID("a"))
            #expect(untyped.remedy.contains("Deploy the schema first"))

            try await pair.development.saveOne(item("a", ["n": .int64(1)]))
            #expect(try await error { try await pair.production.saveOne(item("b")) }.code == .invalidArguments)
            try await pair.development.deploySchema()
            try await pair.production.saveOne(item("b", ["n": .int64(2)]))
            let unknown = try await error {
                try await pair.production.saveOne(item("c", ["n": .int64(2), "extra": .string("x")]))
            }
            #expect(unknown.code == .invalidArguments)
            #expect(unknown.field == "extra")
            #expect(unknown.message.contains("extra") && unknown.message.contains("Item"))

            try await pair.development.saveOne(item("c", ["extra": .string("x")]))
            // It exists now, but was not deployed.
            #expect(
                try await error { try await pair.production.saveOne(item("d", ["extra": .string("y")])) }.field
                    == "extra"
            )
            #expect(try await pair.production.schema()["Item"]?.fields == ["n": .int64])
            #expect(try await pair.development.schema()["Item"]?.fields == ["n": .int64, "extra": .string])
        }

        @Test("One record of a batch with an unknown field does not keep the others from being saved")
        func batch() async throws {
            let store = try SQLiteStore.inMemory(environment: .production)
            try await store.extendSchema(
                CloudSchema(recordTypes: [CloudRecordType(name: "Item", fields: ["n": .int64])])
            )
            let result = try await store.modify(
                CloudModification(saving: [item("a", ["n": .int64(1)]), item("b", ["m": .int64(1)]), item("c")])
            )
            #expect(result.saved.map { (try? $0.get()) != nil } == [true, false, true])
        }

        @Test("Null in an unknown field is refused if its type is declared, whatever was saved before")
        func declaredNull() async throws {
            let store = try SQLiteStore.inMemory(environment: .production)
            try await store.extendSchema(
                CloudSchema(recordTypes: [CloudRecordType(name: "Item", fields: ["n": .int64])])
            )
            let layout = FieldLayout(recordType: "Item", names: ["n", "later", "raw"], types: [.int64, .string, nil])
            func record(_ name: String, _ states: [FieldState]) -> CloudRecord {
                var record = CloudRecord(layout: layout, recordID: CloudRecordID(name))
                for (index, state) in states.enumerated() { record.fields[index] = state }
                return record
            }
            // What is absent or null without a type asks for nothing.
            try await store.saveOne(record("a", [.value(.int64(1)), .absent, .null]))
            let refused = try await error { try await store.saveOne(record("b", [.null, .null, .null])) }
            #expect(refused.field == "later")
            #expect(refused.message.contains("STRING"))
        }

        @Test("A list that was deployed without a type of elements takes no elements")
        func untypedList() async throws {
            let pair = try Pair()
            try await pair.development.saveOne(item("a", ["l": .list([])]))
            try await pair.development.deploySchema()
            try await pair.production.saveOne(item("b", ["l": .list([])]))
            let refused = try await error { try await pair.production.saveOne(item("c", ["l": .list([.int64(1)])])) }
            #expect(refused.field == "l" && refused.message.contains("LIST<INT64>"))
            try await pair.production.extendSchema(
                CloudSchema(recordTypes: [CloudRecordType(name: "Item", fields: ["l": .list(of: .int64)])])
            )
            try await pair.production.saveOne(item("c", ["l": .list([.int64(1)])]))
        }

        @Test("What is not deployed is not seen by queries and fetches, and survives saves")
        func unseen() async throws {
            let pair = try Pair()
            try await pair.development.saveOne(item("a", ["n": .int64(1)]))
            try await pair.development.deploySchema()
            try await pair.development.saveOne(item("b", ["n": .int64(2), "extra": .string("secret words")]))
            try await pair.development.saveOne(CloudRecord(recordType: "Other", recordID: CloudRecordID("o")))

            var fetched = try await pair.production.fetchOne("b")
            #expect(fetched.layout.names == ["n"])
            #expect(try await pair.production.matches(.everything) == ["a", "b"])
            #expect(try await pair.production.matches(.compare(field: "extra", .equal, .string("secret words"))) == [])
            #expect(try await pair.production.names(CloudQuery(recordType: "Other")) == [])
            #expect(try await error { _ = try await pair.production.fetchOne("o") }.code == .unknownItem)
            let changes = try await pair.production.changes(since: nil, in: nil, limit: 10)
            #expect(changes.saved.map(\.recordID.recordName) == ["a", "b"])
            fetched["n"] = .int64(3)
            try await pair.production.saveOne(fetched)
            #expect(try await pair.development.fetchOne("b")["extra"] == .string("secret words"))

            try await pair.development.deploySchema()
            #expect(try await pair.production.fetchOne("b")["extra"] == .string("secret words"))
            #expect(try await pair.production.names(CloudQuery(recordType: "Other")) == ["o"])
        }

        @Test("Queries make no index; a search for words without one is refused with the remedy")
        func noIndexes() async throws {
            let pair = try Pair()
            try await pair.development.saveOne(item("a", ["n": .int64(1), "t": .string("hello")]))
            try await pair.development.deploySchema()
            try await pair.production.saveOne(item("b", ["n": .int64(2), "t": .string("world")]))
            let query = CloudQuery(
                recordType: "Item",
                predicate: CloudPredicate(.compare(field: "n", .greater, .int64(1))),
                orderBy: .ascending("t")
            )
            #expect(try await pair.production.names(query) == ["b"])
            #expect(try await pair.production.schema()["Item"]?.indexes == [])
            let refused = try await error { _ = try await pair.production.matches(.tokens("world")) }
            #expect(refused.code == .invalidArguments)
            #expect(refused.message.contains("Item") && refused.remedy.contains(".words"))
            try await pair.production.extendSchema(
                CloudSchema(recordTypes: [CloudRecordType(name: "Item", indexes: [.words])])
            )
            #expect(try await pair.production.matches(.tokens("world")) == ["b"])
        }

        @Test("Words that were written before their field was deployed are found afterwards")
        func wordsOfHiddenFields() async throws {
            let pair = try Pair()
            try await pair.development.saveOne(item("a", ["t": .string("hello")]))
            #expect(try await pair.development.matches(.tokens("hello")) == ["a"])
            try await pair.development.deploySchema()
            try await pair.development.saveOne(item("b", ["t": .string("one"), "u": .string("hidden")]))
            var record = try await pair.production.fetchOne("b")
            record["t"] = .string("two")
            try await pair.production.saveOne(record)
            try await pair.development.deploySchema()
            #expect(try await pair.production.matches(.tokens("two hidden")) == ["b"])
        }

        @Test("A schema arrives from another file, and deploying again adds what came later")
        func arrives() async throws {
            let development = try SQLiteStore.inMemory()
            let production = try SQLiteStore.inMemory(environment: .production)
            try await development.saveOne(
                item(
                    "a",
                    ["n": .int64(1), "l": .list([.string("x")]), "p": .location(.init(latitude: 1, longitude: 2))]
                )
            )
            _ = try await development.matches(.compare(field: "n", .greater, .int64(0)))
            _ = try await development.matches(.tokens("x"))
            for _ in 1...2 {
                try await production.extendSchema(try await development.schema())
                #expect(try await production.schema() == (try await development.schema()))
            }
            try await production.saveOne(item("b", ["n": .int64(1), "l": .list([.string("y")])]))
            try await development.saveOne(item("b", ["later": .double(1)]))
            try await production.extendSchema(try await development.schema())
            try await production.saveOne(item("c", ["later": .double(1)]))
        }

        @Test("The environment is among what a store can do")
        func capabilities() throws {
            let development = try SQLiteStore.inMemory().capabilities.supported
            let production = try SQLiteStore.inMemory(environment: .production).capabilities.supported
            #expect(development.isSuperset(of: [.schema, .schemaDeployment, .schemaGrowth]))
            #expect(development.subtracting(production) == [.schemaGrowth])
        }
    }
}
