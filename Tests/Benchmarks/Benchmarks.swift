import CloudKitDao
import Foundation

/// Measures saving and paging on the embedded store and predicates in memory, and prints what it measured.
///
/// `--quick` takes a tenth of the objects.
@main
enum Benchmarks {
    static let batchSize = 200

    static func main() async throws {
        let objectCount = CommandLine.arguments.contains("--quick") ? 10_000 : 100_000
        let folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try SQLiteStore(path: folder.appending(path: "readings.sqlite").path)
        let dao = CloudDao(store: store)

        print("\(objectCount) objects of 9 fields, pages of \(batchSize)")
        try await measureSaving(objectCount, with: dao)
        var rounds: [PagingRound] = []
        // The first round warms up and is not counted.
        for round in 0...5 {
            let figures = try await PagingRound.measure(objectCount: objectCount, with: dao)
            if round > 0 { rounds.append(figures) }
        }
        report(rounds, objectCount: objectCount)
        try Evaluation.measure(recordCount: objectCount)
        await store.close()
    }

    private static func measureSaving(_ count: Int, with dao: CloudDao) async throws {
        let clock = ContinuousClock()
        var spent = Duration.zero
        for start in stride(from: 0, to: count, by: 1_000) {
            let objects = (start..<start + 1_000).map(Reading.numbered)
            spent += try await clock.measure { try await dao.save(objects) }
        }
        print("save, 1000 a batch        \(decimal(spent.nanoseconds / Double(count) / 1_000)) µs an object")
    }

    private static func report(_ rounds: [PagingRound], objectCount: Int) {
        let total = median(rounds.map(\.total)) / Double(objectCount) / 1_000
        let first = median(rounds.map(\.firstPages)) / 1_000
        let last = median(rounds.map(\.lastPages)) / 1_000
        print("page through all          \(decimal(total)) µs an object")
        print("first pages (median)      \(decimal(first)) µs a page")
        print("last pages (median)       \(decimal(last)) µs a page")
        print("last / first              \(decimal(median(rounds.map { $0.lastPages / $0.firstPages })))")
        let growth = rounds.compactMap(\.memoryGrowth)
        if growth.isEmpty {
            print("memory growth             not told by this system")
        } else {
            print("memory growth while paging \(decimal(median(growth.map(Double.init)) / 1_048_576)) MB")
        }
    }
}

/// One walk through all pages.
struct PagingRound {
    /// Nanoseconds for all pages.
    let total: Double
    /// Nanoseconds for one of the first ten pages, in the median.
    let firstPages: Double
    /// Nanoseconds for one of the last ten pages, in the median.
    let lastPages: Double
    /// Bytes by which the process grew from the tenth page to the last.
    let memoryGrowth: Int?

    static func measure(objectCount: Int, with dao: CloudDao) async throws -> PagingRound {
        let clock = ContinuousClock()
        var pages: [Double] = []
        pages.reserveCapacity(objectCount / Benchmarks.batchSize)
        var readObjects = 0
        var memoryAtStart: Int?
        var iterator = dao.batches(of: Reading.self, batchSize: Benchmarks.batchSize).makeAsyncIterator()
        while true {
            let start = clock.now
            guard let batch = try await iterator.next() else { break }
            pages.append((clock.now - start).nanoseconds)
            readObjects += batch.count
            if pages.count == 10 { memoryAtStart = anonymousMemory() }
        }
        guard readObjects == objectCount else {
            throw CloudError(.internalError, "\(readObjects) of \(objectCount) objects were read.")
        }
        return PagingRound(
            total: pages.reduce(0, +),
            firstPages: median(Array(pages.prefix(10))),
            lastPages: median(Array(pages.suffix(10))),
            memoryGrowth: memoryAtStart.flatMap { start in anonymousMemory().map { $0 - start } }
        )
    }
}
