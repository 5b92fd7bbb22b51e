/// A wish to hear of changes, kept by the store.
public struct CloudSubscription: Sendable, Hashable, Codable {
    /// Which change the client hears of.
    public enum Event: String, Sendable, Hashable, Codable, CaseIterable {
        case create, update, delete
    }

    /// What the subscription is to.
    public enum Target: Sendable, Hashable, Codable {
        /// Records of a type that match a predicate.
        case query(recordType: String, CloudPredicate)
        /// All records of a zone.
        case zone(CloudZoneID)
        /// All records of the database.
        case database
    }

    /// The subscription's name, unique in its database for one user.
    public let subscriptionID: String

    /// What the subscription is to.
    public let target: Target

    /// The changes to hear of; at least one.
    public let events: Set<Event>

    /// Whether the subscription ends with its first notification.
    public let firesOnce: Bool

    /// Makes a subscription.
    public init(
        subscriptionID: String,
        target: Target,
        events: Set<Event> = Set(Event.allCases),
        firesOnce: Bool = false
    ) {
        self.subscriptionID = subscriptionID
        self.target = target
        self.events = events
        self.firesOnce = firesOnce
    }
}

/// News of one change that a subscription asked for.
public struct CloudNotification: Sendable, Hashable, Codable {
    /// The subscription that asked for it.
    public let subscriptionID: String

    /// What happened.
    public let event: CloudSubscription.Event

    /// The record that it happened to.
    public let recordID: CloudRecordID

    /// Makes a notification. Only stores do this.
    public init(subscriptionID: String, event: CloudSubscription.Event, recordID: CloudRecordID) {
        self.subscriptionID = subscriptionID
        self.event = event
        self.recordID = recordID
    }
}
