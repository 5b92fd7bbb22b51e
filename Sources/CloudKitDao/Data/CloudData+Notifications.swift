import Foundation

extension CloudData {
    /// Brings all connections up to date with the store, and tells each change.
    ///
    /// Call it when the app comes to the foreground: a notification may have been lost on its way.
    ///
    /// - Parameter completed: Is called when all connections have read what they show, or can't now.
    public func fetchChangeNotifications(_ completed: @escaping () -> Void = {}) {
        let connections = Array(connections.values)
        Task {
            for connection in connections { await connection.refresh() }
            completed()
        }
    }

    /// Takes a push, as the system hands it to the app, and brings the connections that it is about up to date.
    ///
    /// The push is taken for a hint: what it is about is read from the store. One that says too little, since it was too
    /// long for its way, makes all connections read everything anew.
    ///
    /// - Parameters:
    ///   - userInfo: The push.
    ///   - executeIfNonQuery: Is called for a push that is not of a query's subscription.
    ///   - completed: Is called, once, when everything is read, or can't be read now.
    public func didReceiveRemoteNotification(
        _ userInfo: [AnyHashable: Any],
        executeIfNonQuery: () -> Void,
        completed: @escaping () -> Void
    ) {
        guard let push = userInfo["ck"] as? [AnyHashable: Any] else {
            executeIfNonQuery()
            return completed()
        }
        guard let query = push["qry"] as? [AnyHashable: Any] else {
            executeIfNonQuery()
            return fetchChangeNotifications(completed)
        }
        guard let subscriptionID = query["sid"] as? String, let recordName = query["rid"] as? String else {
            return fetchChangeNotifications(completed)
        }
        let zoneName = query["zid"] as? String ?? CloudZoneID.defaultZoneName
        let owner = query["zoid"] as? String ?? CloudZoneID.currentOwnerName
        let recordID = CloudRecordID(recordName, zone: CloudZoneID(zoneName, ownerName: owner))
        let concerned = connections.values.filter { $0.subscriptionID == subscriptionID }
        for connection in concerned { connection.readAgain([recordID]) }
        Task {
            for connection in concerned { await connection.settle() }
            completed()
        }
    }

    /// The name of a notification in the notification center: `NL.EVICT.CloudKit.mine.inserted`, for instance.
    ///
    /// Its object is the `CloudData`. In its `userInfo` are `filterId`, and
    /// - of `completed`: `results`, and `status` as the raw value of a ``CompletionStatus``
    /// - of `inserted` and `updated`: `item`, and `dataIndex`, its position; of `updated` also `oldDataIndex`
    /// - of `deleted`: `recordId`, the record name, and `dataIndex`, its last position
    /// - of `error`: `error`.
    ///
    /// Each of them but `error` is followed by a `dataChanged`.
    public nonisolated static func getNotificationCenterId(
        _ filterId: String,
        changeType: DataChangeNotificationType = .dataChanged
    ) -> String {
        "NL.EVICT.CloudKit.\(filterId).\(changeType.rawValue)"
    }

    /// How far a connection is that has posted `completed`; nil for another notification.
    public nonisolated static func getCompletionStatusFromNotification(
        _ notification: Notification
    ) -> CompletionStatus? {
        (notification.userInfo?["status"] as? Int).flatMap(CompletionStatus.init)
    }

    func post(_ type: DataChangeNotificationType, _ filterId: String, _ info: [String: Any]) {
        var info = info
        info["filterId"] = filterId
        NotificationCenter.default.post(
            name: Notification.Name(Self.getNotificationCenterId(filterId, changeType: type)),
            object: self,
            userInfo: info
        )
    }
}
