import CloudRecords
import Dispatch
import SQLStore
import Synchronization

/// Connections to one file and the jobs that wait for one of them.
///
/// Each connection has a thread of its own (a serial queue), is opened when it is first needed, and takes the next
/// waiting job when it has finished one. Short work need not go there: see ``runAtOnce(_:)``.
final class SQLitePool: Sendable {
    typealias Job = @Sendable (Result<SQLiteConnection, any Error>) -> Delivery?
    typealias Delivery = () -> Void

    private struct State {
        var idle: [SQLiteWorker] = []
        /// How many there are, idle or at work.
        var workerCount = 0
        var waiting = JobQueue()
        var isClosed = false
        /// Who waits until the last worker is gone.
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
            initial.idle = [SQLiteWorker(label: label, connection: first)]
            initial.workerCount = 1
        }
        state = Mutex(initial)
    }

    /// Runs the body on one of the connections, on its thread.
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

    /// Runs short work on the thread that asks, if a connection is open and free.
    ///
    /// To wake a thread up and be woken up by it takes several times as long as to find a record.
    ///
    /// - Returns: What the body returns, nil too; nil if no connection is free.
    func runAtOnce<Value>(_ body: (SQLiteConnection) throws -> Value?) throws -> Value? {
        guard let worker = state.withLock({ $0.idle.popLast() }) else { return nil }
        defer { release(worker) }
        return try worker.runAtOnce(body)
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
            if state.workerCount < limit {
                state.workerCount += 1
                return .start(SQLiteWorker(label: label, connection: nil))
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

    // MARK: What a worker does next

    private enum Next {
        case run(Job)
        case rest
        case leave
    }

    private func next(for worker: SQLiteWorker) -> Next {
        state.withLock { state in
            if let job = state.waiting.popFirst() { return .run(job) }
            if state.isClosed { return .leave }
            state.idle.append(worker)
            return .rest
        }
    }

    private func start(_ worker: SQLiteWorker, _ job: @escaping Job) {
        worker.queue.async { [self] in work(worker, job) }
    }

    /// Runs a job and those that wait; on the worker's queue.
    private func work(_ worker: SQLiteWorker, _ first: Job?) {
        var job = first
        while true {
            var delivery = job.flatMap { worker.run($0, open) }
            if worker.isUntidy {
                // Nobody has to wait for that but the next who needs the connection.
                delivery?()
                delivery = nil
                worker.tidyUp()
            }
            // First free, then delivered: so the next call of the same task finds this connection and its
            // warm cache, and does not open another one.
            let next = next(for: worker)
            delivery?()
            switch next {
            case .run(let next): job = next
            case .rest: return
            case .leave: return dismiss(worker)
            }
        }
    }

    /// Takes back a worker after work that was done at once.
    private func release(_ worker: SQLiteWorker) {
        if worker.isUntidy {
            worker.queue.async { [self] in work(worker, nil) }
            return
        }
        switch next(for: worker) {
        case .run(let job): start(worker, job)
        case .rest: break
        case .leave: dismiss(worker)
        }
    }

    // MARK: Closing

    /// Waits until all jobs are done and closes the connections. Jobs that come later are refused.
    func close() async {
        await withCheckedContinuation { continuation in
            let (idle, isDone) = state.withLock { state in
                state.isClosed = true
                defer { state.idle = [] }
                if state.workerCount > 0 { state.closing.append(continuation) }
                return (state.idle, state.workerCount == 0)
            }
            if isDone { continuation.resume() }
            // Those that are at work leave when nobody waits any more.
            for worker in idle { dismiss(worker) }
        }
    }

    private func dismiss(_ worker: SQLiteWorker) {
        worker.queue.async { [self] in
            worker.close()
            let closing = state.withLock { state -> [CheckedContinuation<Void, Never>] in
                state.workerCount -= 1
                guard state.workerCount == 0 else { return [] }
                defer { state.closing = [] }
                return state.closing
            }
            for continuation in closing { continuation.resume() }
        }
    }

    private static let closed = CloudError(
        .badDatabase,
        "The store was closed.",
        remedy: "Make a new store of the same path."
    )
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
