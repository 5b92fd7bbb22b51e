import Synchronization

/// Tells the live queries of a database what this process writes to it: a store tells its clients only what others do.
final class LocalWrites: Sendable {
    /// The results of single records with their IDs.
    typealias Results<Value> = [(recordID: CloudRecordID, result: Result<Value, CloudError>)]

    enum Event: Sendable {
        case began(Int, saving: [CloudRecord], deleting: [CloudRecordID])
        case ended(Int, saved: Results<CloudRecord>, deleted: Results<CloudRecordID>)
    }

    private struct State {
        var listeners: [Int: @Sendable (Event) -> Void] = [:]
        var lastNumber = 0
        /// How many live queries use each subscription.
        var subscriptionUses: [String: Int] = [:]
    }

    private let state = Mutex(State())
    // Keeps the identity that it is registered under from being given to another store.
    private let store: (any CloudStore)?

    private init(of store: (any CloudStore)?) {
        self.store = store
    }

    /// Those of a database that has one DAO only.
    convenience init() { self.init(of: nil) }

    private struct Registration: Sendable {
        weak var writes: LocalWrites?
    }

    private static let registry = Mutex<[ObjectIdentifier: Registration]>([:])

    /// Those of a store, the same for all DAOs on it.
    static func shared(by store: any CloudStore) -> LocalWrites {
        guard type(of: store) is AnyClass else { return LocalWrites() }
        return registry.withLock { registry in
            let identifier = ObjectIdentifier(store as AnyObject)
            if let writes = registry[identifier]?.writes { return writes }
            let writes = LocalWrites(of: store)
            registry = registry.filter { $0.value.writes != nil }
            registry[identifier] = Registration(writes: writes)
            return writes
        }
    }

    /// Calls a closure with all events from now on, on any thread, in the order of the events of each record.
    func listen(_ listener: @escaping @Sendable (Event) -> Void) -> Int {
        state.withLock { state in
            state.lastNumber += 1
            state.listeners[state.lastNumber] = listener
            return state.lastNumber
        }
    }

    func stopListening(_ number: Int) {
        // Freed outside of the lock: what it holds may come back here.
        _ = state.withLock { $0.listeners.removeValue(forKey: number) }
    }

    /// Announces a write. Its end has to be told, in each case.
    func begin(_ request: ModifyRequest) -> Int {
        let (number, listeners) = state.withLock { state in
            state.lastNumber += 1
            return (state.lastNumber, Array(state.listeners.values))
        }
        if !listeners.isEmpty {
            let event = Event.began(number, saving: request.saving.records, deleting: request.deleting)
            for listener in listeners { listener(event) }
        }
        return number
    }

    /// Tells what became of a write.
    func end(_ number: Int, of request: ModifyRequest, _ outcome: Result<CloudModificationResult, CloudError>) {
        let listeners = state.withLock { Array($0.listeners.values) }
        guard !listeners.isEmpty else { return }
        let savedIDs = request.saving.recordIDs
        let saved: [Result<CloudRecord, CloudError>]
        let deleted: [Result<CloudRecordID, CloudError>]
        switch outcome {
        case .success(let result): (saved, deleted) = (result.saved, result.deleted)
        case .failure(let error):
            saved = savedIDs.map { _ in .failure(error) }
            deleted = request.deleting.map { _ in .failure(error) }
        }
        let savedResults = zip(savedIDs, saved).compactMap { recordID, result in
            recordID.map { (recordID: $0, result: result) }
        }
        let deletedResults = zip(request.deleting, deleted).map { (recordID: $0, result: $1) }
        for listener in listeners { listener(.ended(number, saved: savedResults, deleted: deletedResults)) }
    }

    // MARK: Subscriptions

    func use(subscription subscriptionID: String) {
        state.withLock { $0.subscriptionUses[subscriptionID, default: 0] += 1 }
    }

    func isUsed(subscription subscriptionID: String) -> Bool {
        state.withLock { $0.subscriptionUses[subscriptionID] != nil }
    }

    /// Returns whether nobody uses it any more.
    func endUse(ofSubscription subscriptionID: String) -> Bool {
        state.withLock { state in
            let uses = (state.subscriptionUses[subscriptionID] ?? 1) - 1
            state.subscriptionUses[subscriptionID] = uses > 0 ? uses : nil
            return uses <= 0
        }
    }
}
