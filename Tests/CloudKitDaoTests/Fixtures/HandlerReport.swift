import CloudKitDao
import Dispatch

/// The two handlers of one request, which report each call with where it happened.
///
/// A request that is over lets go of its handlers. So when nobody holds this object any more, no further call can
/// come: the list of calls is complete without waiting for any length of time.
final class HandlerReport: Sendable {
    struct Call: Sendable {
        enum Event: Sendable {
            case completion(String)
            case error(CloudError)
        }

        let event: Event
        /// The ``QueueActor`` that the call ran on, or "main".
        let actorName: String?
    }

    private let continuation: AsyncStream<Call>.Continuation

    private init(_ continuation: AsyncStream<Call>.Continuation) {
        self.continuation = continuation
    }

    deinit {
        continuation.finish()
    }

    /// To be called by a completion handler, with a summary of what it got.
    func completed(_ summary: String) {
        report(.completion(summary))
    }

    /// To be called by an error handler.
    func failed(_ error: CloudError) {
        report(.error(error))
    }

    private func report(_ event: Call.Event) {
        continuation.yield(Call(event: event, actorName: DispatchQueue.getSpecific(key: QueueActor.nameKey)))
    }

    /// All calls of the handlers of the request that the closure starts.
    static func calls(
        isolation: isolated (any Actor)? = #isolation,
        of start: (HandlerReport) -> Void
    ) async -> [Call] {
        // The main actor's queue need not be on the main thread: on Linux that thread ends when the tests begin.
        DispatchQueue.main.setSpecific(key: QueueActor.nameKey, value: "main")
        let (stream, continuation) = AsyncStream<Call>.makeStream()
        start(HandlerReport(continuation))
        var calls: [Call] = []
        for await call in stream {
            calls.append(call)
        }
        return calls
    }
}

extension [HandlerReport.Call] {
    /// What the completion handler got, call by call.
    var completions: [String] {
        compactMap { if case .completion(let summary) = $0.event { summary } else { nil } }
    }

    /// What the error handler got, call by call.
    var errors: [CloudError] {
        compactMap { if case .error(let error) = $0.event { error } else { nil } }
    }
}

/// An actor on a queue of its own, so that a test sees whether code runs on it.
actor QueueActor {
    static let nameKey = DispatchSpecificKey<String>()

    private let executor: QueueExecutor
    nonisolated let name: String

    init(name: String) {
        self.name = name
        executor = QueueExecutor(name: name)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Runs a closure on the actor.
    func run<Value: Sendable>(
        _ body: @Sendable (isolated QueueActor) async throws -> Value
    ) async rethrows -> Value {
        try await body(self)
    }
}

private final class QueueExecutor: SerialExecutor {
    private let queue: DispatchQueue

    init(name: String) {
        queue = DispatchQueue(label: name)
        queue.setSpecific(key: QueueActor.nameKey, value: name)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async {
            job.runSynchronously(on: self.asUnownedSerialExecutor())
        }
    }
}
