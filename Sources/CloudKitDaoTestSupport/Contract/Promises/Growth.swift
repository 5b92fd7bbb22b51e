import CloudKitDao
import Testing

extension StoreContract {
    /// Types and fields that appear as they are first used.
    static let growth: [StorePromise] = [
        StorePromise(
            "A field that appears later has no value in the records that were saved before",
            requires: .schemaGrowth
        ) {
            store in
            try await store.save(item("a", ["n": .int64(1)]))
            try await store.save(item("b", ["later": .string("x")]))
            #expect(try await store.fetch("a")["later"] == nil)
            #expect(try await store.names("later == nil") == ["a"])
            #expect(try await store.names("later == 'x'") == ["b"])
        },
        StorePromise(
            "A field keeps the type of its first value; another is refused, naming both",
            requires: .schemaGrowth
        ) { store in
            try await store.save(item("a", ["n": .int64(1), "l": .list([.string("x")])]))
            for (field, value, types) in [
                ("n", CloudValue.string("x"), ["INT64", "STRING"]), ("n", .double(1), ["INT64", "DOUBLE"]),
                ("n", .list([.int64(1)]), ["INT64", "LIST"]), ("l", .list([.int64(1)]), ["STRING", "INT64"]),
            ] {
                let error = try await #require(throws: CloudError.self) {
                    try await store.save(item("b", [field: value]))
                }
                #expect(error.code == .invalidArguments)
                #expect(error.recordID == CloudRecordID("b") && error.field == field)
                #expect(types.allSatisfy { error.message.contains($0) }, "\(error.message)")
            }
            #expect(try await store.names() == ["a"])
        },
        StorePromise("A record that is refused leaves no type and no field behind", requires: .schemaGrowth) { store in
            try await store.save(item("a", ["n": .int64(1)]))
            _ = try await #require(throws: CloudError.self) {
                try await store.save(item("b", ["n": .string("x"), "later": .int64(1)]))
            }
            _ = try await #require(throws: CloudError.self) {
                try await store.save(item("a", ["later": .double(1)]))
            }
            try await store.save(item("c", ["later": .string("x")]))
            #expect(try await store.fetch("c")["later"] == .string("x"))
        },
        StorePromise(
            "An atomic batch that is refused leaves no type and no field behind",
            requires: .atomicBatches,
            .schemaGrowth
        ) {
            (store: any CloudStore) in
            var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            other["n"] = .int64(1)
            let result = try await store.modify(
                CloudModification(saving: [item("a", ["later": .int64(1)]), other, item("_x")], isAtomic: true)
            )
            #expect(
                result.saved.map { $0.error?.code } == [.batchRequestFailed, .batchRequestFailed, .invalidArguments]
            )
            var another = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            another["n"] = .string("x")
            try await store.save([item("a", ["later": .string("x")]), another])
        },
        StorePromise("A null field and an empty list have no type yet") { store in
            try await store.save(item("a", ["n": nil, "l": .list([])]))
            try await store.save(item("b", ["n": .string("x"), "l": .list([.int64(1)])]))
            let (first, second) = (try await store.fetch("a"), try await store.fetch("b"))
            #expect(first["n"] == nil && first["l"] == .list([]))
            #expect(second["n"] == .string("x") && second["l"] == .list([.int64(1)]))
        },
        StorePromise("Fields of one name in different types have types of their own") { store in
            var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            other["n"] = .string("x")
            try await store.save([item("a", ["n": .int64(1)]), other])
            #expect(try await store.fetch("o")["n"] == .string("x"))
        },
    ]
}
