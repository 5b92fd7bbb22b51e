import CloudKitDao
import Foundation

/// Reads what the writers of pairs write, without a pause, and checks that it is always whole and never goes back.
package enum PairReader {
    static func run(_ path: String, duration: Duration) async throws {
        let store = try SQLiteStore(path: path)
        let end = ContinuousClock.now + duration
        try await withThrowingTaskGroup(of: Int.self) { group in
            group.addTask { try await repeatedly(until: end, try PairCheck(store, logPath: path + "-wal")) }
            group.addTask { try await repeatedly(until: end, EntryCheck(store)) }
            for try await count in group { Report.line("read \(count)") }
        }
    }

    private static func repeatedly(until end: ContinuousClock.Instant, _ check: some Check) async throws -> Int {
        var check = check
        var count = 0
        while ContinuousClock.now < end {
            try await check.run()
            count += 1
        }
        check.report()
        return count
    }

    static func name(_ half: String, of pair: Int) -> String { "pair\(pair)-\(half)" }

    /// The two records of a pair.
    static func halves(of pair: Int, in store: SQLiteStore) async throws -> [CloudRecord] {
        let names = ["a", "b"].map { name($0, of: pair) }
        return try await store.fetch(names.map { CloudRecordID($0) }, desiredFields: nil).map { try $0.get() }
    }

    /// Saves all pairs with the number zero.
    package static func makePairs(in store: SQLiteStore) async throws {
        let names = (0..<PairWriter.pairCount).flatMap { pair in ["a", "b"].map { name($0, of: pair) } }
        let records = names.map { name in
            var record = CloudRecord(recordType: "Pair", recordID: CloudRecordID(name))
            record.count = 0
            return record
        }
        guard try await store.saveUnchanged(records) != nil else { throw Surprise("the pairs are there already") }
    }
}

private protocol Check {
    mutating func run() async throws
    func report()
}

/// That the halves of each pair are equal.
private struct PairCheck: Check {
    private let store: SQLiteStore
    private let logPath: String
    private var sum: Int64 = 0
    private var largestLog = 0

    init(_ store: SQLiteStore, logPath: String) throws {
        self.store = store
        self.logPath = logPath
    }

    mutating func run() async throws {
        let page = try await store.page(CloudQuery(recordType: "Pair"), after: nil, limit: 100)
        var counts: [Substring: [Int64]] = [:]
        for record in page.records {
            counts[record.recordID.recordName.dropLast(2), default: []].append(record.count)
        }
        guard counts.count == PairWriter.pairCount, counts.values.allSatisfy({ $0.count == 2 && $0[0] == $0[1] }) else {
            throw Surprise("half of a batch was read: \(counts)")
        }
        let newSum = counts.values.reduce(0) { $0 + $1[0] }
        guard newSum >= sum else { throw Surprise("the pairs went back from \(sum) to \(newSum)") }
        sum = newSum
        let attributes = try? FileManager.default.attributesOfItem(atPath: logPath)
        largestLog = max(largestLog, attributes?[.size] as? Int ?? 0)
    }

    func report() {
        Report.line("log \(largestLog)")
    }
}

/// That no entry disappears, in reads that take longer and longer.
private struct EntryCheck: Check {
    private let store: SQLiteStore
    private var count = 0

    init(_ store: SQLiteStore) {
        self.store = store
    }

    mutating func run() async throws {
        let query = CloudQuery(recordType: "Entry", desiredFields: [])
        let newCount = try await store.page(query, after: nil, limit: 1_000_000).records.count
        guard newCount >= count else { throw Surprise("the entries went back from \(count) to \(newCount)") }
        count = newCount
    }

    func report() {}
}
