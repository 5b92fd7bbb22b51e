import CloudKitDao
import Synchronization
import Testing

// What becomes of a request that is cancelled.
extension Handlers {
    @Test(arguments: HandlerRequest.allCases)
    @MainActor
    func `cancelling before the start calls the error handler once and touches nothing`(
        _ request: HandlerRequest
    ) async throws {
        let base = try SQLiteStore.inMemory()
        let wasAsked = Mutex(false)
        let dao = CloudDao(
            store: InterceptedStore(
                base,
                onFetch: { _ in
                    wasAsked.withLock { $0 = true }
                    return nil
                },
                onModify: { _ in
                    wasAsked.withLock { $0 = true }
                    return nil
                },
                onPage: { _, _, _ in
                    wasAsked.withLock { $0 = true }
                    return nil
                }
            )
        )
        let calls = await HandlerReport.calls { handlers in
            // The main actor is held until this closure ends, so the request can't have started.
            let operation = request.start(on: dao, handlers)
            operation.cancel()
            #expect(operation.isCancelled)
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.operationCancelled])
        #expect(calls.map(\.actorName) == ["main"])
        #expect(!wasAsked.withLock { $0 })
    }

    @Test(arguments: HandlerRequest.allCases.filter { !HandlerRequest.writes.contains($0) })
    @MainActor
    func `a reader that is cancelled while the store works gets one error, whatever the store answers`(
        _ request: HandlerRequest
    ) async throws {
        let operation = Mutex<CloudOperation?>(nil)
        let message = try Message("m1").toRecord()
        let store = InterceptedStore(
            try SQLiteStore.inMemory(),
            onFetch: { _ in
                operation.withLock { $0 }?.cancel()
                return [.success(message)]
            },
            onPage: { _, _, _ in
                operation.withLock { $0 }?.cancel()
                return CloudPage(records: [message], cursor: nil)
            }
        )
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            let started = request.start(on: dao, handlers)
            operation.withLock { $0 = started }
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.operationCancelled])
    }

    @Test(arguments: HandlerRequest.writes)
    @MainActor
    func `a write that has taken effect when it is cancelled completes`(_ request: HandlerRequest) async throws {
        let operation = Mutex<CloudOperation?>(nil)
        let base = try SQLiteStore.inMemory()
        let store = InterceptedStore(
            base,
            onModify: { modification in
                let result = try await base.modify(modification)
                operation.withLock { $0 }?.cancel()
                return result
            }
        )
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            let started = request.start(on: dao, handlers)
            operation.withLock { $0 = started }
        }
        #expect(calls.completions == [request.summary])
        #expect(calls.errors.isEmpty)
    }

    @Test @MainActor
    func `a query that is cancelled in its handler reads no further page and gets one error`() async throws {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...30))
        let store = InterceptedStore(base)
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            var operation: CloudOperation?
            operation = dao.query(
                Message(),
                batchSize: 10,
                completionHandler: { results, isFinished in
                    handlers.completed("\(results.count) \(isFinished)")
                    if results.count == 20 { operation?.cancel() }
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["10 false", "20 false"])
        #expect(calls.errors.map(\.code) == [.operationCancelled])
        #expect(store.pageCount == 2)
    }

    @Test @MainActor
    func `a query for everything that is cancelled between pages gets one error and no part`() async throws {
        let operation = Mutex<CloudOperation?>(nil)
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...30))
        let store = InterceptedStore(
            base,
            onPage: { query, cursor, _ in
                if cursor != nil { operation.withLock { $0 }?.cancel() }
                return try await base.page(query, after: cursor, limit: 10)
            }
        )
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            let started = HandlerRequest.queryAll.start(on: dao, handlers)
            operation.withLock { $0 = started }
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.operationCancelled])
        #expect(store.pageCount == 2)
    }

    @Test(arguments: HandlerRequest.allCases)
    @MainActor
    func `cancelling after the end does nothing`(_ request: HandlerRequest) async throws {
        let dao = try await Self.daoWithOneMessage()
        var operation: CloudOperation?
        // The list ends when the request has let go of its handlers, though the test still holds the operation.
        let calls = await HandlerReport.calls { operation = request.start(on: dao, $0) }
        operation?.cancel()
        #expect(operation?.isCancelled == true)
        #expect(calls.completions == [request.summary])
        #expect(calls.errors.isEmpty)
    }

    @Test func `asynchronous methods throw a CloudError when their task is cancelled`() async throws {
        let (requests, request) = AsyncStream<Void>.makeStream()
        let base = try SQLiteStore.inMemory()
        let store = InterceptedStore(
            base,
            onPage: { _, _, _ in
                request.finish()
                // A store that does not look for cancellation.
                while !Task.isCancelled { await Task.yield() }
                return CloudPage(records: [], cursor: nil)
            }
        )
        let dao = CloudDao(store: store)
        let query = Task { try await dao.query(Message.self).count }
        for await _ in requests {}
        query.cancel()
        let error = await #expect(throws: CloudError.self) { try await query.value }
        #expect(error?.code == .operationCancelled)
    }
}
