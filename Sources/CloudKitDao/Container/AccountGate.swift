/// A container's store, open as far as the container's account allows.
///
/// Private and shared databases are for their user only; the public one can be read by anybody and is written by
/// whoever is signed in. What was read in a user's name is not handed out when the user has gone meanwhile.
final class AccountGate: CloudStore {
    private let base: any CloudStore
    private let scope: CloudDatabaseScope
    private let containerIdentifier: String?
    private let account: ContainerAccount
    /// The user that the store was opened for.
    private let user: CloudRecordID

    init(
        _ base: any CloudStore,
        scope: CloudDatabaseScope,
        containerIdentifier: String?,
        account: ContainerAccount,
        user: CloudRecordID
    ) {
        self.base = base
        self.scope = scope
        self.containerIdentifier = containerIdentifier
        self.account = account
        self.user = user
    }

    var capabilities: CloudCapabilities { base.capabilities }

    private func checkUser() throws {
        _ = try account.user(owner: user)
    }

    private func reading<Value>(_ body: (any CloudStore) async throws -> Value) async throws -> Value {
        if scope == .public { return try await body(base) }
        try checkUser()
        let value = try await body(base)
        try checkUser()
        return value
    }

    private func writing<Value>(_ body: (any CloudStore) async throws -> Value) async throws -> Value {
        try checkUser()
        return try await body(base)
    }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try await reading { try await $0.fetch(recordIDs, desiredFields: desiredFields) }
    }

    func fetchRows(_ recordIDs: [CloudRecordID], desiredFields: [String]?) async throws -> CloudFetchedRows {
        try await reading { try await $0.fetchRows(recordIDs, desiredFields: desiredFields) }
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        try await writing { try await $0.modify(modification) }
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await reading { try await $0.page(query, after: cursor, limit: limit) }
    }

    func rows(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudRows {
        try await reading { try await $0.rows(query, after: cursor, limit: limit) }
    }

    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) async throws -> CloudChanges {
        try await reading { try await $0.changes(since: token, in: zoneID, limit: limit) }
    }

    func zones() async throws -> [CloudZoneID] {
        try await reading { try await $0.zones() }
    }

    func saveZone(_ zoneID: CloudZoneID) async throws {
        guard scope != .public || zoneID.isDefault else {
            throw CloudError(
                .badDatabase,
                "Zone \(zoneID) can't be saved in a public database, which has the default zone only.",
                remedy: "Save the zone in the private database."
            )
        }
        try await writing { try await $0.saveZone(zoneID) }
    }

    func deleteZone(_ zoneID: CloudZoneID) async throws {
        try await writing { try await $0.deleteZone(zoneID) }
    }

    func subscriptions() async throws -> [CloudSubscription] {
        try await reading { try await $0.subscriptions() }
    }

    func save(_ subscription: CloudSubscription) async throws {
        try await writing { try await $0.save(subscription) }
    }

    func deleteSubscription(withID subscriptionID: String) async throws {
        try await writing { try await $0.deleteSubscription(withID: subscriptionID) }
    }

    func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        let stream = try await reading { try await $0.notifications() }
        return AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    for try await notification in stream {
                        if scope != .public { try checkUser() }
                        continuation.yield(named(notification))
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The notification with the database that it comes from.
    private func named(_ notification: CloudNotification) -> CloudNotification {
        var notification = notification
        notification.databaseScope = scope
        notification.containerIdentifier = containerIdentifier
        return notification
    }

    func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        let page = try await reading { try await $0.notifications(since: token, limit: limit) }
        return CloudNotificationPage(
            notifications: page.notifications.map(named),
            token: page.token,
            moreComing: page.moreComing
        )
    }

    func markNotificationsRead(_ notificationIDs: [String]) async throws {
        try await reading { try await $0.markNotificationsRead(notificationIDs) }
    }

    func badgeCounter() async throws -> Int {
        try await reading { try await $0.badgeCounter() }
    }

    func setBadgeCounter(_ count: Int) async throws {
        try await reading { try await $0.setBadgeCounter(count) }
    }

    func accountStatus() async throws -> CloudAccountStatus {
        let current = account.current
        guard current.status == .available else { return current.status }
        if scope != .public, current.userRecordID != user { return .noAccount }
        return try await base.accountStatus()
    }

    func currentUserRecordID() async throws -> CloudRecordID {
        try checkUser()
        return try await base.currentUserRecordID()
    }

    func schema() async throws -> CloudSchema {
        try await reading { try await $0.schema() }
    }

    func extendSchema(_ schema: CloudSchema) async throws {
        try await writing { try await $0.extendSchema(schema) }
    }

    func deploySchema() async throws {
        try await writing { try await $0.deploySchema() }
    }
}
