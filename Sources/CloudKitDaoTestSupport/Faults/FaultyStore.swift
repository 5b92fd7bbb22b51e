import CloudKitDao
import Synchronization

/// A store that fails, hesitates or loses its answers when a test says so, and else does what the store behind it does.
///
/// So an app can be tested against what a network and a server do to it:
///
/// ```swift
/// let store = try FaultyStore.inMemory()
/// let dao = CloudDao(store: store)
/// store.fail(.modify, on: 2, with: CloudError(.requestRateLimited, "Slow down.", retryAfter: 3))
/// try await dao.save(first)
/// try await dao.save(second)                  // throws; the next one succeeds
/// #expect(store.calls(of: .modify).count == 2)
/// ```
///
/// Faults are counted from when they are set, each for itself. Where several concern one call, it is delayed and held as
/// they say, in the order in which they were set; then the first error counts.
///
/// ## Topics
/// ### Faults
/// - ``fail(_:on:with:)``
/// - ``failEverything(with:)``
/// - ``failRecord(_:on:with:)``
/// - ``loseResponse(of:on:)``
/// - ``delay(_:on:by:)``
/// - ``hold(_:on:)``
/// - ``recover()``
/// ### What was asked of it
/// - ``calls``
/// - ``calls(of:)``
/// - ``answeredCalls(_:)``
public final class FaultyStore: Sendable {
    let base: any CloudStore
    private let state = Mutex(State())

    /// Wraps a store.
    public init(_ base: any CloudStore) {
        self.base = base
    }

    /// A faulty store over a new, empty store in memory.
    ///
    /// - Throws: `CloudError.Code.internalError` if the system's temporary folder can't be used.
    public static func inMemory() throws -> FaultyStore {
        FaultyStore(try SQLiteStore.inMemory())
    }

    // MARK: Faults

    /// Makes calls fail without reaching the store behind.
    ///
    /// - Parameters:
    ///   - operation: The kind of calls.
    ///   - calls: Which of them, from now on; the next one if it is left out.
    ///   - error: What they throw. A `retryAfter` is up to you.
    public func fail(_ operation: StoreOperation, on calls: CallSelection = 1, with error: CloudError) {
        add(Fault(subject: .operation(operation), calls: calls, effect: .fail(error)))
    }

    /// Makes every call of any kind fail, as without a network, until ``recover()``.
    public func failEverything(
        with error: CloudError = CloudError(.networkUnavailable, "There is no network.")
    ) {
        add(Fault(subject: .everything, calls: .every, effect: .fail(error)))
    }

    /// Makes one record fail that is to be saved, deleted or fetched, as its own result; the others of its call don't.
    ///
    /// A record that fails is not written. An atomic batch with one is not written at all, and the others are
    /// `CloudError.Code.batchRequestFailed`.
    ///
    /// - Parameters:
    ///   - recordID: The record.
    ///   - calls: Which of the calls that name the record; all of them if it is left out.
    ///   - error: The record's error. It gets the record's ID if it has none.
    public func failRecord(_ recordID: CloudRecordID, on calls: CallSelection = .every, with error: CloudError) {
        add(Fault(subject: .record(recordID), calls: calls, effect: .fail(error.about(recordID))))
    }

    /// Makes calls take effect and then throw `CloudError.Code.serverResponseLost`, as when the network breaks before
    /// the answer is there.
    public func loseResponse(of operation: StoreOperation, on calls: CallSelection = 1) {
        add(Fault(subject: .operation(operation), calls: calls, effect: .loseResponse))
    }

    /// Makes calls wait for a time before they reach the store behind. A call that is cancelled meanwhile ends at once.
    ///
    /// A test that has to act while a call is under way is better off with ``hold(_:on:)``.
    public func delay(_ operation: StoreOperation, on calls: CallSelection = .every, by duration: Duration) {
        add(Fault(subject: .operation(operation), calls: calls, effect: .delay(duration)))
    }

    /// Makes calls wait at a gate before they reach the store behind. A call that is cancelled meanwhile ends at once.
    public func hold(_ operation: StoreOperation, on calls: CallSelection = 1) -> StoreGate {
        let gate = StoreGate()
        add(Fault(subject: .operation(operation), calls: calls, effect: .hold(gate)))
        return gate
    }

    /// Ends all faults. Calls that wait at a gate go on waiting for it.
    public func recover() {
        state.withLock { $0.faults = [] }
    }

