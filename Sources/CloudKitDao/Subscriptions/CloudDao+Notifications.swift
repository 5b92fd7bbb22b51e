extension CloudDao {
    /// Makes classes known whose objects notifications are about.
    ///
    /// Subscribing does this too. Call it at the start for notifications that come before anything is subscribed to anew.
    ///
    /// - Throws: The error of a class that can't be mapped.
    public func register(_ types: CloudDataObject.Type...) throws {
        for type in types {
            remote.note(type, recordType: try MappingPlan.plan(for: type).layout.recordType, replaces: true)
        }
    }

    /// Returns the notifications of this client's subscriptions from now on, in the order of the changes.
    ///
    /// A server sends them on as pushes with ``CloudRemoteNotification``. See ``CloudStore/notifications()``.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` if the store has no notifications.
    public func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try await store().wrappingErrors { try await $0.notifications() }
    }

    /// Delivers what others have changed since the notifications were last read, in order, and marks it as read.
    ///
    /// Objects are fetched, so they are as they are now. One that can't be mapped is reported to
    /// ``mappingFailureHandler``. If the body returns, its change counts as delivered.
    ///
    /// - Parameters:
    ///   - notificationID: A notification that was dealt with already.
    ///   - body: Gets each change once, on the actor of the caller.
    /// - Throws: ``CloudError/Code/unsupported`` if the store has no notifications. After any error, what was not
    ///   delivered stays unread.
    public func fetchChangeNotifications(
        skipping notificationID: String? = nil,
        _ body: (CloudRemoteChange) -> Void
    ) async throws {
        try await RemoteDelivery(self).deliverUnread(skipping: notificationID, body)
    }

    /// Delivers what a push reports, and what was not read before it.
    ///
    /// - Parameters:
    ///   - push: The push.
    ///   - body: Gets each change once, on the actor of the caller.
    /// - Returns: False, and nothing is done, if the push is of another database or another's subscription.
    @discardableResult
    public func didReceive(
        _ push: CloudRemoteNotification,
        _ body: (CloudRemoteChange) -> Void
    ) async throws -> Bool {
        let delivery = try await RemoteDelivery(self)
        guard try await delivery.isConcerned(by: push) else { return false }
        // What came before it first. A push that is kept as a notification too is delivered by this.
        if delivery.store.capabilities.supported.contains(.notifications) {
            try await delivery.deliverUnread(skipping: nil, body)
        }
        try await delivery.deliver(push, body)
        return true
    }

    /// Delivers what others have changed since the notifications were last read, in order, and marks it as read.
    ///
    /// - Parameters:
    ///   - notificationID: A notification that was dealt with already; nil, as at the start of an app, skips none.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - inserted: Gets the record name and object of each new record.
    ///   - updated: Gets the record name and object of each changed record.
    ///   - deleted: Gets the record name of each record that was deleted, or left what was subscribed to.
    ///   - completed: Called once, after all others, also after an error.
    ///   - errorHandler: Gets the error; what was not delivered stays unread.
    @discardableResult
    public func fetchChangeNotifications(
        _ notificationID: String? = nil,
        isolation: isolated (any Actor)? = #isolation,
        inserted: @escaping (String, CloudDataObject) -> Void,
        updated: @escaping (String, CloudDataObject) -> Void,
        deleted: @escaping (String) -> Void,
        completed: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        CloudOperation(
            Task {
                _ = isolation
                do {
                    try await self.fetchChangeNotifications(skipping: notificationID) { change in
                        Self.pass(change, inserted, updated, deleted)
                    }
                } catch {
                    Self.handle(CloudError(error), by: errorHandler)
                }
                completed()
            }
        )
    }

    /// Delivers what a push reports, and what was not read before it.
    ///
    /// ```swift
    /// dao.didReceiveRemoteNotification(userInfo, executeIfNonQuery: {},
    ///     inserted: { name, item in … }, updated: { name, item in … }, deleted: { name in … },
    ///     completed: { completionHandler(.newData) })
    /// ```
    ///
    /// A push of another container, or about a subscription that this database does not have, delivers nothing. One of
    /// which parts are missing leads to a fetch of what is unread.
    ///
    /// - Parameters:
    ///   - userInfo: The push as the system hands it over.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - executeIfNonQuery: Called at first if the push is none of CloudKit's, or of a zone or database subscription.
    ///   - inserted: Gets the record name and object of each new record.
    ///   - updated: Gets the record name and object of each changed record.
    ///   - deleted: Gets the record name of each record that was deleted, or left what was subscribed to.
    ///   - completed: Called once, after all others, also after an error: then the app may be suspended.
    ///   - errorHandler: Gets the error; what was not delivered stays unread.
    @discardableResult
    public func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        isolation: isolated (any Actor)? = #isolation,
        executeIfNonQuery: @escaping () -> Void,
        inserted: @escaping (String, CloudDataObject) -> Void,
        updated: @escaping (String, CloudDataObject) -> Void,
        deleted: @escaping (String) -> Void,
        completed: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let push = CloudRemoteNotification(userInfo)
        return CloudOperation(
            Task {
                _ = isolation
                if push == nil || push?.kind == .zone || push?.kind == .database { executeIfNonQuery() }
                if let push {
                    do {
                        try await self.didReceive(push) { Self.pass($0, inserted, updated, deleted) }
                    } catch {
                        Self.handle(CloudError(error), by: errorHandler)
                    }
                }
                completed()
            }
        )
    }

    private static func pass(
        _ change: CloudRemoteChange,
        _ inserted: (String, CloudDataObject) -> Void,
        _ updated: (String, CloudDataObject) -> Void,
        _ deleted: (String) -> Void
    ) {
        switch change {
        case .inserted(let object): inserted(object.recordID.recordName, object)
        case .updated(let object): updated(object.recordID.recordName, object)
        case .deleted(let recordID): deleted(recordID.recordName)
        }
    }
}
