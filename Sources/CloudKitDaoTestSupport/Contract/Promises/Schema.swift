import CloudKitDao
import Testing

extension StoreContract {
    /// The schema, as it is read and extended.
    static let schema: [StorePromise] = [
        StorePromise("The schema has the types and fields of what was saved", requires: .schema) { store in
            #expect(try await store.schema().recordTypes.isEmpty)
            var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            other["place"] = .location(.delft)
            let list = CloudValue.list([.string("x")])
            try await store.save([item("a", ["n": .int64(1), "t": .string("x"), "l": list]), other])
            let schema = try await store.schema()
            #expect(schema.recordTypes.map(\.name) == ["Item", "Other"])
            #expect(schema["Item"]?.fields == ["n": .int64, "t": .string, "l": .list(of: .string)])
            #expect(schema["Other"]?.fields == ["place": .location])
        },
        StorePromise("What was refused is not in the schema", requires: .schema) { store in
            try await store.save(item("a", ["n": .int64(1)]))
            _ = try await store.modify(
                CloudModification(saving: [
                    item("b", ["n": .string("x"), "later": .int64(1)]), item("_x", ["y": .int64(1)]),
                ])
            )
            #expect(try await store.schema()["Item"]?.fields == ["n": .int64])
        },
        StorePromise("Types and fields are made before anything is saved", requires: .schema) { store in
            try await store.extendSchema(wanted)
            let schema = try await store.schema()
            #expect(schema["Item"]?.fields == wanted["Item"]?.fields)
            #expect(schema["Empty"]?.fields == [:])
            try await store.save(item("a", ["n": .int64(1), "f": nil]))
            let error = try await #require(throws: CloudError.self) {
                try await store.save(item("b", ["t": .int64(1)]))
            }
            #expect(error.code == .invalidArguments && error.field == "t")
            #expect(try await store.names("n == 1") == ["a"])
        },
        StorePromise("Extending a schema removes nothing, and may be done again", requires: .schema) { store in
            try await store.save(item("a", ["old": .double(1)]))
            for _ in 0..<2 { try await store.extendSchema(wanted) }
            let fields = try #require(try await store.schema()["Item"]?.fields)
            #expect(fields["old"] == .double && fields["n"] == .int64)
            #expect(try await store.fetch("a")["old"] == .double(1))
        },
        StorePromise("A database can be given the schema of another one", requires: .schema) { store in
            try await store.save(item("a", ["n": .int64(1), "l": .list([.date(.init(timeIntervalSince1970: 0))])]))
            let schema = try await store.schema()
            try await store.extendSchema(schema)
            #expect(try await store.schema() == schema)
        },
        StorePromise("A field that exists with another type is refused by name, and nothing is made", requires: .schema)
        {
            (store: any CloudStore) in
            try await store.save(item("a", ["t": .int64(1)]))
            let before = try await store.schema()
            let error = try await #require(throws: CloudError.self) { try await store.extendSchema(wanted) }
            #expect(error.code == .invalidArguments)
            #expect(error.field == "t")
            #expect(["Item", "t", "INT64", "STRING"].allSatisfy { error.message.contains($0) }, "\(error.message)")
            #expect(try await store.schema() == before)
        },
        StorePromise("A name in a schema that breaks the rules is refused, and nothing is made", requires: .schema) {
            store in
            for type in [
                CloudRecordType(name: "1a"), CloudRecordType(name: "Fine", fields: ["_x": .int64]),
                CloudRecordType(name: "Fine", fields: ["recordID": .string]),
            ] {
                let error = try await #require(throws: CloudError.self) {
                    try await store.extendSchema(CloudSchema(recordTypes: [CloudRecordType(name: "Good"), type]))
                }
                #expect(error.code == .invalidArguments)
            }
            #expect(try await store.schema().recordTypes.isEmpty)
        },
        StorePromise("Indexes can be asked for, and are then in the schema", requires: .schema) { store in
            let indexes: Set<CloudIndex> = [
                .queryable("n"), .queryable("t", sortedBy: "creationDate", isAscending: false),
            ]
            let type = CloudRecordType(name: "Item", fields: ["n": .int64, "t": .string], indexes: indexes)
            try await store.extendSchema(CloudSchema(recordTypes: [type]))
            #expect(try await store.schema()["Item"]?.indexes.isSuperset(of: indexes) == true)
        },
        StorePromise("An index of a field that does not exist is refused by name", requires: .schema) { store in
            let type = CloudRecordType(name: "Item", fields: ["n": .int64], indexes: [.queryable("nobody")])
            let error = try await #require(throws: CloudError.self) {
                try await store.extendSchema(CloudSchema(recordTypes: [type]))
            }
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("nobody"))
            #expect(try await store.schema().recordTypes.isEmpty)
        },
        StorePromise("A schema can be deployed, again too", requires: .schema, .schemaDeployment) { store in
            try await store.save(item("a", ["n": .int64(1)]))
            for _ in 0..<2 { try await store.deploySchema() }
            #expect(try await store.schema()["Item"]?.fields == ["n": .int64])
        },
    ]

    private static let wanted = CloudSchema(recordTypes: [
        CloudRecordType(name: "Item", fields: ["n": .int64, "t": .string, "l": .list(of: .double), "f": .asset]),
        CloudRecordType(name: "Empty"),
    ])
}
