import CloudKitDao
import Synchronization

/// A database with several clients, each of which is notified of what the others do.
final class SharedDatabase: Sendable {
    let base: SQLiteStore
    private let clients = Mutex<[ClientStore]>([])

    init() throws {
        base = try SQLiteStore.inMemory()
    }

    func client() -> ClientStore {
        let client = ClientStore(self)
        clients.withLock { $0.append(client) }
        return client
    }

    fileprivate func tell(
        _ before: [CloudRecordID: CloudRecord],
        _ after: [CloudRecordID: CloudRecord?],
        by writer: ClientStore
    ) {
        for client in clients.withLock({ $0 }) where client !== writer {
            for (recordID, record) in after { client.receive(before[recordID], record, of: recordID) }
        }
    }
}

/// One client of a shared database, which can be cut off.
final class ClientStore: CloudStore {
    private struct State {
        var subscriptions: [String: CloudSubscription] = [:]
        var streams: [AsyncThrowingStream<CloudNotification, any Error>.Continuation] = []
        var failure: CloudError?
        var modifyFailure: CloudError?
        var losesNotifications = false
        var pageCount = 0
        var modifyGate: Gate?
        var pageGate: Gate?
        var readNotifications: [String] = []
    }

    private let database: SharedDatabase
    private let state = Mutex(State())

    init(_ database: SharedDatabase) {
        self.database = database
    }

    // MARK: Faults

    /// Lets everything fail, as without a network; nil ends that.
    func fail(with error: CloudError?) { state.withLock { $0.failure = error } }

    /// Lets saves and deletes fail.
    func failModifications(with error: CloudError?) { state.withLock { $0.modifyFailure = error } }

    /// Lets saves and deletes wait before they are done.
    func holdModifications(at gate: Gate?) { state.withLock { $0.modifyGate = gate } }

    /// Lets pages wait before they are read.
    func holdPages(at gate: Gate?) { state.withLock { $0.pageGate = gate } }

    func loseNotifications(_ loses: Bool) { state.withLock { $0.losesNotifications = loses } }

    /// Ends the streams of notifications.
    func endStreams(with error: CloudError) {
        let streams = state.withLock { state in
            defer { state.streams = [] }
            return state.streams
        }
        for stream in streams { stream.finish(throwing: error) }
    }

    var subscriptionIDs: [String] { state.withLock { $0.subscriptions.keys.sorted() } }
    var readNotifications: [String] { state.withLock { $0.readNotifications } }
    var pageCount: Int { state.withLock { $0.pageCount } }

    private func check() throws {
        if let failure = state.withLock({ $0.failure }) { throw failure }
    }

    /// What another client did.
    func receive(_ before: CloudRecord?, _ after: CloudRecord?, of recordID: CloudRecordID) {
        let (subscriptions, streams) = state.withLock { state in
            state.losesNotifications ? ([], []) : (Array(state.subscriptions.values), state.streams)
        }
        for subscription in subscriptions {
            guard case .query(let recordType, let predicate) = subscription.target,
                let compiled = try? CompiledPredicate(predicate)
            else { continue }
            func matches(_ record: CloudRecord?) -> Bool {
                record.map { $0.recordType == recordType && compiled.matches($0) } ?? false
            }
            let event: CloudSubscription.Event
            switch (matches(before), matches(after)) {
            case (false, false): continue
            case (false, true): event = .create
            case (true, true): event = .update
            case (true, false): event = .delete
            }
            for stream in streams {
                stream.yield(
                    CloudNotification(subscriptionID: subscription.subscriptionID, event: event, recordID: recordID)
                )
            }
        }
    }

    /// Notifies the client of something that nobody did.
    func notify(_ recordID: CloudRecordID, subscriptionID: String) {
        for stream in state.withLock({ $0.streams }) {
            stream.yield(CloudNotification(subscriptionID: subscriptionID, event: .update, recordID: recordID))
        }
    }

    // MARK: CloudStore

    var capabilities: CloudCapabilities {
        CloudCapabilities(
            storeName: "ClientStore",
            supported: database.base.capabilities.supported.union([.subscriptions, .notifications])
        )
    }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try check()
        return try await database.base.fetch(recordIDs, desiredFields: desiredFields)
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        await state.withLock { $0.modifyGate }?.wait()
        try check()
        if let failure = state.withLock({ $0.modifyFailure }) { throw failure }
        let recordIDs = modification.saving.map(\.recordID) + modification.deleting
        let before = try await database.base.fetch(recordIDs, desiredFields: nil).compactMap { try? $0.get() }
        let result = try await database.base.modify(modification)
        var after: [CloudRecordID: CloudRecord?] = [:]
        for case .success(let record) in result.saved { after[record.recordID] = .some(record) }
        for case .success(let recordID) in result.deleted { after[recordID] = .some(nil) }
        database.tell(Dictionary(uniqueKeysWithValues: before.map { ($0.recordID, $0) }), after, by: self)
        return result
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        let gate = state.withLock { state in
            state.pageCount += 1
            return state.pageGate
        }
        await gate?.wait()
        try check()
        return try await database.base.page(query, after: cursor, limit: limit)
    }

    func subscriptions() async throws -> [CloudSubscription] {
        try check()
        return state.withLock { Array($0.subscriptions.values) }
    }

    func save(_ subscription: CloudSubscription) async throws {
        try check()
        state.withLock { $0.subscriptions[subscription.subscriptionID] = subscription }
    }

    func deleteSubscription(withID subscriptionID: String) async throws {
        try check()
        state.withLock { $0.subscriptions[subscriptionID] = nil }
    }

    func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try check()
        let (stream, continuation) = AsyncThrowingStream<CloudNotification, any Error>.makeStream()
        state.withLock { $0.streams.append(continuation) }
        return stream
    }

    func markNotificationsRead(_ notificationIDs: [String]) async throws {
        try check()
        state.withLock { $0.readNotifications += notificationIDs }
    }

    func currentUserRecordID() async throws -> CloudRecordID { try await database.base.currentUserRecordID() }
}
