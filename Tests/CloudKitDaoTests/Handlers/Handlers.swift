import CloudKitDao
import Foundation
import Testing

/// Which handler is called, how often and where.
@Suite(.timeLimit(.minutes(30)))
struct Handlers {
    /// A DAO on a store that holds the message m1, which every query finds.
    static func daoWithOneMessage() async throws -> CloudDao {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message("m1"), savePolicy: .allKeys)
        let store = InterceptedStore(
            base,
            onModify: { modification in
                var modification = modification
                modification.savePolicy = .allKeys
                return try await base.modify(modification)
            },
            onPage: { query, cursor, limit in
                try await base.page(CloudQuery(recordType: query.recordType), after: cursor, limit: limit)
            }
        )
        return CloudDao(store: store)
    }

    // MARK: Exactly once, in the right place

    @Test(arguments: HandlerRequest.allCases)
    @MainActor
    func `a request from the main actor completes once, on the main actor`(_ request: HandlerRequest) async throws {
        let dao = try await Self.daoWithOneMessage()
        let calls = await HandlerReport.calls { request.start(on: dao, $0) }
        #expect(calls.completions == [request.summary])
        #expect(calls.errors.isEmpty)
        #expect(calls.map(\.actorName) == ["main"])
    }

    @Test(arguments: HandlerRequest.allCases)
    func `a request from another actor completes once, on that actor`(_ request: HandlerRequest) async throws {
        let dao = try await Self.daoWithOneMessage()
        let calls = await QueueActor(name: "library").run { actor in
            await HandlerReport.calls(isolation: actor) { request.start(on: dao, $0, isolation: actor) }
        }
        #expect(calls.completions == [request.summary])
        #expect(calls.errors.isEmpty)
        #expect(calls.map(\.actorName) == ["library"])
    }

    @Test(arguments: HandlerRequest.allCases)
    func `a request from no actor at all completes once`(_ request: HandlerRequest) async throws {
        let dao = try await Self.daoWithOneMessage()
        let calls = await HandlerReport.calls { request.start(on: dao, $0) }
        #expect(calls.completions == [request.summary])
        #expect(calls.errors.isEmpty)
    }

    // MARK: Errors of the store

    @Test(arguments: HandlerRequest.allCases)
    @MainActor
    func `an error of the store reaches the error handler once, on the main actor`(
        _ request: HandlerRequest
    ) async throws {
        let dao = CloudDao(store: try InterceptedStore.failing(with: CloudError(.networkFailure, "The wire is cut.")))
        let calls = await HandlerReport.calls { request.start(on: dao, $0) }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.message) == ["The wire is cut."])
        #expect(calls.errors.map(\.code) == [.networkFailure])
        #expect(calls.map(\.actorName) == ["main"])
    }

    @Test(arguments: HandlerRequest.allCases)
    func `an error of the store reaches the error handler once, on another actor`(
        _ request: HandlerRequest
    ) async throws {
        let dao = CloudDao(store: try InterceptedStore.failing(with: CloudError(.networkFailure, "The wire is cut.")))
        let calls = await QueueActor(name: "post office").run { actor in
            await HandlerReport.calls(isolation: actor) { request.start(on: dao, $0, isolation: actor) }
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.networkFailure])
        #expect(calls.map(\.actorName) == ["post office"])
    }

    @Test(arguments: HandlerRequest.allCases)
    func `a store that can't be opened reaches the error handler once`(_ request: HandlerRequest) async throws {
        let container = CloudContainer("handlers.\(UUID().uuidString)")
        CloudContainer.configure(
            container,
            storage: .custom { _ in throw CloudError(.badContainer, "The cellar is locked.") }
        )
        let dao = container.database(.public)
        let calls = await HandlerReport.calls { request.start(on: dao, $0) }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.message) == ["The cellar is locked."])
    }

    @Test func `getItem hands over the real error, by which the request can be tried again`() async throws {
        let error = CloudError(.serviceUnavailable, "The store is being painted.", retryAfter: 7)
        let dao = CloudDao(store: try InterceptedStore.failing(with: error))
        let calls = await HandlerReport.calls { HandlerRequest.getItem.start(on: dao, $0) }
        #expect(calls.errors.map(\.code) == [.serviceUnavailable])
        #expect(CloudDao.handleCloudKitErrorAs(calls.errors.first) == .retry(afterSeconds: 7))
    }

    // MARK: Things that are missing

    @Test func `fetching a missing record calls the error handler with unknownItem`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let calls = await HandlerReport.calls { HandlerRequest.getItem.start(on: dao, $0) }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.unknownItem])
        #expect(calls.errors.first?.recordID == CloudRecordID("m1"))
    }

    @Test func `fetching several records of which one is missing is one partial failure`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message.numbered(1...2))
        let calls = await HandlerReport.calls { handlers in
            dao.getItems(
                ["m002", "lost", "m001"],
                completionHandler: { (messages: [Message]) in handlers.completed(messages.names) },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.partialFailure])
        let errors = try #require(calls.errors.first?.partialErrors)
        #expect(errors.mapValues(\.code) == [CloudRecordID("lost"): .unknownItem])
    }

    @Test func `the other form hands over what was found, in the order of the names, with the errors`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message.numbered(1...3))
        let calls = await HandlerReport.calls { handlers in
            dao.getItems(
                ["m003", "lost", "m001"],
                completionHandler: { (messages: [Message], errors) in
                    handlers.completed("\(messages.names) without \(errors.keys.map(\.recordName))")
                },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == [#"m003,m001 without ["lost"]"#])
        #expect(calls.errors.isEmpty)
    }

    // MARK: Objects and records that can't be mapped

    @Test func `saving an object that can't be mapped calls the error handler`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let calls = await HandlerReport.calls { handlers in
            dao.saveItem(
                Unmappable(),
                completionHandler: { handlers.completed($0.recordType) },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.mappingFailed])
        #expect(calls.errors.first?.field == "closure")
    }

    @Test func `saving several objects of which one can't be mapped is one partial failure`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let calls = await HandlerReport.calls { handlers in
            let unmappable = Unmappable()
            unmappable.recordID = CloudRecordID("odd")
            dao.saveItems(
                [Message("m1"), unmappable],
                completionHandler: { handlers.completed("\($0.count)") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.partialFailure])
        #expect(calls.errors.first?.partialErrors.mapValues(\.code) == [CloudRecordID("odd"): .mappingFailed])
        #expect(try await dao.fetch(Message.self, "m1") != nil)
    }

    @Test func `fetching a record as another class calls the error handler`() async throws {
        let dao = try await Self.daoWithOneMessage()
        let calls = await HandlerReport.calls { handlers in
            dao.getItem(
                "m1",
                completionHandler: { (signal: Signal) in handlers.completed("\(signal)") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.mappingFailed])
        #expect(calls.errors.first?.recordID == CloudRecordID("m1"))
    }

    @Test(arguments: [false, true])
    func `fetching or querying a class that can't be mapped calls the error handler`(isQuery: Bool) async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let calls = await HandlerReport.calls { handlers in
            if isQuery {
                dao.query(
                    Unmappable(),
                    completionHandler: { results in handlers.completed("\(results.count)") },
                    errorHandler: { handlers.failed($0) }
                )
            } else {
                dao.getItems(
                    ["m1"],
                    completionHandler: { (objects: [Unmappable], _) in handlers.completed("\(objects.count)") },
                    errorHandler: { handlers.failed($0) }
                )
            }
        }
        #expect(calls.completions.isEmpty)
        #expect(calls.errors.map(\.code) == [.mappingFailed])
    }

    @Test @MainActor func `an object is mapped before the method returns`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let message = Message("m1", text: "as it was")
        let calls = await HandlerReport.calls { handlers in
            dao.saveItem(
                message,
                completionHandler: { handlers.completed($0["text"]?.stringValue ?? "nothing") },
                errorHandler: { handlers.failed($0) }
            )
            message.text = "changed meanwhile"
        }
        #expect(calls.completions == ["as it was"])
        #expect(message.text == "changed meanwhile")
        #expect(message.recordChangeTag != nil)
    }

    // MARK: Handlers that were left out

    @Test(arguments: [false, true])
    func `a request without an error handler ends all the same`(fails: Bool) async throws {
        let dao =
            fails
            ? CloudDao(store: try InterceptedStore.failing(with: .cancelled))
            : CloudDao(store: try SQLiteStore.inMemory())
        let calls = await HandlerReport.calls { handlers in
            dao.saveItem(Message("m1"), completionHandler: { handlers.completed($0.recordID.recordName) })
        }
        #expect(calls.completions == (fails ? [] : ["m1"]))
    }
}
