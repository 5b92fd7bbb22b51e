import Dispatch

/// A connection and the queue on which it is used, if it is not used at once.
///
/// Unchecked because of its variable, which only the worker's owner touches. There is one owner at a time: who made the
/// worker, then who took it from the pool's idle ones, until it is put back there. Both are done under the pool's lock,
/// so that all that one owner did comes before all that the next one does. An owner that goes on in a block on `queue`
/// touches nothing after it has passed the block on, which comes before the block's start.
final class SQLiteWorker: @unchecked Sendable {
    let queue: DispatchQueue
    private var connection: SQLiteConnection?

    init(label: String, connection: sending SQLiteConnection?) {
        queue = DispatchQueue(label: label)
        self.connection = connection
    }

    /// Runs a job, which may take its time; on `queue` only. A connection that can't be opened is tried again by the
    /// next job.
    func run(_ job: SQLitePool.Job, _ open: () throws -> SQLiteConnection) -> SQLitePool.Delivery? {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            let connection = try connection ?? open()
            self.connection = connection
            connection.waitsForLocks = true
            defer { forgetIfBroken() }
            return job(.success(connection))
        } catch {
            return job(.failure(error))
        }
    }

    /// Runs what may not wait, on any thread; nil if the connection is not open.
    func runAtOnce<Value>(_ body: (SQLiteConnection) throws -> Value?) rethrows -> Value? {
        guard let connection else { return nil }
        connection.waitsForLocks = false
        defer { forgetIfBroken() }
        return try body(connection)
    }

    private func forgetIfBroken() {
        if connection?.isBroken == true { connection = nil }
    }

    /// Whether there is something to do that takes time.
    var isUntidy: Bool { connection?.log.isLong == true }

    func tidyUp() {
        dispatchPrecondition(condition: .onQueue(queue))
        connection?.waitsForLocks = true
        connection?.log.shorten()
    }

    /// Closes the connection, which may take long too.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        connection = nil
    }
}
