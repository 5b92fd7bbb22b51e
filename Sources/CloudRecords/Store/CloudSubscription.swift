/// A wish to hear of changes, kept by the store for one client.
///
/// ```swift
/// let mine = CloudSubscription(subscriptionID: "mine", target: .query(recordType: "Message", "to == \(me)"))
/// try await store.save(mine)
/// for try await notification in try await store.notifications() { … }
/// ```
///
/// A client is one app on one device, for one user. It hears of what others change, never of its own changes, and what
/// happens while it is off waits for it, see ``CloudStore/notifications(since:limit:)``. Two subscriptions that ask for
/// the same, under two IDs, both report it.
public struct CloudSubscription: Sendable, Hashable, Codable {
    /// Which change the client hears of.
    public enum Event: String, Sendable, Hashable, Codable, CaseIterable {
        /// A record was made that matches, or an update made it match.
        case create
        /// A record that matched was saved, and still matches.
        case update
        /// A record that matched was deleted, or an update made it match no longer.
        case delete
    }

    /// What the subscription is to.
    public enum Target: Sendable, Hashable, Codable {
        /// Records of a type that match a predicate.
        case query(recordType: String, CloudPredicate)
        /// All records of a zone.
        case zone(CloudZoneID)
        /// All records of the database.
        case database

        /// The kind, without what it is about.
        public var kind: Kind {
            switch self {
            case .query: .query
            case .zone: .zone
            case .database: .database
            }
        }
    }

    /// The kinds of subscriptions, and of their notifications.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        case query, zone, database
    }

    /// The subscription's name, unique among those of its client in the database.
    public let subscriptionID: String

    /// What the subscription is to.
    public let target: Target

    /// The changes to hear of; at least one.
    ///
    /// An update that makes a record match is a ``Event/create``; to a subscription that does not ask for that, but for
    /// updates, it is an ``Event/update``.
    public let events: Set<Event>

    /// Whether the subscription ends with its first notification.
    public let firesOnce: Bool

    /// What its notifications show and carry; nil for silent ones.
    public let notificationInfo: NotificationInfo?

    /// Makes a subscription.
    public init(
        subscriptionID: String,
        target: Target,
        events: Set<Event> = Set(Event.allCases),
        firesOnce: Bool = false,
        notificationInfo: NotificationInfo? = nil
    ) {
        self.subscriptionID = subscriptionID
        self.target = target
        self.events = events
        self.firesOnce = firesOnce
        self.notificationInfo = notificationInfo
    }
}
