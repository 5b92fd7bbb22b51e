import Foundation

/// A push notification in CloudKit's format, as an app's delegate or a web courier receives it.
///
/// ```swift
/// func application(_: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any]) {
///     guard let remote = CloudRemoteNotification(userInfo) else { return }     // not one of CloudKit's
/// }
/// ```
///
/// A push that would be too large is pruned: any part may be missing, even the record's ID. Then fetch what changed.
/// What is not known here, or not of the type that it should be, is left out.
public struct CloudRemoteNotification: Sendable, Hashable {
    /// The kind of subscription; nil if nothing is left that tells.
    public var kind: CloudSubscription.Kind?
    /// The container's identifier.
    public var containerIdentifier: String?
    /// The notification's ID.
    public var notificationID: String?
    /// The record name of the user who subscribed.
    public var userRecordName: String?
    /// Whether parts were left out since the push would have been too large.
    public var isPruned = false

    /// The subscription's ID.
    public var subscriptionID: String?
    /// The database's scope. Apps that use the public database have been seen to get the private one here: take it for
    /// a hint, and the subscription's ID for the proof.
    public var databaseScope: CloudDatabaseScope?
    /// What happened to the record.
    public var event: CloudSubscription.Event?
    /// The record's ID, for a query subscription.
    public var recordID: CloudRecordID?
    /// The zone in which something changed.
    public var zoneID: CloudZoneID?
    /// The values of the fields that the subscription wanted.
    public var recordFields: [String: CloudValue] = [:]

    /// What is shown to the user, with the values in place of the arguments' names.
    public var info = CloudSubscription.NotificationInfo()
    /// The number for the app's badge.
    public var badge: Int?

    /// Reads a push; nil if it is not CloudKit's.
    public init?(_ userInfo: [AnyHashable: Any]) {
        guard let root = PushValue(userInfo), let cloudKit = root["ck"], cloudKit.isObject else { return nil }
        readCloudKit(cloudKit)
        if let alert = root["aps"] { readAlert(alert) }
    }

    /// Reads a push as JSON, as a web courier sends it; nil if it is not CloudKit's.
    public init?(json: Data) {
        guard
            let object = try? JSONSerialization.jsonObject(with: json),
            let userInfo = object as? [String: Any]
        else { return nil }
        self.init(userInfo)
    }

    private mutating func readCloudKit(_ cloudKit: PushValue) {
        containerIdentifier = cloudKit["cid"]?.text
        notificationID = cloudKit["nid"]?.text
        userRecordName = cloudKit["ckuserid"]?.text
        isPruned = cloudKit["p"].map { $0.integer != 0 } ?? false
        for (key, kind) in Self.kinds {
            guard let part = cloudKit[key], part.isObject else { continue }
            self.kind = kind
            readSubscription(part)
            return
        }
    }

    private mutating func readSubscription(_ part: PushValue) {
        subscriptionID = part["sid"]?.text
        databaseScope = part["dbs"]?.integer.flatMap(CloudDatabaseScope.init(number:))
        event = part["fo"]?.integer.flatMap(CloudSubscription.Event.init(number:))
        if let zone = part["zid"]?.text { zoneID = Self.zone(zone, owner: part["zoid"]?.text) }
        recordID = part["rid"]?.text.map { CloudRecordID($0, zone: zoneID ?? .default) }
        for (name, value) in part["af"]?.members ?? [:] {
            if let value = value.cloudValue { recordFields[name] = value }
        }
    }

    /// A zone as pushes name it: they have the current user's owner name in several spellings.
    private static func zone(_ name: String, owner: String?) -> CloudZoneID {
        let isOwn = owner == nil || owner == "" || owner == "_defaultOwner" || owner == CloudZoneID.currentOwnerName
        return CloudZoneID(name, ownerName: isOwn ? CloudZoneID.currentOwnerName : owner ?? "")
    }

    static let kinds: [(key: String, kind: CloudSubscription.Kind)] = [
        ("qry", .query), ("fet", .zone), ("met", .database),
    ]
}

extension CloudRemoteNotification {
    private mutating func readAlert(_ aps: PushValue) {
        badge = aps["badge"]?.integer.map { Int($0) }
        info.soundName = aps["sound"]?.text ?? aps["sound"]?["name"]?.text
        info.category = aps["category"]?.text
        info.shouldBadge = badge != nil
        info.shouldSendContentAvailable = aps["content-available"]?.integer == 1
        info.shouldSendMutableContent = aps["mutable-content"]?.integer == 1
        guard let alert = aps["alert"] else { return }
        info.alertBody = alert.text ?? alert["body"]?.text
        info.alertLocalizationKey = alert["loc-key"]?.text
        info.alertLocalizationArgs = alert["loc-args"]?.texts
        info.title = alert["title"]?.text
        info.titleLocalizationKey = alert["title-loc-key"]?.text
        info.titleLocalizationArgs = alert["title-loc-args"]?.texts
        info.subtitle = alert["subtitle"]?.text
        info.subtitleLocalizationKey = alert["subtitle-loc-key"]?.text
        info.subtitleLocalizationArgs = alert["subtitle-loc-args"]?.texts
        info.alertActionLocalizationKey = alert["action-loc-key"]?.text
        info.alertLaunchImage = alert["launch-image"]?.text
    }
}

extension CloudDatabaseScope {
    /// The numbers are CloudKit's.
    init?(number: Int64) {
        switch number {
        case 1: self = .public
        case 2: self = .private
        case 3: self = .shared
        default: return nil
        }
    }

    var number: Int {
        switch self {
        case .public: 1
        case .private: 2
        case .shared: 3
        }
    }
}

extension CloudSubscription.Event {
    /// The numbers are CloudKit's.
    package init?(number: Int64) {
        switch number {
        case 1: self = .create
        case 2: self = .update
        case 3: self = .delete
        default: return nil
        }
    }

    package var number: Int64 {
        switch self {
        case .create: 1
        case .update: 2
        case .delete: 3
        }
    }
}
