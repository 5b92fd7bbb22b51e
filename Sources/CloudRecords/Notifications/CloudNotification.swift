import Foundation

/// News of one change that a subscription asked for.
///
/// The store writes it with the change itself and keeps it until the client has marked it as read. Take it for a hint:
/// the record may have changed again since.
public struct CloudNotification: Sendable, Hashable, Codable {
    /// The notification's own ID, unique in its database. It says nothing about the order, which is that of
    /// ``CloudStore/notifications(since:limit:)``.
    public let notificationID: String

    /// The subscription that asked for it.
    public let subscriptionID: String

    /// The kind of that subscription.
    public let kind: CloudSubscription.Kind

    /// What happened, as the subscription sees it: a record that no longer matches is deleted to it.
    public let event: CloudSubscription.Event

    /// The record that it happened to.
    public let recordID: CloudRecordID

    /// The record's type; nil if the store does not say.
    public let recordType: String?

    /// The change tag of the version that was saved; nil if the record was deleted or the store does not say.
    ///
    /// An app that has this version, or knows that it has a newer one, need not fetch the record.
    public let recordChangeTag: String?

    /// The values of the fields that the subscription wants, see ``CloudSubscription/NotificationInfo/desiredKeys``;
    /// those of the record before it was deleted.
    public let recordFields: [String: CloudValue]

    /// The client's badge from this notification on; nil if it does not change it.
    public let badge: Int?

    /// What is shown to the user; nil for a silent notification.
    public let info: CloudSubscription.NotificationInfo?

    /// The database that it comes from; nil for a store that does not belong to a container.
    public package(set) var databaseScope: CloudDatabaseScope?

    /// The container that it comes from; nil for a store that does not belong to one.
    public package(set) var containerIdentifier: String?

    /// Makes a notification. Only stores do this.
    public init(
        notificationID: String = UUID().uuidString,
        subscriptionID: String,
        kind: CloudSubscription.Kind = .query,
        event: CloudSubscription.Event,
        recordID: CloudRecordID,
        recordType: String? = nil,
        recordChangeTag: String? = nil,
        recordFields: [String: CloudValue] = [:],
        badge: Int? = nil,
        info: CloudSubscription.NotificationInfo? = nil
    ) {
        self.notificationID = notificationID
        self.subscriptionID = subscriptionID
        self.kind = kind
        self.event = event
        self.recordID = recordID
        self.recordType = recordType
        self.recordChangeTag = recordChangeTag
        self.recordFields = recordFields
        self.badge = badge
        self.info = info
    }
}

/// Some of a client's notifications, in the order of the changes.
public struct CloudNotificationPage: Sendable, Hashable {
    /// The notifications, oldest first.
    public let notifications: [CloudNotification]

    /// The token from which to ask for what comes after.
    public let token: CloudChangeToken

    /// Whether there is more to ask for at once.
    public let moreComing: Bool

    /// Makes a page. Only stores do this.
    public init(notifications: [CloudNotification], token: CloudChangeToken, moreComing: Bool) {
        self.notifications = notifications
        self.token = token
        self.moreComing = moreComing
    }
}
