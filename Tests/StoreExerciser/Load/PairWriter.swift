import CloudKitDao
import Foundation

/// Changes pairs of records, always both in one batch and by the same amount, in competition with other writers.
enum PairWriter {
    static let pairCount = 8

    static func run(_ path: String, name: String, duration: Duration) async throws {
        let store = try SQLiteStore(path: path)
        var waits = LongestWait()
        var own = CloudRecord(recordType: "Writer", recordID: CloudRecordID("writer-\(name)"))
        var conflicts = 0
        let payload = CloudValue.bytes(Data(repeating: 7, count: 3_000))
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            let pair = Int(own.count) % pairCount
            var halves = try await PairReader.halves(of: pair, in: store)
            for index in halves.indices { halves[index].count += 1 }
            var counted = own
            counted.count += 1
            var entry = CloudRecord(recordType: "Entry", recordID: CloudRecordID("entry-\(name)-\(counted.count)"))
            entry["payload"] = payload
            let batch = halves + [counted, entry]
            if let saved = try await waits.measure({ try await store.saveUnchanged(batch) }) {
                own = saved[2]
            } else {
                conflicts += 1
            }
        }
        Report.line("wrote \(own.count)")
        Report.line("note \(name): \(own.count) batches, \(conflicts) conflicts, longest wait \(waits.text)")
    }
}

/// The longest time that something took.
struct LongestWait {
    private var longest = Duration.zero

    mutating func measure<Value>(_ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        longest = max(longest, ContinuousClock.now - start)
        return value
    }

    mutating func add(_ other: LongestWait) {
        longest = max(longest, other.longest)
    }

    var text: String { longest.formatted(.units(allowed: [.milliseconds], width: .narrow)) }
}
