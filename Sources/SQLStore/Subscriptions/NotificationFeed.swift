import CloudRecords
import Synchronization

/// Delivers a client's notifications to those in this process who listen.
///
/// The driver tells of commits, and behind that it looks by itself now and then; each time it reads the rows that are
/// new. So nothing is lost when a signal is, and nothing is delivered that was not committed. Without listeners it does
/// nothing.
final class NotificationFeed: Sendable {
    typealias Stream = AsyncThrowingStream<CloudNotification, any Error>

    /// Reads the notifications after a number, and the last number that was given out.
    typealias Read = @Sendable (_ after: Int64) async throws -> Batch

    struct Batch: Sendable {
        let notifications: [(id: Int64, notification: CloudNotification)]
        /// What comes later has a higher number.
        let end: Int64
        let moreComing: Bool
    }

    private struct Listener {
        /// It has all notifications up to this number.
        var position: Int64
        let continuation: Stream.Continuation
    }

    private struct State {
        var listeners: [Int: Listener] = [:]
        var nextListener = 0
        var isReading = false
        /// Something may have happened since the reading began.
        var isStale = false
        var watch: (any CommitWatch)?
        var poll: Task<Void, Never>?
        var isClosed = false
    }

    private let state = Mutex(State())
    private let read: Read
    private let watch: @Sendable (@escaping @Sendable () -> Void) throws -> (any CommitWatch)?
    private let pollInterval: Duration

    init(
        pollInterval: Duration,
        watch: @escaping @Sendable (@escaping @Sendable () -> Void) throws -> (any CommitWatch)?,
        read: @escaping Read
    ) {
        self.pollInterval = pollInterval
        self.watch = watch
        self.read = read
    }

    /// A stream of the notifications from now on.
    func stream() async throws -> Stream {
        let start = try await read(.max).end
        let (stream, continuation) = Stream.makeStream()
        let number = state.withLock { state -> Int? in
            if state.isClosed { return nil }
            state.nextListener += 1
            state.listeners[state.nextListener] = Listener(position: start, continuation: continuation)
            return state.nextListener
        }
        guard let number else { throw Self.closed }
        // The stream keeps the feed alive, and with it the connections, until nobody reads from it any more.
        continuation.onTermination = { _ in self.remove(number) }
        do {
            try startWatching()
        } catch {
            remove(number)
            throw error
        }
        // What came before the watch did.
        signal()
        return stream
    }

    /// Ends all streams, and lets no more begin.
    func close() {
        state.withLock { $0.isClosed = true }
        end(with: Self.closed)
    }

    private func end(with error: CloudError) {
        let listeners = state.withLock { Self.stop(&$0) }
        for listener in listeners { listener.continuation.finish(throwing: error) }
    }

    private static let closed = CloudError(
        .badDatabase,
        "The store was closed.",
        remedy: "Make a new store of the same database."
    )

    // MARK: Watching

    private func startWatching() throws {
        guard state.withLock({ $0.poll == nil }) else { return }
        let watch = try watch { [weak self] in self?.signal() }
        let poll = Task.detached { [weak self, pollInterval] in
            while !Task.isCancelled {
                try? await Task.sleep(for: pollInterval)
                guard let self else { return }
                self.signal()
            }
        }
        let isWanted = state.withLock { state in
            // Another listener may have come first, or all have gone.
            guard state.poll == nil, !state.listeners.isEmpty else { return false }
            (state.watch, state.poll) = (watch, poll)
            return true
        }
        if !isWanted { poll.cancel() }
    }

    private func remove(_ number: Int) {
        _ = state.withLock { state -> [Listener] in
            state.listeners[number] = nil
            return state.listeners.isEmpty ? Self.stop(&state) : []
        }
    }

    private static func stop(_ state: inout State) -> [Listener] {
        state.poll?.cancel()
        (state.poll, state.watch) = (nil, nil)
        defer { state.listeners = [:] }
        return Array(state.listeners.values)
    }

    // MARK: Reading

    /// Looks for what is new, once however often it is called meanwhile.
    func signal() {
        let starts = state.withLock { state in
            if state.listeners.isEmpty { return false }
            if state.isReading {
                state.isStale = true
                return false
            }
            state.isReading = true
            return true
        }
        guard starts else { return }
        Task.detached { await self.deliver() }
    }

    private func deliver() async {
        var goesOn = true
        while goesOn {
            let position = state.withLock { state in
                state.isStale = false
                return state.listeners.values.map(\.position).min()
            }
            guard let position else { break }
            do {
                goesOn = take(try await read(position), after: position)
            } catch {
                goesOn = false
                let error = CloudError(error)
                // A busy database or a lost connection: the next look finds what there is.
                if !error.isPassing { end(with: error) }
            }
        }
        let isStale = state.withLock { state in
            state.isReading = false
            return state.isStale
        }
        if isStale { signal() }
    }

    /// Delivers what was read after a position; true if there is more to read at once.
    private func take(_ batch: Batch, after position: Int64) -> Bool {
        state.withLock { state in
            var isBehind = false
            for number in state.listeners.keys {
                guard var listener = state.listeners[number] else { continue }
                // One who came meanwhile may have to hear of what lies before this batch: the next one is for him too.
                guard listener.position >= position else {
                    isBehind = true
                    continue
                }
                for (id, notification) in batch.notifications where id > listener.position {
                    listener.continuation.yield(notification)
                }
                listener.position = max(listener.position, batch.end)
                state.listeners[number] = listener
            }
            return batch.moreComing || isBehind || state.isStale
        }
    }
}

extension CloudError {
    /// Whether the same may succeed a little later.
    fileprivate var isPassing: Bool {
        switch code {
        case .serviceUnavailable, .zoneBusy, .requestRateLimited, .networkUnavailable, .networkFailure: true
        default: false
        }
    }
}

extension NotificationFeed {
    private static let pageSize = 500

    /// A feed of a client's rows in a database.
    convenience init(of client: SubscriptionClient, _ driver: any SQLDriver, pollInterval: Duration = .seconds(1)) {
        let read: Read = { position in
            try await driver.read { connection in
                let last = try StoreTables.nextSequence(connection) - 1
                guard position < last, let row = try client.row(connection) else {
                    return Batch(notifications: [], end: last, moreComing: false)
                }
                let found = try NotificationRow.read(of: row, after: position, limit: Self.pageSize, connection)
                let moreComing = found.count == Self.pageSize
                return Batch(
                    notifications: found,
                    end: moreComing ? found[found.count - 1].id : last,
                    moreComing: moreComing
                )
            }
        }
        self.init(pollInterval: pollInterval, watch: { try driver.watchCommits($0) }, read: read)
    }
}
