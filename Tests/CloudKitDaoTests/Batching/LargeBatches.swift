import CloudKitDao
import Testing

/// Batches that are larger than a store takes at once.
@Suite struct LargeBatches {
    private let base: SQLiteStore

    init() throws {
        base = try SQLiteStore.inMemory()
    }

    private func storedCount() async throws -> Int {
        try await CloudDao(store: base).query(Message.self).count
    }

    @Test func `350 saves and 300 deletes in one call go through a store that takes 400`() async throws {
        let old = (1...300).map { Message("old\($0)") }
        try await CloudDao(store: base).save(old)
        let store = PickyStore(base, declaredLimit: 400, actualLimit: 400)
        let new = (1...350).map { Message("new\($0)") }
        let result = try await CloudDao(store: store).modify(saving: new, deleting: old)
        #expect(store.requestSizes == [400, 250])
        #expect(store.modifications.flatMap(\.deleting) == old.map(\.recordID))
        #expect(try result.saved.map { try $0.get().recordID } == new.map(\.recordID))
        #expect(try result.deleted.map { try $0.get() } == old.map(\.recordID))
        #expect(new.allSatisfy { $0.recordChangeTag != nil })
        #expect(old.allSatisfy { $0.recordChangeTag == nil })
        #expect(try await storedCount() == 350)
    }

    @Test func `saving and deleting more items than the server takes at once is split, not given up`() async throws {
        let store = PickyStore(base, actualLimit: 400)
        let dao = CloudDao(store: store)
        let messages = (1...1_000).map { (number: Int) in Message("m\(number)", likes: number) }
        let records = try await dao.save(messages)
        #expect(records.map { $0["likes"] } == (1...1_000).map { .int64($0) })
        #expect(store.requestSizes == [1_000, 500, 250, 250, 500, 250, 250])
        #expect(messages.map(\.recordChangeTag) == records.map(\.recordChangeTag))
        #expect(try await dao.delete(messages.map(\.recordID)) == messages.map(\.recordID))
        #expect(try await storedCount() == 0)
    }

    @Test func `many IDs are fetched in pieces, in their order`() async throws {
        try await CloudDao(store: base).save(Message.numbered(1...9))
        let ids = ["m009", "gone", "m003", "m001", "m003", "m007"].map { CloudRecordID($0) }
        for (declared, actual, sizes) in [(4, 4, [4, 2]), (nil, 2, [6, 3, 2, 1, 3, 2, 1])] as [(Int?, Int, [Int])] {
            let store = PickyStore(base, declaredLimit: declared, actualLimit: actual)
            let results = try await CloudDao(store: store).fetch(Message.self, ids)
            #expect(results.map { (try? $0.get())?.likes } == [9, nil, 3, 1, 3, 7])
            #expect(store.fetches.map(\.count) == sizes)
        }
    }

    @Test func `an empty batch does not reach the store`() async throws {
        let store = PickyStore(base, declaredLimit: 4)
        let dao = CloudDao(store: store)
        #expect(try await dao.save([]).isEmpty)
        #expect(try await dao.save([], atomically: true).isEmpty)
        #expect(try await dao.delete([CloudRecordID]()).isEmpty)
        #expect(try await dao.fetch(Message.self, []).isEmpty)
        let result = try await dao.modify(saving: [], deleting: [])
        #expect(result.saved.isEmpty && result.deleted.isEmpty)
        #expect(store.modifications.isEmpty && store.fetches.isEmpty)
    }

    @Test func `a record twice in one call is refused, also if it would be in two requests`() async throws {
        let store = PickyStore(base, declaredLimit: 2)
        let dao = CloudDao(store: store)
        let messages = ["m1", "m2", "m3", "m1"].map { Message($0) }
        var errors: [CloudError?] = []
        errors.append(await #expect(throws: CloudError.self) { try await dao.save(messages) })
        errors.append(await #expect(throws: CloudError.self) { try await dao.delete(messages) })
        errors.append(await #expect(throws: CloudError.self) { try await dao.delete(messages.map(\.recordID)) })
        errors.append(
            await #expect(throws: CloudError.self) {
                try await dao.modify(saving: Array(messages[0...2]), deleting: [messages[3]])
            }
        )
        for error in errors {
            #expect(error?.code == .invalidArguments)
            #expect(error?.recordID == CloudRecordID("m1"))
            #expect(error?.message.contains("m1") == true)
        }
        #expect(store.modifications.isEmpty)
    }

    @Test func `when a later piece fails, the error says which objects were saved, and they know it`() async throws {
        let store = PickyStore(
            base,
            declaredLimit: 2,
            onModify: { number, _ in
                if number == 2 { throw CloudError(.serviceUnavailable, "down", retryAfter: 3) }
                return nil
            }
        )
        let messages = Message.numbered(1...5)
        let error = try #require(
            await #expect(throws: CloudError.self) { try await CloudDao(store: store).save(messages) }
        )
        #expect(error.code == .partialFailure)
        #expect(Set(error.partialErrors.keys.map(\.recordName)) == ["m003", "m004", "m005"])
        #expect(error.partialErrors.values.allSatisfy { $0.code == .serviceUnavailable && $0.retryAfter == 3 })
        #expect(messages.map { $0.recordChangeTag != nil } == [true, true, false, false, false])
        #expect(CloudDao.handleCloudKitErrorAs(error) == .retry(afterSeconds: 3))
        #expect(store.modifications.count == 2)
        // What the error lists can be saved later.
        try await CloudDao(store: base).save(messages.filter { error.partialErrors[$0.recordID] != nil })
        #expect(try await storedCount() == 5)
    }

    @Test func `an error before anything was written is the error itself`() async throws {
        let store = PickyStore(base, declaredLimit: 2, onModify: { _, _ in throw CloudError(.networkFailure, "cut") })
        let error = await #expect(throws: CloudError.self) {
            try await CloudDao(store: store).save(Message.numbered(1...5))
        }
        #expect(error?.code == .networkFailure)
        #expect(store.modifications.count == 1)
    }

