import CloudRecords
import Dispatch
import SQLStore
import Synchronization

/// Connections to one file and the jobs that wait for one of them.
///
/// Each connection has a thread of its own (a serial queue), is opened when it is first needed, and takes the next
/// waiting job when it has finished one.
final class SQLitePool: Sendable {
    typealias Job = @Sendable (Result<SQLiteConnection, any Error>) -> Void

    private struct State {
        var idle: [SQLiteWorker] = []
        var workers: [SQLiteWorker] = []
        var waiting = JobQueue()
        var isClosed = false
        var closing: [CheckedContinuation<Void, Never>] = []
    }

    private let label: String
    private let limit: Int
    private let open: @Sendable () throws -> SQLiteConnection
    private let state: Mutex<State>

    /// Makes a pool; `first` is a connection that is open already.
    init(
        label: String,
        limit: Int,
        first: sending SQLiteConnection? = nil,
        open: @escaping @Sendable () throws -> SQLiteConnection
    ) {
        self.label = label
        self.limit = limit
        self.open = open
        var initial = State()
        if let first {
            let worker = SQLiteWorker(label: label, connection: first)
            initial.workers = [worker]
            initial.idle = [worker]
        }
        state = Mutex(initial)
    }

    /// Runs the body on one of the connections.
    func run<Value: Sendable>(
        isInterruptible: Bool,
        _ body: @escaping @Sendable (SQLiteConnection) throws -> Value
    ) async throws -> Value {
        let job = SQLiteJob(isInterruptible: isInterruptible, body)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                if job.wait(continuation) { enqueue { job.run($0) } }
            }
        } onCancel: {
            job.cancel()
        }
    }

    private func enqueue(_ job: @escaping Job) {
        enum Decision {
            case start(SQLiteWorker)
            case wait
            case refuse
        }
        let decision = state.withLock { state -> Decision in
            if state.isClosed { return .refuse }
            if let worker = state.idle.popLast() { return .start(worker) }
            if state.workers.count < limit {
                let worker = SQLiteWorker(label: label, connection: nil)
                state.workers.append(worker)
                return .start(worker)
            }
            state.waiting.append(job)
            return .wait
        }
        switch decision {
        case .start(let worker): start(worker, job)
        case .wait: break
        case .refuse: job(.failure(Self.closed))
        }
    }

    private func start(_ worker: SQLiteWorker, _ job: @escaping Job) {
        worker.queue.async { [self] in
            var job = job
            while true {
                worker.run(job, open)
                guard let next = nextJob(for: worker) else { return }
                job = next
            }
        }
    }

    private func nextJob(for worker: SQLiteWorker) -> Job? {
        let (job, closing) = state.withLock { state -> (Job?, [CheckedContinuation<Void, Never>]) in
            if let job = state.waiting.popFirst() { return (job, []) }
            state.idle.append(worker)
            guard state.isClosed, state.idle.count == state.workers.count else { return (nil, []) }
            state.idle = []
            state.workers = []
            defer { state.closing = [] }
            return (nil, state.closing)
        }
        for continuation in closing {
            worker.close()
            continuation.resume()
        }
        return job
    }

    /// Waits until all jobs are done and closes the connections. Jobs that come later are refused.
    func close() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                state.isClosed = true
                guard state.idle.count == state.workers.count else {
                    state.closing.append(continuation)
                    return false
                }
                state.idle = []
                state.workers = []
                return true
            }
            if isIdle { continuation.resume() }
        }
    }

    private static let closed = CloudError(
        .badDatabase,
        "The store was closed.",
        remedy: "Make a new store of the same path."
    )
}

/// A connection and the queue on which alone it is used.
///
/// Unchecked because of `connection`, which is touched only by blocks on `queue`, which is serial, and by `init` and
/// `deinit`, when nobody else refers to the worker.
final class SQLiteWorker: @unchecked Sendable {
    let queue: DispatchQueue
    private var connection: SQLiteConnection?

    init(label: String, connection: sending SQLiteConnection?) {
        queue = DispatchQueue(label: label)
        self.connection = connection
    }

    /// Runs a job; on `queue` only. A connection that can't be opened is tried again by the next job.
    func run(_ job: SQLitePool.Job, _ open: () throws -> SQLiteConnection) {
        dispatchPrecondition(condition: .onQueue(queue))
        do {
            let connection = try connection ?? open()
            self.connection = connection
            job(.success(connection))
            if connection.isBroken { self.connection = nil }
        } catch {
            job(.failure(error))
        }
    }

    /// Closes the connection; on `queue` only.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        connection = nil
    }
}

/// Jobs in the order in which they came.
private struct JobQueue {
    private var jobs: [SQLitePool.Job] = []
    private var first = 0

    mutating func append(_ job: @escaping SQLitePool.Job) {
        jobs.append(job)
    }

    mutating func popFirst() -> SQLitePool.Job? {
        guard first < jobs.count else { return nil }
        defer {
            first += 1
            if first * 2 > jobs.count {
                jobs.removeFirst(first)
                first = 0
            }
        }
        return jobs[first]
    }
}
