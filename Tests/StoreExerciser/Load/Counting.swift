import CloudKitDao
import Foundation

/// Adds to one counter by fetching it, changing it and saving it if nobody has changed it meanwhile.
package enum Counting {
    package static let recordID = CloudRecordID("counter")

    /// Each task adds one so many times.
    static func run(_ path: String, tasks: Int, increments: Int) async throws {
        let store = try SQLiteStore(path: path)
        let outcome = try await withThrowingTaskGroup(of: Outcome.self) { group in
            for _ in 0..<tasks {
                group.addTask { try await add(increments, in: store) }
            }
            return try await group.reduce(into: Outcome()) { $0.add($1) }
        }
        Report.line(
            """
            note \(tasks) tasks added \(increments) each, \(outcome.conflicts) conflicts, \
            longest wait \(outcome.waits.text)
            """
        )
    }

    private struct Outcome {
        var conflicts = 0
        var waits = LongestWait()

        mutating func add(_ other: Outcome) {
            conflicts += other.conflicts
            waits.add(other.waits)
        }
    }

    private static func add(_ increments: Int, in store: SQLiteStore) async throws -> Outcome {
        var outcome = Outcome()
        for increment in 1...increments {
            guard var record = try await store.record(recordID.recordName) else { throw Surprise("no counter") }
            while true {
                record.count += 1
                do {
                    let modification = CloudModification(saving: [record])
                    let result = try await outcome.waits.measure { try await store.modify(modification) }
                    _ = try result.saved.first?.get()
                    break
                } catch let error as CloudError where error.code == .serverRecordChanged {
                    guard let server = error.serverRecord else { throw Surprise("a conflict without a record") }
                    outcome.conflicts += 1
                    record = server
                }
            }
            if increment.isMultiple(of: 100) { Report.line("counted \(increment)") }
        }
        return outcome
    }
}
