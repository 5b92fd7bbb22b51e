import CloudKitDao
import Foundation

/// Saves large batches without a pause, so that the file is nearly always locked.
enum Filling {
    private static let batchSize = 500

    static func run(_ path: String, name: String, duration: Duration, gate: String) async throws {
        try Gate.wait(gate)
        let store = try SQLiteStore(path: path)
        var waits = LongestWait()
        var number = 0
        let end = ContinuousClock.now + duration
        while ContinuousClock.now < end {
            let batch = (0..<batchSize).map { index in
                var record = CloudRecord(recordType: "Filled", recordID: CloudRecordID("\(name)-\(number)-\(index)"))
                record["text"] = .string("record \(index) of batch \(number)")
                return record
            }
            guard try await waits.measure({ try await store.saveUnchanged(batch) }) != nil else {
                throw Surprise("a new record was changed")
            }
            number += 1
        }
        Report.line("filled \(number * batchSize)")
        Report.line("note \(name): \(number) batches of \(batchSize), longest wait \(waits.text)")
    }
}
