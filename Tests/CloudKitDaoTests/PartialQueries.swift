import CloudKitDao
import Testing

/// Queries that load some fields only, or some objects only.
@Suite struct PartialQueries {
    let dao: CloudDao

    init() async throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message.numbered(1...25))
    }

    @Test(arguments: [1, 7, 25, 26])
    func `a limit ends the results`(limit: Int) async throws {
        let messages = try await dao.query(Message.self, orderBy: .ascending(\.likes), limit: limit)
        #expect(messages.compactMap(\.likes) == Array(1...min(limit, 25)))
    }

    @Test func `with a limit, handlers hear of the last batch`() async throws {
        let calls = await withCheckedContinuation { (continuation: CheckedContinuation<[[Int]], Never>) in
            var calls: [[Int]] = []
            dao.query(
                Message(),
                orderBy: .ascending("likes"),
                limit: 7,
                batchSize: 3,
                completionHandler: { (messages: [Message], isFinished: Bool) -> Bool in
                    calls.append([messages.count, isFinished ? 1 : 0])
                    if isFinished { continuation.resume(returning: calls) }
                    return true
                },
                errorHandler: { error in Issue.record(error) }
            )
        }
        #expect(calls == [[3, 0], [6, 0], [7, 1]])
    }

    @Test(arguments: [0, -1])
    func `a limit below one is an error`(limit: Int) async {
        let error = await #expect(throws: CloudError.self) { try await dao.query(Message.self, limit: limit) }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `a key path form with handlers finds the same as the asynchronous one`() async throws {
        let names = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            dao.query(
                Message(),
                where: \.likes > 20,
                orderBy: .descending(\.likes),
                completionHandler: { (messages: [Message]) in
                    continuation.resume(returning: messages.map(\.recordID.recordName))
                },
                errorHandler: { error in Issue.record(error) }
            )
        }
        #expect(names == ["m025", "m024", "m023", "m022", "m021"])
    }

    @Test func `only the desired fields are loaded, and saving leaves the others alone`() async throws {
        let full = Message("full", from: "Ann", text: "Hello", likes: 3)
        try await dao.save(full)
        let found = try await dao.query(
            Message.self,
            where: \.from == "Ann",
            desiredKeys: ["text"]
        )
        let partial = try #require(found.first)
        #expect(partial.text == "Hello")
        #expect(partial.from == "")
        #expect(partial.likes == nil)
        partial.text = "Bye"
        try await dao.save(partial)
        let stored = try #require(try await dao.fetch(Message.self, "full"))
        #expect(stored.text == "Bye")
        #expect(stored.from == "Ann")
        #expect(stored.likes == 3)
        // A property that was not loaded but changed is saved.
        partial.from = "Eve"
        try await dao.save(partial)
        #expect(try await dao.fetch(Message.self, "full")?.from == "Eve")
        #expect(try await dao.fetch(Message.self, "full")?.likes == 3)
        // What the object saved itself it knows from then on, and can change back.
        partial.from = ""
        try await dao.save(partial)
        #expect(try await dao.fetch(Message.self, "full")?.from == "")
    }

    @Test func `an unknown desired key is an error that names it`() async {
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Message.self, desiredKeys: ["text", "liekes"])
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.field == "liekes")
    }

    @Test(arguments: [
        "likes == 'three'", "text > 3", "kind BETWEEN {1, 2}", "likes CONTAINS 1", "tags == 'x'", "place == 1",
        "from BEGINSWITH 'a' AND tags BEGINSWITH 'b'",
    ])
    func `a value or operator that a field does not have is an error that names the field`(format: String) async throws
    {
        let predicate = try CloudPredicate(format: format)
        let error = await #expect(throws: CloudError.self) { try await dao.query(Message.self, predicate: predicate) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.field != nil)
        #expect(error?.remedy.isEmpty == false)
    }
}
