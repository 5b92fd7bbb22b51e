extension CloudDao {
    /// Changes what the notifications of a subscription show and carry.
    public typealias NotificationInfoHandler = (inout CloudSubscription.NotificationInfo) -> Void

    /// Subscribes to what others make, change and delete among the objects of a class that match a predicate.
    ///
    /// ```swift
    /// try await dao.subscribe(Message.self, where: \.to == me, filterId: "mine")
    /// ```
    ///
    /// The subscription is kept by the store for this client, also when the app ends: subscribing again does nothing,
    /// and with another predicate or other texts it replaces what there is. The notifications come by
    /// ``notifications()``, ``fetchChangeNotifications(_:isolation:inserted:updated:deleted:completed:errorHandler:)``
    /// and ``didReceiveRemoteNotification(_:isolation:executeIfNonQuery:inserted:updated:deleted:completed:errorHandler:)``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: What the objects match.
    ///   - filterId: The name of this filter among those of the class.
    ///   - configureNotificationInfo: Changes what the notifications show and carry; without it they are silent, and wake
    ///     the app.
    /// - Throws: ``CloudError/Code/invalidArguments`` for a wrong predicate or a field that the class does not have,
    ///   ``CloudError/Code/unsupported`` if the store keeps no subscriptions.
    public func subscribe<Object: CloudDataObject>(
        _ type: Object.Type,
        where predicate: ObjectPredicate<Object> = .all,
        filterId: String = CloudDao.allFilterId,
        configureNotificationInfo: NotificationInfoHandler? = nil
    ) async throws {
        try await save(subscription(type, predicate.predicate, filterId, configureNotificationInfo))
    }

    /// Subscribes to changes of the objects that match a predicate, see
    /// ``subscribe(_:where:filterId:configureNotificationInfo:)``.
    public func subscribe<Object: CloudDataObject>(
        _ type: Object.Type,
        predicate: CloudPredicate,
        filterId: String,
        configureNotificationInfo: NotificationInfoHandler? = nil
    ) async throws {
        try await save(subscription(type, predicate, filterId, configureNotificationInfo))
    }

    /// Subscribes to changes of the objects of a class that match a predicate.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - predicate: What the objects match.
    ///   - filterId: The name of this filter among those of the class.
    ///   - configureNotificationInfo: Changes what the notifications show and carry.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is kept.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func subscribe<Object: CloudDataObject>(
        _ type: Object,
        predicate: CloudPredicate,
        filterId: String,
        configureNotificationInfo: NotificationInfoHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startSubscribing(
            Result { try subscription(Object.self, predicate, filterId, configureNotificationInfo) },
            isolation: isolation,
            completionHandler: completionHandler,
            errorHandler: errorHandler
        )
    }

    /// Subscribes to changes of the objects of a class that refer to a record.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - referenceRecordName: The name of the record, in the default zone.
    ///   - referenceField: The field that holds the reference.
    ///   - configureNotificationInfo: Changes what the notifications show and carry.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is kept.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func subscribe<Object: CloudDataObject>(
        _ type: Object,
        referenceRecordName: String,
        referenceField: String,
        configureNotificationInfo: NotificationInfoHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        subscribe(
            type,
            predicate: .reference(referenceRecordName, in: referenceField),
            filterId: Self.filterId(referenceRecordName, in: referenceField),
            configureNotificationInfo: configureNotificationInfo,
            isolation: isolation,
            completionHandler: completionHandler,
            errorHandler: errorHandler
        )
    }

    /// Subscribes to changes of all objects of a class.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - configureNotificationInfo: Changes what the notifications show and carry.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is kept.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func subscribe<Object: CloudDataObject>(
        _ type: Object,
        configureNotificationInfo: NotificationInfoHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        subscribe(
            type,
            predicate: .all,
            filterId: Self.allFilterId,
            configureNotificationInfo: configureNotificationInfo,
            isolation: isolation,
            completionHandler: completionHandler,
            errorHandler: errorHandler
        )
    }

    private func startSubscribing(
        _ subscription: Result<CloudSubscription, any Error>,
        isolation: isolated (any Actor)?,
        completionHandler: (() -> Void)?,
        errorHandler: ((CloudError) -> Void)?
    ) -> CloudOperation {
        start(
            isolation: isolation,
            errorHandler: errorHandler,
            completionHandler: { completionHandler?() },
            work: { try await self.save(try subscription.get()) }
        )
    }

    private func save(_ subscription: CloudSubscription) async throws {
        try await store().wrappingErrors { try await $0.save(subscription) }
    }
}

extension CloudDao {
    /// The filter of a subscription to all objects of a class, as the original names it.
    public static let allFilterId = "all"

    /// The filter of a subscription to the objects that refer to a record.
    static func filterId(_ referenceRecordName: String, in referenceField: String) -> String {
        "reference_\(referenceField)_\(referenceRecordName)"
    }

    /// The ID of a class's subscription with a filter, as the original makes it.
    static func subscriptionID(recordType: String, filterId: String) -> String { "type_\(recordType)_id_\(filterId)" }

    /// Checks what a class subscribes to.
    func subscription<Object: CloudDataObject>(
        _ type: Object.Type,
        _ predicate: CloudPredicate,
        _ filterId: String,
        _ configure: NotificationInfoHandler?
    ) throws -> CloudSubscription {
        // What can't be queried can't be subscribed to.
        let query = try QueryRequest<Object>(predicate: predicate, orderBy: .success(.newestFirst)).query()
        var info = CloudSubscription.NotificationInfo()
        info.shouldSendContentAvailable = true
        configure?(&info)
        let layout = try MappingPlan.plan(for: type).layout
        let named =
            (info.desiredKeys ?? []) + (info.alertLocalizationArgs ?? []) + (info.titleLocalizationArgs ?? [])
            + (info.subtitleLocalizationArgs ?? [])
        if let name = named.first(where: { layout.index(of: $0) == nil }) {
            throw CloudError(
                .invalidArguments,
                "The subscription wants the field \(name), but class \(Object.self) has no field of this name.",
                remedy: "Correct the name in the notification info.",
                field: name
            )
        }
        let subscriptionID = Self.subscriptionID(recordType: query.recordType, filterId: filterId)
        remote.note(type, recordType: query.recordType, subscriptionID: subscriptionID)
        return CloudSubscription(
            subscriptionID: subscriptionID,
            target: .query(recordType: query.recordType, predicate),
            notificationInfo: info
        )
    }
}
