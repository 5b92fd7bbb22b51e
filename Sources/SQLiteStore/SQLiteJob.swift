import CSQLite
import CloudRecords
import Synchronization

/// One piece of work for a connection and the task that waits for it.
///
/// Whoever cancels it and the thread that runs it agree by the state: the continuation is resumed exactly once, and
/// an interruption hits this job or none.
final class SQLiteJob<Value: Sendable>: Sendable {
    private enum State {
        case new
        case waiting(CheckedContinuation<Value, any Error>)
        case running(CheckedContinuation<Value, any Error>, InterruptibleHandle?)
        case finished
    }

    private let state = Mutex<State>(.new)
    private let isInterruptible: Bool
    private let body: @Sendable (SQLiteConnection) throws -> Value
    private let cancellation = CancellationFlag()

    init(isInterruptible: Bool, _ body: @escaping @Sendable (SQLiteConnection) throws -> Value) {
        self.isInterruptible = isInterruptible
        self.body = body
    }

    /// Remembers who waits; false if the job was cancelled before.
    func wait(_ continuation: CheckedContinuation<Value, any Error>) -> Bool {
        let isWaiting = state.withLock { state in
            guard case .new = state else { return false }
            state = .waiting(continuation)
            return true
        }
        if !isWaiting { continuation.resume(throwing: CloudError.cancelled) }
        return isWaiting
    }

    func cancel() {
        cancellation.set()
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            switch state {
            case .new:
                state = .finished
                return nil
            case .waiting(let continuation):
                state = .finished
                return continuation
            case .running(_, let handle):
                handle?.interrupt()
                return nil
            case .finished:
                return nil
            }
        }
        waiting?.resume(throwing: CloudError.cancelled)
    }

    /// Runs the job on the thread that owns the connection, unless it was cancelled.
    ///
    /// - Returns: What gives the outcome to the task that waits; nil if nobody does any more.
    func run(_ connection: Result<SQLiteConnection, any Error>) -> SQLitePool.Delivery? {
        let handle = isInterruptible ? (try? connection.get()).map { InterruptibleHandle($0.handle) } : nil
        let isWanted = state.withLock { state in
            guard case .waiting(let continuation) = state else { return false }
            state = .running(continuation, handle)
            return true
        }
        guard isWanted else { return nil }
        let result = Result { () throws -> Value in
            let connection = try connection.get()
            connection.cancellation = .flag(cancellation)
            defer { connection.cancellation = .none }
            return try body(connection)
        }
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard case .running(let continuation, _) = state else { return nil }
            state = .finished
            return continuation
        }
        return waiting.map { waiting in { waiting.resume(with: result) } }
    }
}

/// A connection's handle for the one call that any thread may make.
///
/// Unchecked because the pointer is only passed to `sqlite3_interrupt`, which SQLite allows from any thread as long
/// as the connection is open; it is, because the job holds it here only while it runs on that connection.
private struct InterruptibleHandle: @unchecked Sendable {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    func interrupt() {
        sqlite3_interrupt(handle)
    }
}
