import CloudKitDao
import Testing

/// Atomic batches of which some conflicts are resolved to what is stored, and something else fails.
@Suite struct AtomicConflicts {
    private let store: SQLiteStore
    private let dao: CloudDao

    init() throws {
        store = try SQLiteStore.inMemory()
        dao = CloudDao(store: store)
    }

    /// The client's copies of records that somebody else has changed meanwhile.
    private func stale(_ names: String...) async throws -> [Message] {
        let mine = names.map { Message($0, text: "original") }
        try await dao.save(mine)
        let theirs = try await dao.query(Message.self)
        for message in theirs { message.text = "theirs" }
        try await dao.save(theirs)
        for message in mine { message.text = "mine" }
        return mine
    }

    private func check(_ message: Message, isLike tag: String?) {
        #expect(message.text == "mine")
        #expect(message.recordChangeTag == tag)
    }

    @Test func `what was kept fails with the batch, and its object stays as it is`() async throws {
        let mine = try await stale("a", "b")
        let tag = mine[0].recordChangeTag
        let handler = CloudConflictHandler { client, server, _ in
            if client.recordID.recordName == "a" { return server }
            var merged = client
            merged["text"] = .string(String(repeating: "x", count: 2_000_000))
            return merged
        }
        let result = try await dao.modify(
            saving: mine,
            deleting: [],
            atomically: true,
            conflictHandler: handler
        )
        #expect(result.saved.map(\.code) == [.batchRequestFailed, .limitExceeded])
        check(mine[0], isLike: tag)
        #expect(try await dao.fetch(Message.self, "b")?.text == "theirs")
        // It can be tried again.
        try await dao.save(mine, atomically: true, conflictHandler: .serverWins)
        #expect(mine.map(\.text) == ["theirs", "theirs"])
    }

    @Test func `what was kept fails when the batch can't be sent again`() async throws {
        let mine = try await stale("a", "b")
        let tags = mine.map(\.recordChangeTag)
        let base = store
        let failing = PickyStore(
            base,
            onModify: { number, _ in
                if number == 2 { throw CloudError(.networkFailure, "cut") }
                return nil
            }
        )
        let result = try await CloudDao(store: failing).modify(
            saving: mine,
            deleting: [Message("old")],
            atomically: true,
            conflictHandler: CloudConflictHandler { client, server, _ in
                client.recordID.recordName == "a" ? server : client
            }
        )
        #expect(result.saved.map(\.code) == [.batchRequestFailed, .networkFailure])
        #expect(result.deleted.map(\.code) == [.networkFailure])
        for (message, tag) in zip(mine, tags) { check(message, isLike: tag) }
    }
}
