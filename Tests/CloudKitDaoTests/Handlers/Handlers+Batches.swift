import CloudKitDao
import Testing

// How a query hands over what it reads.
extension Handlers {
    private static func dao(holding count: Int) async throws -> CloudDao {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        if count > 0 {
            try await dao.save(Message.numbered(1...count))
        }
        return dao
    }

    @Test(arguments: [
        (0, ["0 true"]),
        (1, ["1 true"]),
        (100, ["100 true"]),
        (101, ["100 false", "101 true"]),
        (300, ["100 false", "200 false", "300 true"]),
        (301, ["100 false", "200 false", "300 false", "301 true"]),
    ])
    func `batches are cumulative and the last one says so`(count: Int, expected: [String]) async throws {
        let dao = try await Self.dao(holding: count)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                orderBy: .ascending("likes"),
                batchSize: 100,
                completionHandler: { results, isFinished in
                    handlers.completed("\(results.count) \(isFinished)")
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == expected)
        #expect(calls.errors.isEmpty)
    }

    @Test func `cumulative batches hold every object once, in the query's order`() async throws {
        let dao = try await Self.dao(holding: 301)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                orderBy: .ascending("likes"),
                batchSize: 100,
                completionHandler: { results, isFinished in
                    if isFinished { handlers.completed(results.names) }
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == [Message.numbered(1...301).names])
    }

    @Test func `the handler with one parameter is called for each batch too`() async throws {
        let dao = try await Self.dao(holding: 250)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                batchSize: 100,
                completionHandler: { results in
                    handlers.completed("\(results.count)")
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["100", "200", "250"])
        #expect(calls.errors.isEmpty)
    }

    @Test func `a handler that returns nothing gets everything at once`() async throws {
        let dao = try await Self.dao(holding: 2_500)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                completionHandler: { results in handlers.completed("\(results.count)") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["2500"])
        #expect(calls.errors.isEmpty)
    }

    @Test(arguments: [1, 2])
    func `a handler that returns false ends the query, and nothing more is read`(wanted: Int) async throws {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...301))
        let store = InterceptedStore(base)
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                batchSize: 100,
                completionHandler: { results, isFinished in
                    handlers.completed("\(results.count)")
                    return results.count < wanted * 100
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == (1...wanted).map { "\($0 * 100)" })
        #expect(calls.errors.isEmpty)
        #expect(store.pageCount == wanted)
    }

    @Test func `what a handler returns after the last batch plays no part`() async throws {
        let dao = try await Self.dao(holding: 5)
        for answer in [false, true] {
            let calls = await HandlerReport.calls { handlers in
                dao.query(
                    Message(),
                    completionHandler: { results, isFinished in
                        handlers.completed("\(results.count) \(isFinished)")
                        return answer
                    },
                    errorHandler: { handlers.failed($0) }
                )
            }
            #expect(calls.completions == ["5 true"])
            #expect(calls.errors.isEmpty)
        }
    }

    @Test func `an error between two pages ends the query with what was read so far`() async throws {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...301))
        let store = InterceptedStore(
            base,
            onPage: { _, cursor, _ in
                if cursor != nil { throw CloudError(.networkFailure, "The wire is cut.") }
                return nil
            }
        )
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                batchSize: 100,
                completionHandler: { results, isFinished in
                    handlers.completed("\(results.count) \(isFinished)")
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["100 false"])
        #expect(calls.errors.map(\.code) == [.networkFailure])
    }

    @Test func `the form that wants everything gets an error instead of a part`() async throws {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...3))
        let store = InterceptedStore(
            base,
            onPage: { query, cursor, _ in
                if cursor != nil { throw CloudError(.networkFailure, "The wire is cut.") }
                return try await base.page(query, after: nil, limit: 2)
            }
        )
        let dao = CloudDao(store: store)
        let calls = await HandlerReport.calls { HandlerRequest.queryAll.start(on: dao, $0) }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.networkFailure])
    }

    // MARK: Wrong queries

    @Test(arguments: [0, -1, Int.min])
    func `a batch size below one reaches the error handler`(batchSize: Int) async throws {
        let dao = try await Self.dao(holding: 1)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                batchSize: batchSize,
                completionHandler: { results in
                    handlers.completed("\(results.count)")
                    return true
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.invalidArguments])
        #expect(calls.errors.first?.remedy.isEmpty == false)
    }

    @Test(arguments: ["likes >", "likes == == 3", "(likes > 3", "", "'text", "likes BETWEEN {1}"])
    func `a literal that is no predicate reaches the error handler`(text: String) async throws {
        let dao = try await Self.dao(holding: 1)
        let predicate = CloudPredicate(stringLiteral: text)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                predicate: predicate,
                completionHandler: { results in handlers.completed("\(results.count)") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.invalidArguments])
    }

    @Test func `a predicate on a field that the class and the store lack reaches the error handler`() async throws {
        let dao = try await Self.dao(holding: 1)
        let calls = await HandlerReport.calls { handlers in
            dao.query(
                Message(),
                predicate: "liekes > 3",
                completionHandler: { results in handlers.completed("\(results.count)") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.invalidArguments])
        #expect(calls.errors.first?.message.contains("liekes") == true)
    }
}
