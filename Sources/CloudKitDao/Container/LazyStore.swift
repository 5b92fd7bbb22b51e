import Dispatch
import Synchronization

/// A store that is opened when it is first needed.
final class LazyStore: Sendable {
    private enum State {
        case unopened
        /// Being opened for whoever asked first; the others wait. The task itself says what becomes of the state.
        case opening(Task<any CloudStore, any Error>)
        case opened(any CloudStore)
    }

    private let state = Mutex(State.unopened)
    private let open: @Sendable () throws -> any CloudStore

    init(opening open: @escaping @Sendable () throws -> any CloudStore) {
        self.open = open
    }

    /// The store, opened on a thread of its own: opening a file may wait for another process.
    ///
    /// - Throws: What opening it throws. A failure is not remembered: the next use tries again.
    func store() async throws -> any CloudStore {
        let current = state.withLock { state in
            if case .unopened = state { state = .opening(openingTask()) }
            return state
        }
        switch current {
        case .opened(let store):
            return store
        case .unopened:
            return try open()
        case .opening(let task):
            return try await task.result.mapError { CloudError($0) }.get()
        }
    }

    private func openingTask() -> Task<any CloudStore, any Error> {
        Task {
            let result: Result<any CloudStore, any Error> = await withCheckedContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(returning: Result { try self.open() }) }
            }
            state.withLock { state in
                state = if case .success(let store) = result { .opened(store) } else { .unopened }
            }
            return try result.get()
        }
    }
}