    @Test func `every record's own error is in the partial failure, from whatever piece it comes`() async throws {
        try await CloudDao(store: base).save([Message("m002"), Message("m005")])
        let messages = Message.numbered(1...6)
        messages[2].serial = .max
        messages[3].text = "with\0NUL"
        let store = PickyStore(base, declaredLimit: 2)
        let error = try #require(
            await #expect(throws: CloudError.self) { try await CloudDao(store: store).save(messages) }
        )
        #expect(
            error.partialErrors.mapValues(\.code) == [
                CloudRecordID("m002"): .serverRecordChanged, CloudRecordID("m003"): .invalidArguments,
                CloudRecordID("m004"): .invalidArguments, CloudRecordID("m005"): .serverRecordChanged,
            ]
        )
        #expect(messages.map { $0.recordChangeTag != nil } == [true, false, false, false, false, true])
    }

    @Test func `an atomic batch over the limit is an error that names the limit, and nothing is written`() async throws
    {
        let store = PickyStore(base, declaredLimit: 4)
        let dao = CloudDao(store: store)
        let error = await #expect(throws: CloudError.self) {
            try await dao.save(Message.numbered(1...5), atomically: true)
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.message.contains("at most 4") == true)
        #expect(store.modifications.isEmpty)
        try await dao.save(Message.numbered(1...4), atomically: true)
        #expect(store.requestSizes == [4])
    }

    @Test func `an atomic batch that the store finds too large is not split either`() async throws {
        let store = PickyStore(base, actualLimit: 4)
        let error = await #expect(throws: CloudError.self) {
            try await CloudDao(store: store).save(Message.numbered(1...5), atomically: true)
        }
        #expect(error?.code == .limitExceeded)
        #expect(store.requestSizes == [5])
        #expect(try await storedCount() == 0)
    }

    @Test func `cancelling between pieces leaves the rest unsent, and says so`() async throws {
        let started = Gate()
        let base = base
        let store = PickyStore(
            base,
            declaredLimit: 2,
            onModify: { _, request in
                // The request takes until the task is cancelled, and has its effect all the same.
                let answer = try await base.modify(request)
                started.open()
                await Gate().waitForCancellation()
                return answer
            }
        )
        let task = Task {
            let messages = Message.numbered(1...4)
            let error = try #require(
                await #expect(throws: CloudError.self) { try await CloudDao(store: store).save(messages) }
            )
            #expect(messages.map { $0.recordChangeTag != nil } == [true, true, false, false])
            #expect(
                error.partialErrors.mapValues(\.code)
                    == [CloudRecordID("m003"): .operationCancelled, CloudRecordID("m004"): .operationCancelled]
            )
        }
        await started.wait()
        task.cancel()
        try await task.value
        #expect(store.modifications.count == 1)
        #expect(try await storedCount() == 2)
    }

    @Test @MainActor func `the handler of a call that saves and deletes gets one result for each object`() async throws
    {
        let dao = CloudDao(store: PickyStore(base, declaredLimit: 2))
        let old = [Message("old1"), Message("old2")]
        try await dao.save(old)
        try await dao.save(Message("m2", text: "in the way"))
        let calls = await HandlerReport.calls { handlers in
            dao.modifyItems(
                saving: [Message("m1"), Message("m2"), Message("m3")],
                deleting: old,
                completionHandler: { result in
                    let saved = result.saved.map { (try? $0.get().recordID.recordName) ?? "failed" }
                    let deleted = result.deleted.map { (try? $0.get().recordName) ?? "failed" }
                    handlers.completed((saved + deleted).joined(separator: " "))
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["m1 failed m3 old1 old2"])
        #expect(calls.errors.isEmpty)
    }

    @Test @MainActor func `deleting items hands over the IDs that were deleted, not the saved records`() async throws {
        let dao = CloudDao(store: PickyStore(base, declaredLimit: 1))
        let messages = Message.numbered(1...3)
        try await dao.save(messages)
        let calls = await HandlerReport.calls { handlers in
            dao.deleteItems(
                messages,
                completionHandler: { handlers.completed($0.map(\.recordName).joined(separator: " ")) },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["m001 m002 m003"])
        #expect(calls.errors.isEmpty)
    }
}
