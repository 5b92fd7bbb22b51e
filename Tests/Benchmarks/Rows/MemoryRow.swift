import CloudKitDao
import Foundation

extension BenchmarkRow {
    /// By how many megabytes a process grows while it pages through the large store, from the tenth page on to its
    /// largest size. Each round is a process of its own. Mapped parts of the file, which the system may drop, are told
    /// beside it.
    static let memory = BenchmarkRow("memory.page1M") { workspace in
        let path = try await workspace.longStorePath()
        let resultPath = workspace.folder.appending(path: "paging").path
        var rounds: [PagingMemory] = []
        for _ in 0..<Contest.rounds {
            try ChildWork.paging(store: path, result: resultPath).start()
            rounds.append(try PagingMemory.read(from: resultPath))
        }
        guard rounds.allSatisfy({ $0.objects == workspace.longCount }) else { throw UsageError("objects are missing") }
        func outcome(_ name: String, _ bytes: (PagingMemory) -> Int) -> Outcome {
            let megabytes = rounds.map { Double(bytes($0)) / 1_048_576 }
            return Outcome(
                name: name,
                ratio: median(megabytes),
                ratios: megabytes,
                nanoseconds: median(rounds.map(\.nanoseconds)) / Double(workspace.longCount),
                floorNanoseconds: nil,
                rounds: Contest.rounds,
                unit: "MB"
            )
        }
        return [
            outcome("memory.page1M") { $0.anonymousGrowth },
            outcome("memory.page1M: with mapped file") { $0.residentGrowth },
        ]
    }
}

/// What a process that paged through a store grew by.
struct PagingMemory: Codable {
    var anonymousGrowth = 0
    var residentGrowth = 0
    var nanoseconds = 0.0
    var objects = 0

    static func measure(_ path: String) async throws -> PagingMemory {
        let store = try SQLiteStore(path: path)
        let dao = CloudDao(store: store)
        var result = PagingMemory()
        var start: MemoryUse?
        var pages = 0
        let clock = ContinuousClock()
        let begin = clock.now
        for try await batch in dao.batches(of: Reading.self, batchSize: BenchmarkRow.pageSize) {
            result.objects += batch.count
            pages += 1
            guard pages == 10 || pages % 50 == 0 else { continue }
            guard let current = MemoryUse.current else { throw UsageError("the system does not tell the memory") }
            let first = start ?? current
            start = first
            result.anonymousGrowth = max(result.anonymousGrowth, current.anonymous - first.anonymous)
            result.residentGrowth = max(result.residentGrowth, current.resident - first.resident)
        }
        result.nanoseconds = (clock.now - begin).nanoseconds
        await store.close()
        return result
    }

    func write(to path: String) throws {
        try JSONEncoder().encode(self).write(to: URL(filePath: path))
    }

    static func read(from path: String) throws -> PagingMemory {
        try JSONDecoder().decode(PagingMemory.self, from: Data(contentsOf: URL(filePath: path)))
    }
}
