import CloudRecords
import Dispatch
import Foundation
import SQLStore

/// Tells when something is written to the log of a database, which every commit of every process does.
///
/// The system tells of it, so that nothing is done as long as nothing happens. It tells of the last write of a commit a
/// moment before other connections see the commit: whoever is told looks again a little later.
final class FileWatch: CommitWatch {
    private let source: FileEvents

    /// - Parameters:
    ///   - path: The path of the log, which exists.
    ///   - handler: Called on a queue of the watch.
    init(path: String, _ handler: @escaping @Sendable () -> Void) throws {
        let queue = DispatchQueue(label: "CloudKitDao.SQLite.watch")
        source = try FileEvents(path: path, queue: queue, Signal(queue: queue, handler))
    }
}

/// Calls a handler at once, and once more a little later.
///
/// Unchecked because of its variable, which is touched only on the queue, which is serial.
final class Signal: @unchecked Sendable {
    /// How long after a sign of a commit it is told of once more.
    private static let delay = DispatchTimeInterval.milliseconds(20)

    private let queue: DispatchQueue
    private let handler: @Sendable () -> Void
    private var isWaiting = false

    init(queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void) {
        self.queue = queue
        self.handler = handler
    }

    /// To be called on the queue.
    func tell() {
        dispatchPrecondition(condition: .onQueue(queue))
        // A stream of commits is told of once in each delay.
        if isWaiting { return }
        isWaiting = true
        handler()
        queue.asyncAfter(deadline: .now() + Self.delay) { [self] in
            isWaiting = false
            handler()
        }
    }
}

extension CloudError {
    static func unwatchable(_ code: Int32) -> CloudError {
        CloudError(
            .internalError,
            "The log of the database can't be watched: \(String(cString: strerror(code))).",
            remedy: "The system may be out of watches or files; close some, or raise its limits."
        )
    }
}
