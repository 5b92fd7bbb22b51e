import CloudKitDao
import Testing

extension StoreContract {
    /// What becomes of requests whose task is cancelled.
    static let cancellation: [StorePromise] = [
        StorePromise("A save in a task that was cancelled writes nothing and says so") { store in
            let saving = try await code { try await store.save(item("a")) }
            #expect(saving == .operationCancelled)
            #expect(try await !store.has("a"))
        },
        StorePromise("Reading in a task that was cancelled ends at once") { store in
            try await store.save(item("a"))
            let fetching = try await code { try await store.fetch("a") }
            let query = CloudQuery(recordType: "Item")
            let paging = try await code { try await store.page(query, after: nil, limit: 1) }
            #expect(fetching == .operationCancelled && paging == .operationCancelled)
        },
        StorePromise(
            "A batch that is cancelled while it is written is there wholly or not at all",
            requires: .atomicBatches
        ) {
            (store: any CloudStore) in
            let count = store.capabilities.maximumBatchSize ?? 1_000
            for turn in 0..<8 {
                let records = (0..<count).map { item("t\(turn)x\($0)") }
                let task = Task {
                    try await store.modify(CloudModification(saving: records, isAtomic: true))
                }
                // Each turn gives the batch a little longer before it is cancelled.
                for _ in 0..<(turn * 200) { await Task.yield() }
                task.cancel()
                let outcome = await task.result
                let written = try await store.fetch(records.map(\.recordID), desiredFields: [])
                #expect(written.count == count)
                switch outcome {
                case .success:
                    #expect(written.allSatisfy { $0.error == nil })
                case .failure(let error):
                    #expect((error as? CloudError)?.code == .operationCancelled)
                    #expect(written.allSatisfy { $0.error?.code == .unknownItem })
                }
            }
        },
    ]

    /// The code of the error that a request throws in a task that is cancelled before it starts.
    private static func code<Value: Sendable>(
        of request: @escaping @Sendable () async throws -> Value
    ) async throws -> CloudError.Code {
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await request()
        }
        return try await #require(throws: CloudError.self) { try await task.value }.code
    }
}
