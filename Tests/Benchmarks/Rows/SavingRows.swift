import CloudKitDao
import Foundation

/// Saving on the embedded store against the bare table.
extension BenchmarkRow {
    static let saving = [
        BenchmarkRow(contest: "sqlite.insertBatch", insertBatch),
        BenchmarkRow(contest: "sqlite.updateBatch", updateBatch),
        BenchmarkRow(contest: "sqlite.saveOne", saveOne),
    ]

    /// All objects in one call into a new file, without any index but those that each side needs for itself. The floor
    /// is one transaction of insertions into the bare table. The objects have their names beforehand.
    private static func insertBatch(_ workspace: Workspace) async throws -> Contest {
        let count = workspace.objectCount
        let rows = (0..<count).map(FloorReading.init(numbered:))
        return Contest(
            name: "sqlite.insertBatch",
            ours: Contender("save") {
                let objects = Reading.numbered(0..<count)
                return try await withStore(workspace.newPath(), workspace) { dao in
                    try await nanoseconds(per: count) { try await dao.save(objects) }
                }
            },
            floor: Contender("insertions") {
                try withFloor(workspace.newPath(), workspace) { database in
                    try database.makeTable()
                    return try nanoseconds(per: count) { try database.insert(rows) }
                }
            }
        )
    }

    /// A tenth of the objects, spread over the file, in one call: on a new copy of the file each time. Both sides write
    /// all columns and have an index on the date of creation and one on the category. The objects were fetched before.
    private static func updateBatch(_ workspace: Workspace) async throws -> Contest {
        let count = workspace.objectCount / 10
        let numbers = sampled(count, of: workspace.objectCount)
        let names = numbers.map(Reading.recordName)
        let rows = numbers.map(FloorReading.init(numbered:))
        let (storePath, floorPath) = (try await workspace.storePath(), try await workspace.floorPath())
        var round = 0
        return Contest(
            name: "sqlite.updateBatch",
            ours: Contender("save") {
                round += 1
                return try await withStore(workspace.copy(storePath), workspace) { dao in
                    let objects = try await dao.fetch(Reading.self, names.map { CloudRecordID($0) })
                        .map { try $0.get() }
                    for object in objects { object.change(round) }
                    return try await nanoseconds(per: count) { try await dao.save(objects) }
                }
            },
            floor: Contender("updates") {
                round += 1
                return try withFloor(workspace.copy(floorPath), workspace) { database in
                    for row in rows { row.change(round) }
                    return try nanoseconds(per: count) { try database.update(rows) }
                }
            }
        )
    }

    /// One new object after the other, each awaited, into a file that has one; on the floor a loop of insertions without
    /// a transaction, on this thread.
    private static func saveOne(_ workspace: Workspace) async throws -> Contest {
        let count = 2_000
        let rows = (0...count).map(FloorReading.init(numbered:))
        return Contest(
            name: "sqlite.saveOne",
            ours: Contender("save") {
                let objects = Reading.numbered(0..<count + 1)
                return try await withStore(workspace.newPath(), workspace) { dao in
                    try await dao.save(objects[count])
                    return try await nanoseconds(per: count) {
                        for object in objects.prefix(count) { try await dao.save(object) }
                    }
                }
            },
            floor: Contender("insertions") {
                try withFloor(workspace.newPath(), workspace) { database in
                    try database.makeTable()
                    try database.insert([rows[count]])
                    return try nanoseconds(per: count) { try database.insertOneByOne(Array(rows.prefix(count))) }
                }
            }
        )
    }

    /// Opens a store, and removes it afterwards.
    private static func withStore(
        _ path: String,
        _ workspace: Workspace,
        _ body: (CloudDao) async throws -> Double
    ) async throws -> Double {
        let store = try SQLiteStore(path: path)
        let result = try await body(CloudDao(store: store))
        await store.close()
        workspace.remove(path)
        return result
    }

    private static func withFloor(
        _ path: String,
        _ workspace: Workspace,
        _ body: (FloorDatabase) throws -> Double
    ) throws -> Double {
        defer { workspace.remove(path) }
        return try body(try FloorDatabase(path: path, role: .writer))
    }
}

/// Some numbers below a limit in random order, the same in every run.
func sampled(_ count: Int, of limit: Int) -> [Int] {
    var random = RandomNumbers(seed: 1)
    return Array((0..<limit).shuffled(using: &random).prefix(count))
}
