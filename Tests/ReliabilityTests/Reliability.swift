import Foundation
import StoreExerciser
import Testing

/// What is promised for the case that processes are killed, compete, or run out of space and memory.
///
/// One test at a time, since each of them uses the machine as far as it can.
@Suite("Reliability", .serialized, .timeLimit(.minutes(30)))
enum Reliability {
    /// A size from the environment, so that a run can be made longer, or shorter under a sanitizer.
    static func setting(_ name: String, default standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }
}
