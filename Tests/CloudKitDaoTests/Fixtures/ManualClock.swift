import Synchronization

/// A clock that goes on when a test says so.
final class ManualClock: Clock, Sendable {
    struct Instant: InstantProtocol {
        let offset: Duration

        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: (deadline: Instant, continuation: CheckedContinuation<Void, any Error>)] = [:]
        var cancelled: Set<Int> = []
        var waiters: [AsyncStream<Void>.Continuation] = []
        var last = 0
    }

    private let state = Mutex(State())

    var now: Instant { state.withLock { $0.now } }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        let id = state.withLock { state in
            state.last += 1
            return state.last
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let (isOver, waiters) = state.withLock { state -> (Bool, [AsyncStream<Void>.Continuation]) in
                    if state.cancelled.remove(id) != nil { return (true, []) }
                    state.sleepers[id] = (deadline, continuation)
                    defer { state.waiters = [] }
                    return (false, state.waiters)
                }
                if isOver { continuation.resume(throwing: CancellationError()) }
                for waiter in waiters { waiter.finish() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, any Error>? in
                if let sleeper = state.sleepers.removeValue(forKey: id) { return sleeper.continuation }
                state.cancelled.insert(id)
                return nil
            }
            continuation?.resume(throwing: CancellationError())
        }
    }

    /// Waits until somebody sleeps, and lets the one wake up who would be the first; returns how long that took.
    func wakeNext() async -> Duration {
        await sleeper()
        let (duration, continuation) = state.withLock { state -> (Duration, CheckedContinuation<Void, any Error>?) in
            guard let first = state.sleepers.min(by: { $0.value.deadline < $1.value.deadline }) else {
                return (.zero, nil)
            }
            state.sleepers[first.key] = nil
            let duration = state.now.duration(to: first.value.deadline)
            state.now = first.value.deadline
            return (duration, first.value.continuation)
        }
        continuation?.resume()
        return duration
    }

    /// Waits until somebody sleeps.
    func sleeper() async {
        let (stream, continuation) = AsyncStream<Void>.makeStream()
        let hasSleeper = state.withLock { state in
            if state.sleepers.isEmpty { state.waiters.append(continuation) }
            return !state.sleepers.isEmpty
        }
        if !hasSleeper { for await _ in stream {} }
    }

    var sleeperCount: Int { state.withLock { $0.sleepers.count } }
}
