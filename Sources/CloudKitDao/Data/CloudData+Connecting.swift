extension CloudData {
    /// Connects an array under a name to the objects of a class that match a predicate.
    ///
    /// The completion handler is called at once, with what the cache has (``CompletionStatus/fromCache``) or with nothing
    /// (``CompletionStatus/retrieving``). Then it gets what was read so far, in the array's order, as long as it returns
    /// true (``CompletionStatus/partialResult``), and at the end, always, all of it (``CompletionStatus/finalResult``).
    /// If it returned false before, the array ends where it said so: what comes later in the order is not followed.
    /// Without a completion handler everything is read.
    ///
    /// An error is told once; the connection goes on trying if it may pass, keeps what it shows meanwhile, and catches up.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - predicate: What the objects match.
    ///   - orderBy: Their order.
    ///   - filterId: The name, one for each predicate. A connection that has it already is replaced.
    ///   - cachingStrategy: When the cache file is written. It is read unless this is ``CachingStrategy/none``.
    ///   - postNotifications: Whether changes are posted to the notification center too.
    ///   - configureNotificationInfo: Sets what the notifications of the subscription show.
    ///   - completionHandler: Gets the results and how far they are; returns whether to read on.
    ///   - insertedHandler: Gets each object that came in.
    ///   - updatedHandler: Gets each object that changed, and its position now.
    ///   - deletedHandler: Gets the record name of each object that went, and its last position.
    ///   - changeHandler: Gets each of these changes with all positions, before the other handlers.
    ///   - dataChangedHandler: Is called after each change.
    ///   - errorHandler: Gets the error of the query, the subscription or the cache.
    /// - Returns: The connection, by which it can be ended without ending one that has replaced it.
    @discardableResult
    public func connect<Object: CloudDataObject>(
        _ type: Object,
        predicate: CloudPredicate = .all,
        orderBy: OrderBy = .newestFirst,
        filterId: String,
        cachingStrategy: CachingStrategy = .direct,
        postNotifications: Bool? = nil,
        configureNotificationInfo: ((inout CloudSubscription.NotificationInfo) -> Void)? = nil,
        completionHandler: (([Object], CompletionStatus) -> Bool)? = nil,
        insertedHandler: ((Object) -> Void)? = nil,
        updatedHandler: ((Object, Int) -> Void)? = nil,
        deletedHandler: ((String, Int) -> Void)? = nil,
        changeHandler: ((LiveChange<Object>) -> Void)? = nil,
        dataChangedHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudDataConnection {
        let token = CloudDataConnection(self, filterId)
        let handlers = DataHandlers(
            completion: completionHandler,
            inserted: insertedHandler,
            updated: updatedHandler,
            deleted: deletedHandler,
            changed: changeHandler,
            dataChanged: dataChangedHandler,
            error: errorHandler
        )
        end(filterId, unsubscribe: false)
        var info = CloudSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        configureNotificationInfo?(&info)
        do {
            let live = try LiveQuery<Object>(
                dao,
                QueryRequest(predicate: predicate, orderBy: .success(orderBy), batchSize: 100),
                subscriptionID: "type_\(Object.recordType)_id_\(filterId)",
                notificationInfo: info,
                clock: clock
            )
            let connection = Connection(
                live,
                of: self,
                token: token,
                cachingStrategy: cachingStrategy,
                postsNotifications: postNotifications ?? false,
                handlers: handlers
            )
            connections[filterId] = connection
            data[filterId] = []
            connection.start()
        } catch {
            CloudDao.handle(CloudError(error), by: errorHandler)
            if postNotifications == true { post(.error, filterId, ["error": CloudError(error)]) }
        }
        return token
    }

    /// Ends a connection: its array goes, and no handler is called any more but `dataChangedHandler`, which is called now.
    ///
    /// - Parameters:
    ///   - filterId: The name of the connection; one that does not exist is not an error.
    ///   - unsubscribe: Whether its subscription is deleted too. If it stays, the next connection under the name goes on
    ///     with it.
    public func disconnect(_ filterId: String, unsubscribe: Bool = false) {
        end(filterId, unsubscribe: unsubscribe)?.tellEnd()
    }

    /// Ends all connections, see ``disconnect(_:unsubscribe:)``.
    public func disconnectAll(unsubscribe: Bool = false) {
        for filterId in connections.keys.sorted() { disconnect(filterId, unsubscribe: unsubscribe) }
    }

    @discardableResult
    func end(_ filterId: String, unsubscribe: Bool) -> (any DataConnection)? {
        guard let connection = connections.removeValue(forKey: filterId) else { return nil }
        connection.stop(unsubscribe: unsubscribe)
        data[filterId] = nil
        return connection
    }
}

/// A connection of ``CloudData``, by which whoever made it can end it.
@MainActor
public final class CloudDataConnection {
    /// The name of the connection.
    public let filterId: String
    private weak var owner: CloudData?

    init(_ owner: CloudData, _ filterId: String) {
        self.owner = owner
        self.filterId = filterId
    }

    /// Whether the connection is the one of its name: it was not ended, nor replaced by another one.
    public var isConnected: Bool { owner?.connections[filterId]?.token === self }

    /// Ends the connection, see ``CloudData/disconnect(_:unsubscribe:)``, unless another one has replaced it.
    public func disconnect(unsubscribe: Bool = false) {
        if isConnected { owner?.disconnect(filterId, unsubscribe: unsubscribe) }
    }
}
