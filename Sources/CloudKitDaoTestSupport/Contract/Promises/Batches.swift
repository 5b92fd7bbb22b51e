import CloudKitDao
import Testing

extension StoreContract {
    /// What becomes of several records that are saved and deleted together.
    static let batches: [StorePromise] = [
        StorePromise("A batch has one result for each record, in its order") { store in
            try await store.save([item("old", ["n": .int64(1)]), item("out"), item("away")])
            let result = try await store.modify(
                CloudModification(
                    saving: [item("z"), item("old", ["n": .int64(2)]), item("_x"), item("a"), item("m")],
                    deleting: [CloudRecordID("out"), CloudRecordID("nobody"), CloudRecordID("away")]
                )
            )
            #expect(
                result.saved.map { $0.error?.code } == [nil, .serverRecordChanged, .invalidArguments, nil, nil]
            )
            #expect(result.saved.map { try? $0.get().recordID.recordName } == ["z", nil, nil, "a", "m"])
            #expect(result.deleted.map { try? $0.get().recordName } == ["out", "nobody", "away"])
        },
        StorePromise("A record that is refused does not keep the others of a batch from being written") { store in
            let old = try await store.save(item("old", ["n": .int64(1)]))
            try await store.save(item("out"))
            let result = try await store.modify(
                CloudModification(
                    saving: [item("a"), item("old", ["n": .int64(2)]), item("b", ["n": .string("text")]), item("c")],
                    deleting: [CloudRecordID("out")]
                )
            )
            #expect(result.saved.map { $0.error?.recordID?.recordName } == [nil, "old", "b", nil])
            #expect(try await store.names() == ["a", "c", "old"])
            #expect(try await store.fetch("old").isSame(as: old))
        },
        StorePromise("The result of a save is what is stored") { store in
            let result = try await store.modify(CloudModification(saving: [item("a", ["n": .int64(1)]), item("b")]))
            #expect(result.saved.count == 2)
            for saved in result.saved {
                let record = try saved.get()
                #expect(try await store.fetch(record.recordID.recordName).isSame(as: record))
            }
        },
        StorePromise("Deleting a record that does not exist succeeds") { store in
            try await store.delete("nobody", "nowhere")
            try await store.save(item("a"))
            try await store.delete("a")
            try await store.delete("a")
        },
        StorePromise("A record name that is against the rules can't be deleted, and the others are") { store in
            try await store.save(item("a"))
            let result = try await store.modify(
                CloudModification(deleting: [CloudRecordID("a"), CloudRecordID("")])
            )
            #expect(result.deleted.map { $0.error?.code } == [nil, .invalidArguments])
            #expect(try await !store.has("a"))
        },
        StorePromise("An empty batch succeeds") { store in
            let result = try await store.modify(CloudModification())
            #expect(result.saved.isEmpty && result.deleted.isEmpty)
        },
        StorePromise("An empty atomic batch succeeds", requires: .atomicBatches) { store in
            let result = try await store.modify(CloudModification(isAtomic: true))
            #expect(result.saved.isEmpty && result.deleted.isEmpty)
        },
        StorePromise("An empty batch writes nothing", requires: .changeLog) { store in
            try await store.save(item("a"))
            let token = try await store.changes(since: nil, in: nil, limit: 100).token
            _ = try await store.modify(CloudModification())
            let changes = try await store.changes(since: token, in: nil, limit: 100)
            #expect(changes.saved.isEmpty && changes.deleted.isEmpty && changes.token == token)
        },
        StorePromise("A record that is in a batch twice is an error that names it, and nothing is written") { store in
            try await store.save(item("old"))
            let twice = CloudRecordID("d")
            for isAtomic in [false, true] where !isAtomic || store.capabilities.supported.contains(.atomicBatches) {
                for batch in [
                    CloudModification(saving: [item("x"), item("d"), item("d")], isAtomic: isAtomic),
                    CloudModification(saving: [item("x"), item("d")], deleting: [twice], isAtomic: isAtomic),
                    CloudModification(deleting: [CloudRecordID("old"), twice, twice], isAtomic: isAtomic),
                ] {
                    let error = try await #require(throws: CloudError.self) { _ = try await store.modify(batch) }
                    #expect(error.code == .invalidArguments)
                    #expect(error.recordID == twice)
                    #expect(error.message.contains("d"))
                }
            }
            #expect(try await store.names() == ["old"])
        },
        StorePromise("Equal names in different zones are different records of a batch", requires: .zones) { store in
            try await store.saveZone(CloudZoneID("notes"))
            let result = try await store.modify(
                CloudModification(
                    saving: [item("a")],
                    deleting: [CloudRecordID("a", zone: CloudZoneID("notes"))]
                )
            )
            #expect(result.saved.map { $0.error?.code } == [nil] && result.deleted.map { $0.error?.code } == [nil])
        },
        StorePromise("An atomic batch is written as a whole", requires: .atomicBatches) { store in
            try await store.save(item("out"))
            let result = try await store.modify(
                CloudModification(saving: [item("a"), item("b")], deleting: [CloudRecordID("out")], isAtomic: true)
            )
            #expect(result.saved.map { $0.error?.code } == [nil, nil])
            #expect(try await store.names() == ["a", "b"])
        },
        StorePromise(
            "An atomic batch with a refused record writes nothing, and the others say why",
            requires: .atomicBatches
        ) { store in
            let old = try await store.save(item("old", ["n": .int64(1)]))
            for culprit in [
                item("old", ["n": .int64(2)]), item("_x"), item("b", ["n": .string("text")]),
                item("c", ["d": .double(.nan)]),
            ] {
                let result = try await store.modify(
                    CloudModification(
                        saving: [item("a"), culprit, item("z")],
                        deleting: [CloudRecordID("old2"), CloudRecordID("nobody")],
                        isAtomic: true
                    )
                )
                let codes = result.saved.map { $0.error?.code }
                try #require(codes.count == 3)
                #expect(codes[0] == .batchRequestFailed && codes[2] == .batchRequestFailed)
                #expect(codes[1] != nil && codes[1] != .batchRequestFailed, "the culprit has its own error")
                #expect(
                    result.saved.map { $0.error?.recordID } == [
                        CloudRecordID("a"), culprit.recordID, CloudRecordID("z"),
                    ]
                )
                #expect(result.deleted.map { $0.error?.code } == [.batchRequestFailed, .batchRequestFailed])
                #expect(try await store.names() == ["old"])
                #expect(try await store.fetch("old").isSame(as: old))
            }
        },
        StorePromise("Every refused record of an atomic batch has its own error", requires: .atomicBatches) { store in
            try await store.save(item("old"))
            let result = try await store.modify(
                CloudModification(saving: [item("old"), item("a"), item("_x")], isAtomic: true)
            )
            #expect(
                result.saved.map { $0.error?.code } == [.serverRecordChanged, .batchRequestFailed, .invalidArguments]
            )
        },
        StorePromise("A batch is as large as the store says, and a larger one is refused as a whole") { store in
            let limit = store.capabilities.maximumBatchSize
            let names = (0..<(limit ?? 2_000)).map { "n\($0 + 10_000)" }
            let result = try await store.modify(CloudModification(saving: names.map { item($0) }))
            #expect(result.saved.map { try? $0.get().recordID.recordName } == names)
            #expect(try await store.names() == names)
            guard limit != nil else { return }
            let error = try await #require(throws: CloudError.self) {
                try await store.modify(
                    CloudModification(saving: [item("more")], deleting: names.map { CloudRecordID($0) })
                )
            }
            #expect(error.code == .limitExceeded)
            #expect(try await store.names() == names)
        },
    ]
}
