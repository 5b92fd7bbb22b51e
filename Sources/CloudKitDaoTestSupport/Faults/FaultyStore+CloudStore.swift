import CloudKitDao

extension FaultyStore: CloudStore {
    public var capabilities: CloudCapabilities { base.capabilities }

    public func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try await answer(.fetch(recordIDs, desiredFields: desiredFields)) { errors in
            let results = try await base.fetch(recordIDs, desiredFields: desiredFields)
            return zip(recordIDs, results).map { recordID, result in errors[recordID].map { .failure($0) } ?? result }
        }
    }

    public func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        try await answer(.modify(modification)) { errors in
            if errors.isEmpty { return try await base.modify(modification) }
            return try await modify(modification, failing: errors)
        }
    }

    /// Writes the records of a batch that don't fail, or none of them if it is atomic.
    private func modify(
        _ modification: CloudModification,
        failing errors: [CloudRecordID: CloudError]
    ) async throws -> CloudModificationResult {
        if modification.isAtomic {
            return CloudModificationResult(
                saved: modification.saving.map { .failure(errors[$0.recordID] ?? .rolledBack($0.recordID)) },
                deleted: modification.deleting.map { .failure(errors[$0] ?? .rolledBack($0)) }
            )
        }
        var rest = modification
        rest.saving.removeAll { errors[$0.recordID] != nil }
        rest.deleting.removeAll { errors[$0] != nil }
        let result = try await base.modify(rest)
        var (saved, deleted) = (result.saved.makeIterator(), result.deleted.makeIterator())
        return CloudModificationResult(
            saved: modification.saving.compactMap { record in
                errors[record.recordID].map { .failure($0) } ?? saved.next()
            },
            deleted: modification.deleting.compactMap { recordID in
                errors[recordID].map { .failure($0) } ?? deleted.next()
            }
        )
    }

    public func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await answer(.page(query, after: cursor, limit: limit)) { _ in
            try await base.page(query, after: cursor, limit: limit)
        }
    }

    public func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID?,
        limit: Int
    ) async throws -> CloudChanges {
        try await answer(.changes(since: token, in: zoneID, limit: limit)) { _ in
            try await base.changes(since: token, in: zoneID, limit: limit)
        }
    }

    public func zones() async throws -> [CloudZoneID] {
        try await answer(.zones) { _ in try await base.zones() }
    }

    public func saveZone(_ zoneID: CloudZoneID) async throws {
        try await answer(.saveZone(zoneID)) { _ in try await base.saveZone(zoneID) }
    }

    public func deleteZone(_ zoneID: CloudZoneID) async throws {
        try await answer(.deleteZone(zoneID)) { _ in try await base.deleteZone(zoneID) }
    }

    public func subscriptions() async throws -> [CloudSubscription] {
        try await answer(.subscriptions) { _ in try await base.subscriptions() }
    }

    public func save(_ subscription: CloudSubscription) async throws {
        try await answer(.saveSubscription(subscription)) { _ in try await base.save(subscription) }
    }

    public func deleteSubscription(withID subscriptionID: String) async throws {
        try await answer(.deleteSubscription(id: subscriptionID)) { _ in
            try await base.deleteSubscription(withID: subscriptionID)
        }
    }

    public func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try await answer(.notifications) { _ in try await base.notifications() }
    }

    public func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        try await answer(.notificationPage(since: token, limit: limit)) { _ in
            try await base.notifications(since: token, limit: limit)
        }
    }

    public func markNotificationsRead(_ notificationIDs: [String]) async throws {
        try await answer(.markNotificationsRead(ids: notificationIDs)) { _ in
            try await base.markNotificationsRead(notificationIDs)
        }
    }

    public func badgeCounter() async throws -> Int {
        try await answer(.badgeCounter) { _ in try await base.badgeCounter() }
    }

    public func setBadgeCounter(_ count: Int) async throws {
        try await answer(.setBadgeCounter(count)) { _ in try await base.setBadgeCounter(count) }
    }

    public func accountStatus() async throws -> CloudAccountStatus {
        try await answer(.accountStatus) { _ in try await base.accountStatus() }
    }

    public func currentUserRecordID() async throws -> CloudRecordID {
        try await answer(.currentUserRecordID) { _ in try await base.currentUserRecordID() }
    }

    public func schema() async throws -> CloudSchema {
        try await answer(.schema) { _ in try await base.schema() }
    }

    public func extendSchema(_ schema: CloudSchema) async throws {
        try await answer(.extendSchema(schema)) { _ in try await base.extendSchema(schema) }
    }

    public func deploySchema() async throws {
        try await answer(.deploySchema) { _ in try await base.deploySchema() }
    }
}
