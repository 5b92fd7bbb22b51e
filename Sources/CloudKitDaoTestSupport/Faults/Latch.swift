import CloudKitDao
import Synchronization

/// Something that is opened once, and that tasks wait for.
final class Latch: Sendable {
    private struct State {
        var isOpen = false
        var nextTicket = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    /// Lets everybody go on who waits now or later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [:] }
            return state.waiting.values.map { $0 }
        }
        for continuation in waiting { continuation.resume() }
    }

    /// Waits until the latch is open.
    ///
    /// - Throws: `CloudError.Code.operationCancelled` when the task is cancelled first.
    func wait() async throws {
        let ticket = state.withLock { state in
            defer { state.nextTicket += 1 }
            return state.nextTicket
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<Void, any Error>? = state.withLock { state in
                    if state.isOpen { return .success(()) }
                    // A cancellation that comes after this look finds the continuation, by the lock.
                    if Task.isCancelled { return .failure(CloudError.cancelled) }
                    state.waiting[ticket] = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(throwing: CloudError.cancelled)
        }
    }
}
