/// A row of the table: how to measure it.
struct BenchmarkRow: Sendable {
    let name: String
    let measure: @Sendable (Workspace) async throws -> [Outcome]

    init(_ name: String, _ measure: @escaping @Sendable (Workspace) async throws -> [Outcome]) {
        self.name = name
        self.measure = measure
    }

    /// A row that is a contest.
    init(contest name: String, _ make: @escaping @Sendable (Workspace) async throws -> Contest) {
        self.init(name) { try await make($0).outcomes() }
    }

    static var all: [BenchmarkRow] {
        mapping + saving + reading + paging + live + [predicate, match, memory, start]
    }

    /// What each row is to reach, as a ratio to the floor; for memory in megabytes.
    static let targets: [String: Double] = [
        "map.toRecord": 1.15, "map.toObject": 1.25,
        "sqlite.insertBatch": 1.7, "sqlite.updateBatch": 1.6, "sqlite.saveOne": 1.6,
        "sqlite.fetchAll": 1.2, "sqlite.pageAll": 1.3, "sqlite.pageDepth": 1.1, "sqlite.filter": 1.25,
        "sqlite.fetchMany": 1.5, "sqlite.fetchOne": 3, "sqlite.tokens": 1.3,
        "predicate.eval": 3, "live.apply": 2, "live.match": 10, "cache.restore": 0.2, "memory.page1M": 24,
        "start.first": 3,
    ]
}
