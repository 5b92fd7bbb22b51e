import CloudKitDao
import Foundation

/// Reading everything a page at a time, newest first.
extension BenchmarkRow {
    static let paging = [
        BenchmarkRow(contest: "sqlite.pageAll", pageAll),
        BenchmarkRow("sqlite.pageDepth", pageDepth),
    ]

    static let pageSize = 200

    /// All batches; each is dropped when the next one is asked for. The floor is a keyset on the indexed date of
    /// creation, which no two of its rows share.
    private static func pageAll(_ workspace: Workspace) async throws -> Contest {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        let database = try FloorDatabase(path: await workspace.floorPath(), role: .reader)
        let count = workspace.objectCount
        return Contest(
            name: "sqlite.pageAll",
            ours: Contender("batches") {
                let pages = try await pageTimes(dao, expecting: count)
                return pages.reduce(0, +) / Double(count)
            },
            floor: Contender("keyset") {
                try nanoseconds(per: count) {
                    var read = 0
                    var last: FloorReading?
                    while true {
                        let page = try database.page(after: last, limit: pageSize)
                        read += page.count
                        guard page.count == pageSize else { break }
                        last = page.last
                    }
                    guard read == count else { throw UsageError("\(read) of \(count) rows were read") }
                }
            }
        )
    }

    /// A page among the last ten against one among the first ten, in the median of each.
    private static func pageDepth(_ workspace: Workspace) async throws -> [Outcome] {
        let dao = CloudDao(store: try SQLiteStore(path: await workspace.storePath()))
        var first: [Double] = []
        var last: [Double] = []
        for round in 0...Contest.rounds {
            let pages = try await pageTimes(dao, expecting: workspace.objectCount)
            guard round > 0 else { continue }
            first.append(median(Array(pages.prefix(10))))
            last.append(median(Array(pages.suffix(10))))
        }
        return [
            Outcome(
                name: "sqlite.pageDepth",
                ratio: median(last) / median(first),
                ratios: zip(last, first).map { $0 / $1 },
                nanoseconds: median(last),
                floorNanoseconds: median(first),
                rounds: Contest.rounds
            )
        ]
    }

    /// The nanoseconds that each page took.
    private static func pageTimes(_ dao: CloudDao, expecting count: Int) async throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(count / pageSize + 1)
        var read = 0
        var start = ContinuousClock.now
        for try await batch in dao.batches(of: Reading.self, batchSize: pageSize) {
            read += batch.count
            let end = ContinuousClock.now
            times.append((end - start).nanoseconds)
            start = end
        }
        guard read == count else { throw UsageError("\(read) of \(count) objects were read") }
        return times
    }
}
