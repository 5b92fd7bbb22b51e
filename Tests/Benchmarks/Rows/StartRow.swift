import CloudKitDao
import Foundation

extension BenchmarkRow {
    /// A process that opens an existing file, fetches one object by its name and ends. The floor is this same program,
    /// which loads the same libraries, but uses only SQLite's C interface; beside it the program that does nothing.
    static let start = BenchmarkRow(contest: "start.first") { workspace in
        let name = Reading.recordName(workspace.objectCount / 2)
        let store = ChildWork.firstFetch(store: try await workspace.storePath(), recordName: name)
        let database = ChildWork.firstFloorFetch(database: try await workspace.floorPath(), recordName: name)
        let starts = 20
        func contender(_ name: String, _ work: ChildWork) -> Contender {
            Contender(name) {
                median(try (0..<starts).map { _ in try nanoseconds(per: 1) { try work.start() } })
            }
        }
        return Contest(
            name: "start.first",
            ours: contender("fetch", store),
            floor: contender("by primary key", database),
            others: [contender("a process that does nothing", .nothing)]
        )
    }
}
