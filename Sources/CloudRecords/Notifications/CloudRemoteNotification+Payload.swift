import Foundation

extension CloudRemoteNotification {
    /// The push of a store's notification, for a server that sends pushes on.
    public init(_ notification: CloudNotification) {
        kind = notification.kind
        containerIdentifier = notification.containerIdentifier
        notificationID = notification.notificationID
        subscriptionID = notification.subscriptionID
        databaseScope = notification.databaseScope
        event = notification.event
        zoneID = notification.recordID.zoneID
        if notification.kind == .query {
            recordID = notification.recordID
            recordFields = notification.recordFields
        }
        if let info = notification.info { self.info = info }
        badge = notification.badge
    }

    /// The push as an app's delegate receives it: the dictionaries `aps` and `ck` with values that JSON has.
    public var userInfo: [String: Any] {
        ["aps": alertMembers, "ck": cloudKitMembers]
    }

    /// The push as JSON.
    public var json: Data {
        get throws {
            do {
                return try JSONSerialization.data(withJSONObject: userInfo, options: .sortedKeys)
            } catch {
                throw CloudError(
                    .invalidArguments,
                    "The notification can't be written as JSON: \(error.localizedDescription)",
                    remedy: "Leave numbers that are infinite or not numbers out of it."
                )
            }
        }
    }

    private var cloudKitMembers: [String: Any] {
        var members: [String: Any] = ["ce": 2]
        members["cid"] = containerIdentifier
        members["nid"] = notificationID
        members["ckuserid"] = userRecordName
        if isPruned { members["p"] = 1 }
        if let key = Self.kinds.first(where: { $0.kind == kind })?.key { members[key] = subscriptionMembers }
        return members
    }

    private var subscriptionMembers: [String: Any] {
        var members: [String: Any] = [:]
        members["sid"] = subscriptionID
        members["dbs"] = databaseScope?.number
        if let zoneID {
            members["zid"] = zoneID.zoneName
            members["zoid"] = zoneID.ownerName == CloudZoneID.currentOwnerName ? "_defaultOwner" : zoneID.ownerName
        }
        guard kind == .query else { return members }
        members["rid"] = recordID?.recordName
        members["fo"] = event.map { Int($0.number) }
        let fields = recordFields.compactMapValues(\.pushValue)
        if !fields.isEmpty { members["af"] = fields }
        return members
    }

    private var alertMembers: [String: Any] {
        var members: [String: Any] = [:]
        let alert = alertTexts
        // A body alone needs no dictionary.
        if alert.count == 1, let body = alert["body"] {
            members["alert"] = body
        } else if !alert.isEmpty {
            members["alert"] = alert
        }
        members["badge"] = badge
        members["sound"] = info.soundName
        members["category"] = info.category
        if info.shouldSendContentAvailable { members["content-available"] = 1 }
        if info.shouldSendMutableContent { members["mutable-content"] = 1 }
        return members
    }

    private var alertTexts: [String: Any] {
        var alert: [String: Any] = [:]
        alert["body"] = info.alertBody
        alert["loc-key"] = info.alertLocalizationKey
        alert["loc-args"] = info.alertLocalizationArgs
        alert["title"] = info.title
        alert["title-loc-key"] = info.titleLocalizationKey
        alert["title-loc-args"] = info.titleLocalizationArgs
        alert["subtitle"] = info.subtitle
        alert["subtitle-loc-key"] = info.subtitleLocalizationKey
        alert["subtitle-loc-args"] = info.subtitleLocalizationArgs
        alert["action-loc-key"] = info.alertActionLocalizationKey
        alert["launch-image"] = info.alertLaunchImage
        return alert
    }
}

extension CloudValue {
    /// The value in a push; nil for what none carries.
    fileprivate var pushValue: Any? {
        switch self {
        case .string(let text): text
        case .int64(let number): number
        case .double(let number): ["value": number, "type": "DOUBLE"] as [String: Any]
        case .date(let date):
            ["value": (date.timeIntervalSince1970 * 1_000).rounded(), "type": "TIMESTAMP"] as [String: Any]
        case .reference(let reference):
            ["value": ["recordName": reference.recordID.recordName], "type": "REFERENCE"] as [String: Any]
        case .location(let place):
            ["value": ["latitude": place.latitude, "longitude": place.longitude], "type": "LOCATION"] as [String: Any]
        case .bytes, .asset, .list: nil
        }
    }
}
