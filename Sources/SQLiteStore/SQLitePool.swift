import CloudRecords
import Dispatch
import SQLStore
import Synchronization

/// Connections to one file and the jobs that wait for one of them.
///
/// Each connection has a thread of its own (a serial queue), is opened when it is first needed, and takes the next
/// waiting job when it has finished one.
final class SQLitePool: Sendable {
    typealias Job = @Sendable (Result<SQLiteConnection, any Error>) -> Delivery?
    typealias Delivery = () -> Void

    private struct State {
        var idle: [SQLiteWorker] = []
        var workers: [SQLiteWorker] = []
        var waiting = JobQueue()
        var isClosed = false
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
        case .refuse: job(.failure(Self.closed))?()
        }
    }

    private func start(_ worker: SQLiteWorker, _ job: @escaping Job) {
        worker.queue.async { [self] in
            var job = job
            while true {
                let delivery = worker.run(job, open)
                // First free, then delivered: so the next call of the same task finds this connection and its
                // warm cache, and does not open another one.
                let next = nextJob(for: worker)
                delivery?()
                guard let next else { return }
                job = next
            }
        }
    }

    private func nextJob(for worker: SQLiteWorker) -> Job? {
        state.withLock { state in
            if let job = state.waiting.popFirst() { return job }
            state.idle.append(worker)
            return nil
        }
    }

    /// Waits until all jobs are done and closes the connections. Jobs that come later are refused.
    func close() async {
        let workers = state.withLock { state in
            state.isClosed = true
            return state.workers
        }
        // A worker's queue is serial, and the block that runs there takes all waiting jobs before it ends.
        for worker in workers {
            await withCheckedContinuation { continuation in
                worker.queue.async {
                    worker.close()
                    continuation.resume()
                }
            }
        }
    }

    fileprivate static let closed = CloudError(
        .badDatabase,
        "The store was closed.",
        remedy: "Make a new store of the same path."
    )
}

/// A connection and the queue on which alone it is used.
///
/// Unchecked because of its variables, which are touched only by blocks on `queue`, which is serial, and by `init` and
/// `deinit`, when nobody else refers to the worker.
final class SQLiteWorker: @unchecked Sendable {
    let queue: DispatchQueue
    private var connection: SQLiteConnection?
    private var isClosed = false

    init(label: String, connection: sending SQLiteConnection?) {
        queue = DispatchQueue(label: label)
        self.connection = connection
    }

    /// Runs a job; on `queue` only. A connection that can't be opened is tried again by the next job.
    func run(_ job: SQLitePool.Job, _ open: () throws -> SQLiteConnection) -> SQLitePool.Delivery? {
        dispatchPrecondition(condition: .onQueue(queue))
        if isClosed { return job(.failure(SQLitePool.closed)) }
        do {
            let connection = try connection ?? open()
            self.connection = connection
            defer {
                if connection.isBroken { self.connection = nil }
            }
            return job(.success(connection))
        } catch {
            return job(.failure(error))
        }
    }

    /// Closes the connection; on `queue` only.
    func close() {
        dispatchPrecondition(condition: .onQueue(queue))
        connection = nil
        isClosed = true
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
