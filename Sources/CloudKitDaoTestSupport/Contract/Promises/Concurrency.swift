import CloudKitDao
import Testing

extension StoreContract {
    /// Several tasks at once.
    static let concurrency: [StorePromise] = [
        StorePromise("Of several who change the same version one wins, and the others get the conflict") { store in
            let version = try await store.save(item("a", ["n": .int64(0)]))
            let codes = await withTaskGroup(of: CloudError.Code?.self) { group in
                for number in 1...8 {
                    group.addTask {
                        do {
                            try await store.save(version.setting("n", to: .int64(Int64(number))))
                            return nil
                        } catch {
                            return CloudError(error).code
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.filter { $0 == nil }.count == 1)
            #expect(codes.filter { $0 == .serverRecordChanged }.count == 7)
        },
        StorePromise("Of several who make the same record one wins") { store in
            let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                for number in 1...8 {
                    group.addTask {
                        let batch = CloudModification(saving: [item("a", ["n": .int64(Int64(number))])])
                        return try await store.modify(batch).saved.filter { $0.error == nil }.count
                    }
                }
                return try await group.reduce(0, +)
            }
            #expect(winners == 1)
            #expect(try await store.names() == ["a"])
        },
        StorePromise("A counter that tasks raise through conflict and retry ends at the sum") { store in
            let first = try await store.save(item("a", ["n": .int64(0)]))
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<10 { try await raise(first, in: store) }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.fetch("a")["n"] == .int64(40))
        },
        StorePromise("Batches from many tasks are all kept") { store in
            try await withThrowingTaskGroup { group in
                for task in 0..<8 {
                    group.addTask {
                        for batch in 0..<5 {
                            try await store.save((0..<10).map { item("t\(task)b\(batch)n\($0)") })
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await store.names().count == 400)
        },
    ]

    private static func raise(_ record: CloudRecord, in store: any CloudStore) async throws {
        var record = record
        while true {
            do {
                try await store.save(record.setting("n", to: .int64((record["n"]?.int64Value ?? 0) + 1)))
                return
            } catch let conflict as CloudError where conflict.code == .serverRecordChanged {
                record = try #require(conflict.serverRecord)
            }
        }
    }
}
