import CloudKitDao
import Foundation

/// Reading on the embedded store against the bare table: both files have an index on the date of creation and one on
/// the category, and the system has them in memory.
extension BenchmarkRow {
    static let reading = [
        BenchmarkRow(contest: "sqlite.fetchAll", fetchAll),
        BenchmarkRow(contest: "sqlite.filter", filter),
        BenchmarkRow(contest: "sqlite.fetchMany", fetchMany),
        BenchmarkRow(contest: "sqlite.fetchOne", fetchOne),
        BenchmarkRow(contest: "sqlite.tokens", tokens),
    ]

    private static let queries = 20

    /// A query for all objects, which come newest first. The floor is a walk through the table in its own order, which
    /// is the fastest there is; beside it the walk in our order.
    private static func fetchAll(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        let database = try FloorDatabase(path: await workspace.floorPath(), role: .reader)
        let count = workspace.objectCount
        return Contest(
            name: "sqlite.fetchAll",
            ours: Contender("query") {
                try await timeRead(count) { try await dao.query(Reading.self) }
            },
            floor: Contender("walk") { try timeRead(count) { try database.fetchAll(.all) } },
            others: [
                Contender("by hand, newest first") { try timeRead(count) { try database.fetchAll(.newestOfAll) } }
            ]
        )
    }

    /// Twenty queries for one of a hundred categories each. The floor's rows come as the index gives them.
    private static func filter(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        let database = try FloorDatabase(path: await workspace.floorPath(), role: .reader)
        let categories = (0..<queries).map { "category \(padded($0 * 5, 3))" }
        let count = queries * workspace.objectCount / 100
        return Contest(
            name: "sqlite.filter",
            ours: Contender("query") {
                try await timeRead(count) {
                    var results: [Reading] = []
                    for category in categories {
                        results += try await dao.query(Reading.self, where: \.category == category)
                    }
                    return results
                }
            },
            floor: Contender("by the index") {
                try timeRead(count) { try categories.flatMap { try database.fetchAll(.category, $0) } }
            }
        )
    }

    /// Random IDs in one call; on the floor one read transaction.
    private static func fetchMany(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        let database = try FloorDatabase(path: await workspace.floorPath(), role: .reader)
        let names = sampled(workspace.objectCount / 10, of: workspace.objectCount).map(Reading.recordName)
        let ids = names.map { CloudRecordID($0) }
        return Contest(
            name: "sqlite.fetchMany",
            ours: Contender("fetch") {
                try await timeRead(ids.count) { try await dao.fetch(Reading.self, ids).map { try $0.get() } }
            },
            floor: Contender("by primary key") {
                try timeRead(names.count) { try database.fetch(names).compactMap { $0 } }
            }
        )
    }

    /// Random IDs one by one, each awaited; on the floor a loop on this thread, without a transaction around it.
    private static func fetchOne(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        let database = try FloorDatabase(path: await workspace.floorPath(), role: .reader)
        let names = sampled(workspace.objectCount / 20, of: workspace.objectCount).map(Reading.recordName)
        let ids = names.map { CloudRecordID($0) }
        return Contest(
            name: "sqlite.fetchOne",
            ours: Contender("fetch") {
                try await timeRead(ids.count) {
                    var results: [Reading] = []
                    for id in ids {
                        if let reading = try await dao.fetch(Reading.self, id) { results.append(reading) }
                    }
                    return results
                }
            },
            floor: Contender("by primary key") {
                try timeRead(names.count) { try names.compactMap { try database.fetch($0) } }
            },
            others: [
                Contender("from the main actor") {
                    try await fetchOnMainActor(ids, dao)
                }
            ]
        )
    }

    @MainActor
    private static func fetchOnMainActor(_ ids: [CloudRecordID], _ dao: CloudDao) async throws -> Double {
        try await timeRead(ids.count) {
            var results: [Reading] = []
            for id in ids {
                if let reading = try await dao.fetch(Reading.self, id) { results.append(reading) }
            }
            return results
        }
    }

    /// Twenty searches for a word that five objects in a thousand have. The floor's rows come as the index of words
    /// gives them, ours newest first.
    private static func tokens(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.tokenStorePath()))
        let database = try FloorDatabase(path: await workspace.tokenFloorPath(), role: .reader)
        let words = (0..<queries).map { Vocabulary.word($0 * 79) }
        let count = try words.map { try database.fetchAll(.tokens, $0).count }.reduce(0, +)
        return Contest(
            name: "sqlite.tokens",
            ours: Contender("query") {
                try await timeRead(count) {
                    var results: [Reading] = []
                    for word in words { results += try await dao.query(Reading.self, tokens: word) }
                    return results
                }
            },
            floor: Contender("by the words") {
                try timeRead(count) { try words.flatMap { try database.fetchAll(.tokens, $0) } }
            }
        )
    }

    /// The time for each object, when as many as expected were read.
    private static func timeRead<Object>(_ count: Int, _ read: () throws -> [Object]) throws -> Double {
        var found = 0
        let time = try nanoseconds(per: count) {
            let objects = try read()
            found = objects.count
            return objects
        }
        guard found == count else { throw UsageError("\(found) of \(count) objects were read") }
        return time
    }

    private static func timeRead<Object>(_ count: Int, _ read: () async throws -> [Object]) async throws -> Double {
        var found = 0
        let time = try await nanoseconds(per: count) {
            let objects = try await read()
            found = objects.count
            return objects
        }
        guard found == count else { throw UsageError("\(found) of \(count) objects were read") }
        return time
    }
}
