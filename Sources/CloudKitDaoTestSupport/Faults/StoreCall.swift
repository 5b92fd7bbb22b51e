import CloudKitDao

/// A kind of request to a store.
public enum StoreOperation: String, Sendable, Hashable, CaseIterable {
    case fetch, modify, page
    case changes
    case zones, saveZone, deleteZone
    case subscriptions, saveSubscription, deleteSubscription
    case notifications, notificationPage, markNotificationsRead, badgeCounter, setBadgeCounter
    case accountStatus, currentUserRecordID
    case schema, extendSchema, deploySchema
}

/// A request that was made to a ``FaultyStore``, with what was asked for.
public enum StoreCall: Sendable {
    case fetch([CloudRecordID], desiredFields: [String]?)
    case modify(CloudModification)
    case page(CloudQuery, after: CloudCursor?, limit: Int)
    case changes(since: CloudChangeToken?, in: CloudZoneID?, limit: Int)
    case zones
    case saveZone(CloudZoneID)
    case deleteZone(CloudZoneID)
    case subscriptions
    case saveSubscription(CloudSubscription)
    case deleteSubscription(id: String)
    case notifications
    case notificationPage(since: CloudChangeToken?, limit: Int)
    case markNotificationsRead(ids: [String])
    case badgeCounter
    case setBadgeCounter(Int)
    case accountStatus
    case currentUserRecordID
    case schema
    case extendSchema(CloudSchema)
    case deploySchema

    /// The kind of the request.
    public var operation: StoreOperation {
        switch self {
        case .fetch: .fetch
        case .modify: .modify
        case .page: .page
        case .changes: .changes
        case .zones: .zones
        case .saveZone: .saveZone
        case .deleteZone: .deleteZone
        case .subscriptions: .subscriptions
        case .saveSubscription: .saveSubscription
        case .deleteSubscription: .deleteSubscription
        case .notifications: .notifications
        case .notificationPage: .notificationPage
        case .markNotificationsRead: .markNotificationsRead
        case .badgeCounter: .badgeCounter
        case .setBadgeCounter: .setBadgeCounter
        case .accountStatus: .accountStatus
        case .currentUserRecordID: .currentUserRecordID
        case .schema: .schema
        case .extendSchema: .extendSchema
        case .deploySchema: .deploySchema
        }
    }

    /// The records that the request names: those to save, then those to delete, or those to fetch.
    public var recordIDs: [CloudRecordID] {
        switch self {
        case .fetch(let recordIDs, _): recordIDs
        case .modify(let modification): modification.saving.map(\.recordID) + modification.deleting
        default: []
        }
    }
}
