import CloudKitDao
import CloudKitDaoTestSupport
import Testing

/// Many who count on one record, and meet there all the time.
@Suite struct ConflictCounter {
    private static let taskCount = 16
    private static let incrementsPerTask = 200

    final class Counter: CloudDataObject {
        var count = 0
        var lastTask = ""
    }

    /// Adds what the client added to what the server has.
    private static let adding = CloudConflictHandler { client, server, ancestor in
        var merged = server
        let added = (client["count"]?.int64Value ?? 0) - (ancestor?["count"]?.int64Value ?? 0)
        merged["count"] = .int64((server["count"]?.int64Value ?? 0) + added)
        merged["lastTask"] = client["lastTask"]
        return merged
    }

    private func count(with daos: [CloudDao]) async throws {
        let counter = Counter()
        counter.recordID = CloudRecordID("counter")
        try await daos[0].save(counter)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<Self.taskCount {
                let dao = daos[task % daos.count]
                group.addTask {
                    guard let counter = try await dao.fetch(Counter.self, "counter") else { return }
                    for _ in 0..<Self.incrementsPerTask {
                        counter.count += 1
                        counter.lastTask = "\(task)"
                        try await dao.save(counter, conflictHandler: Self.adding)
                    }
                }
            }
            try await group.waitForAll()
        }
        let total = try await daos[0].fetch(Counter.self, "counter")?.count
        #expect(total == Self.taskCount * Self.incrementsPerTask)
    }

    @Test func `16 tasks that increment one counter through conflicts end at the exact sum`() async throws {
        try await count(with: [CloudDao(store: try SQLiteStore.inMemory())])
    }

    @Test func `so do 16 tasks with several stores on one file`() async throws {
        let folder = try TestFolder()
        let path = folder.path("counter.sqlite")
        try await count(with: (0..<4).map { _ in CloudDao(store: try SQLiteStore(path: path)) })
    }
}
