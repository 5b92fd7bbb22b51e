import CloudKitDao
import Testing

extension StoreContract {
    /// What a fetch by ID returns.
    static let fetching: [StorePromise] = [
        StorePromise("A fetch has one result for each ID, in their order, also for one that is asked for twice") {
            store in
            let saved = try await store.save([item("a", ["n": .int64(1)]), item("b", ["n": .int64(2)])])
            let results = try await store.fetch(
                ["b", "nobody", "a", "b"].map { CloudRecordID($0) },
                desiredFields: nil
            )
            #expect(results.map { $0.error?.code } == [nil, .unknownItem, nil, nil])
            let expected = [saved[1], saved[0], saved[1]]
            #expect(zip(results.compactMap { try? $0.get() }, expected).allSatisfy { $0.isSame(as: $1) })
        },
        StorePromise("A missing record is an unknown item that is named") { store in
            let missing = CloudRecordID("nobody")
            let error = try #require(try await store.fetch([missing], desiredFields: nil).first?.error)
            #expect(error.code == .unknownItem)
            #expect(error.recordID == missing)
            #expect(error.message.contains("nobody"))
        },
        StorePromise("A fetch of no ID has no result") { store in
            let results = try await store.fetch([], desiredFields: nil)
            #expect(results.isEmpty)
        },
        StorePromise("Records of any types are fetched together") { store in
            var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            other["when"] = .string("now")
            let saved = try await store.save([item("a", ["n": .int64(1)]), other, item("b", ["t": .string("x")])])
            let results = try await store.fetch(saved.map(\.recordID), desiredFields: nil)
            #expect(results.count == saved.count)
            for (result, record) in zip(results, saved) { #expect(try result.get().isSame(as: record)) }
        },
        StorePromise("Thousands of records are fetched at once") { store in
            let names = (0..<2_500).map { "n\($0)" }
            let batchSize = store.capabilities.maximumBatchSize ?? names.count
            for start in stride(from: 0, to: names.count, by: batchSize) {
                try await store.save(names[start..<min(start + batchSize, names.count)].map { item($0) })
            }
            let results = try await store.fetch(names.reversed().map { CloudRecordID($0) }, desiredFields: nil)
            #expect(results.map { try? $0.get().recordID.recordName } == names.reversed())
        },
        StorePromise("Only the desired fields are fetched; the others are absent") { store in
            let saved = try await store.save(item("a", ["n": .int64(1), "t": .string("x"), "d": nil]))
            let some = try await fetch("a", ["t"], from: store)
            #expect(some["t"] == .string("x"))
            #expect(some.state(of: "n") == .absent && some.state(of: "d") == .absent)
            #expect(some.recordChangeTag == saved.recordChangeTag && some.creationDate == saved.creationDate)
            let none = try await fetch("a", [], from: store)
            #expect(none.knownFieldNames.isEmpty)
            #expect(none.recordChangeTag == saved.recordChangeTag)
        },
        StorePromise("A record that was fetched in part is saved without harm to the rest") { store in
            try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            for policy in [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
                let part = try await fetch("a", ["t"], from: store)
                try await store.save(part.setting("t", to: .string(policy.rawValue)), policy)
                let whole = try await store.fetch("a")
                #expect(whole["n"] == .int64(1) && whole["t"] == .string(policy.rawValue))
            }
        },
    ]

    private static func fetch(
        _ name: String,
        _ fields: [String],
        from store: any CloudStore
    ) async throws -> CloudRecord {
        try #require(try await store.fetch([CloudRecordID(name)], desiredFields: fields).first).get()
    }
}
