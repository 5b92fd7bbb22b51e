/// Turns notifications into changes with objects, one delivery at a time.
struct RemoteDelivery {
    private static let pageSize = 200

    let dao: CloudDao
    let store: any CloudStore
    private var remote: RemoteState { dao.remote }

    init(_ dao: CloudDao) async throws {
        self.dao = dao
        store = try await dao.store()
    }

    // MARK: What is unread

    /// Delivers all unread notifications, in order. Each page is marked as read when it was delivered.
    ///
    /// - Parameter skipped: A notification that was dealt with already: it is only marked.
    /// - Throws: The error of the store; what was not delivered stays unread.
    func deliverUnread(skipping skipped: String?, _ body: (CloudRemoteChange) -> Void) async throws {
        await remote.beginDelivery()
        defer { remote.endDelivery() }
        var token: CloudChangeToken?
        var isAnew = false
        while true {
            try CloudDao.checkCancellation()
            let page: CloudNotificationPage
            do {
                page = try await store.wrappingErrors { try await $0.notifications(since: token, limit: Self.pageSize) }
            } catch let error as CloudError where error.code == .changeTokenExpired && token != nil && !isAnew {
                // What was dropped meanwhile is lost, and what is left is still there.
                (token, isAnew) = (nil, true)
                continue
            }
            let (read, error) = try await deliver(page.notifications, skipping: skipped, body)
            if !read.isEmpty { try await store.wrappingErrors { try await $0.markNotificationsRead(read) } }
            if let error { throw error }
            guard page.moreComing else { return }
            token = page.token
        }
    }

    /// Delivers notifications of which the objects are fetched first, all at once.
    ///
    /// - Returns: Those that are dealt with, and why others are not: their objects could not be fetched now.
    private func deliver(
        _ notifications: [CloudNotification],
        skipping skipped: String?,
        _ body: (CloudRemoteChange) -> Void
    ) async throws -> (read: [String], error: CloudError?) {
        var records = try await records(notifications.filter { $0.event != .delete }.map(\.recordID))
        var read: [String] = []
        var failure: CloudError?
        for notification in notifications {
            let notificationID = notification.notificationID
            if let error = records[notification.recordID]?.lasting {
                failure = failure ?? error
                continue
            }
            read.append(notificationID)
            guard notificationID != skipped, remote.claim(notificationID) else { continue }
            let change = change(
                notification.event,
                of: notification.recordID,
                subscriptionID: notification.subscriptionID,
                &records
            )
            if let change { body(change) }
        }
        return (read, failure)
    }

    // MARK: A single push

    /// Delivers what a push reports, unless that was done before.
    func deliver(_ push: CloudRemoteNotification, _ body: (CloudRemoteChange) -> Void) async throws {
        guard let event = push.event, let recordID = push.recordID else { return }
        await remote.beginDelivery()
        defer { remote.endDelivery() }
        var records = event == .delete ? [:] : try await records([recordID])
        if let error = records[recordID]?.lasting { throw error }
        if let notificationID = push.notificationID, !remote.claim(notificationID) { return }
        if let change = change(event, of: recordID, subscriptionID: push.subscriptionID, &records) { body(change) }
    }

    /// Whether a push is about this database: by its container and its subscription, and by its scope if it names none.
    func isConcerned(by push: CloudRemoteNotification) async throws -> Bool {
        let database = dao.database
        if let identifier = push.containerIdentifier, let own = database?.containerIdentifier, identifier != own {
            return false
        }
        if let subscriptionID = push.subscriptionID, store.capabilities.supported.contains(.subscriptions) {
            return try await store.wrappingErrors { try await $0.subscriptions() }
                .contains { $0.subscriptionID == subscriptionID }
        }
        guard let scope = push.databaseScope, let own = database?.scope else { return true }
        return scope == own
    }

    // MARK: Objects

    private typealias Records = [CloudRecordID: Result<CloudRecord, CloudError>]

    private func records(_ recordIDs: [CloudRecordID]) async throws -> Records {
        var seen: Set<CloudRecordID> = []
        let recordIDs = recordIDs.filter { seen.insert($0).inserted }
        if recordIDs.isEmpty { return [:] }
        var records: Records = [:]
        try await store.fetchInPieces(recordIDs) { answer, ids in
            for (recordID, result) in zip(ids, answer.results(of: Array(ids))) { records[recordID] = result }
        }
        return records
    }

    /// The change with its object; nil if there is nothing to deliver: the record is gone again, which another
    /// notification tells, or can't be mapped, which is reported.
    private func change(
        _ event: CloudSubscription.Event,
        of recordID: CloudRecordID,
        subscriptionID: String?,
        _ records: inout Records
    ) -> CloudRemoteChange? {
        if event == .delete { return .deleted(recordID) }
        guard case .success(let record)? = records[recordID] else { return nil }
        do {
            let object = try object(of: record, subscriptionID: subscriptionID)
            return event == .create ? .inserted(object) : .updated(object)
        } catch {
            // Once, however many notifications are about it.
            records[recordID] = .failure(.gone)
            dao.report(mappingFailure: CloudError(error))
            return nil
        }
    }

    private func object(of record: CloudRecord, subscriptionID: String?) throws -> CloudDataObject {
        guard let type = remote.type(ofRecordType: record.recordType, subscriptionID: subscriptionID) else {
            throw CloudError(
                .mappingFailed,
                "A notification is about record \(record.recordID), a \(record.recordType), whose class is not known.",
                remedy: "Call register(_:) with the class before notifications are delivered, or subscribe to it.",
                recordID: record.recordID
            )
        }
        let plan = try MappingPlan.plan(for: type)
        guard record.recordType == plan.layout.recordType else {
            throw CloudError(
                .mappingFailed,
                "Record \(record.recordID) is a \(record.recordType), not a \(plan.layout.recordType).",
                remedy: "Subscribe to it with the class of its record type.",
                recordID: record.recordID
            )
        }
        return try plan.makeObject(type, from: record, binding: plan.binding(for: record.layout))
    }
}

extension CloudError {
    /// Stands for a record that is not to be looked at again.
    fileprivate static let gone = CloudError(.unknownItem, "The record is gone.")
}

extension Result where Failure == CloudError {
    /// The error that keeps the record from being read though it may be there.
    fileprivate var lasting: CloudError? {
        if case .failure(let error) = self, error.code != .unknownItem { error } else { nil }
    }
}