    private func add(_ fault: Fault) {
        state.withLock { $0.faults.append(fault) }
    }

    // MARK: What was asked

    /// All calls so far, in the order in which they came.
    public var calls: [StoreCall] { state.withLock { $0.calls } }

    /// The calls of one kind so far, in the order in which they came.
    public func calls(of operation: StoreOperation) -> [StoreCall] {
        calls.filter { $0.operation == operation }
    }

    /// Waits until so many calls were answered, with an error or without, and returns them in the order of their answers.
    ///
    /// - Throws: `CloudError.Code.operationCancelled` when the waiting task is cancelled.
    public func answeredCalls(_ count: Int) async throws -> [StoreCall] {
        let latch = Latch()
        state.withLock { state in
            if state.answered.count >= count { latch.open() } else { state.observers.append((count, latch)) }
        }
        try await latch.wait()
        return state.withLock { Array($0.answered.prefix(max(0, count))) }
    }

    // MARK: Answering

    /// Notes a call, and answers it as the faults say.
    ///
    /// - Parameter work: Asks the store behind, given the errors of single records.
    func answer<Value>(
        _ call: StoreCall,
        _ work: ([CloudRecordID: CloudError]) async throws -> Value
    ) async throws -> Value {
        let (effects, recordErrors) = state.withLock { $0.begin(call) }
        defer { finish(call) }
        var failure: CloudError?
        var losesResponse = false
        for effect in effects {
            switch effect {
            case .fail(let error): failure = failure ?? error
            case .loseResponse: losesResponse = true
            case .hold(let gate): try await gate.pass()
            case .delay(let duration):
                do { try await Task.sleep(for: duration) } catch { throw CloudError(error) }
            }
        }
        if let failure { throw failure }
        let value = try await work(recordErrors)
        if losesResponse { throw CloudError.responseLost }
        return value
    }

    private func finish(_ call: StoreCall) {
        let latches = state.withLock { state in
            state.answered.append(call)
            let count = state.answered.count
            defer { state.observers.removeAll { $0.count <= count } }
            return state.observers.filter { $0.count <= count }.map(\.latch)
        }
        for latch in latches { latch.open() }
    }
}

extension FaultyStore {
    /// Something that is to go wrong.
    private struct Fault {
        enum Subject {
            case everything
            case operation(StoreOperation)
            case record(CloudRecordID)
        }

        enum Effect {
            case fail(CloudError)
            case loseResponse
            case delay(Duration)
            case hold(StoreGate)
        }

        let subject: Subject
        let calls: CallSelection
        let effect: Effect
        /// How many of the calls that the fault is about have come.
        var seen = 0

        /// Whether the fault concerns a call, which is counted if it is of its kind.
        mutating func concerns(_ call: StoreCall) -> Bool {
            let isSubject =
                switch subject {
                case .everything: true
                case .operation(let operation): call.operation == operation
                case .record(let recordID): call.recordIDs.contains(recordID)
                }
            guard isSubject else { return false }
            seen += 1
            return calls.contains(seen)
        }
    }

    private struct State {
        var faults: [Fault] = []
        var calls: [StoreCall] = []
        var answered: [StoreCall] = []
        var observers: [(count: Int, latch: Latch)] = []

        /// Notes a call and returns what is to become of it, and of single records in it.
        mutating func begin(_ call: StoreCall) -> ([Fault.Effect], [CloudRecordID: CloudError]) {
            calls.append(call)
            var effects: [Fault.Effect] = []
            var recordErrors: [CloudRecordID: CloudError] = [:]
            for index in faults.indices where faults[index].concerns(call) {
                switch (faults[index].subject, faults[index].effect) {
                case (.record(let recordID), .fail(let error)):
                    recordErrors[recordID] = recordErrors[recordID] ?? error
                case (_, let effect):
                    effects.append(effect)
                }
            }
            return (effects, recordErrors)
        }
    }
}

extension CloudError {
    fileprivate static let responseLost = CloudError(
        .serverResponseLost,
        "The request was sent, but its answer was lost.",
        remedy: "Fetch the records to see whether they were written."
    )

    /// The same error, with a record's ID if it has none.
    fileprivate func about(_ recordID: CloudRecordID) -> CloudError {
        // A conflict has its record's ID.
        guard self.recordID == nil else { return self }
        return CloudError(
            code,
            message,
            remedy: remedy,
            recordID: recordID,
            field: field,
            retryAfter: retryAfter,
            partialErrors: partialErrors
        )
    }
}
