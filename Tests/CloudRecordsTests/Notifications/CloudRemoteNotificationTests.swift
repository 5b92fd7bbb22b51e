import CloudRecords
import Foundation
import Testing

@Suite struct CloudRemoteNotificationTests {
    private func parsed(_ json: String) -> CloudRemoteNotification? {
        CloudRemoteNotification(json: Data(json.utf8))
    }

    @Test func `a query push has all that CloudKit writes`() throws {
        let push = try #require(
            parsed(
                """
                {"aps": {"alert": {"body": "New text", "title": "Chat", "loc-key": "K", "loc-args": ["Ann"],
                                   "action-loc-key": "A", "launch-image": "i.png", "title-loc-key": "T"},
                         "badge": 3, "sound": "default", "category": "c", "content-available": 1, "mutable-content": 1},
                 "ck": {"ce": 2, "cid": "iCloud.com.example.chat", "ckuserid": "_0123456789abcdef0123456789abcdef",
                        "nid": "8EAC6A02-5F30-4C1A-8E49-9C5C1D3B6E1B",
                        "qry": {"sid": "type_Message_id_all", "rid": "m1", "zid": "_defaultZone",
                                "zoid": "_defaultOwner", "dbs": 1, "fo": 2,
                                "af": {"text": "Hello", "likes": 3, "score": 1.5, "seen": true}}}}
                """
            )
        )
        #expect(push.kind == .query && push.event == .update && push.databaseScope == .public && !push.isPruned)
        #expect(push.containerIdentifier == "iCloud.com.example.chat")
        #expect(push.notificationID == "8EAC6A02-5F30-4C1A-8E49-9C5C1D3B6E1B")
        #expect(push.userRecordName == "_0123456789abcdef0123456789abcdef")
        #expect(push.subscriptionID == "type_Message_id_all" && push.recordID == CloudRecordID("m1"))
        #expect(
            push.recordFields
                == ["text": .string("Hello"), "likes": .int64(3), "score": .double(1.5), "seen": .int64(1)]
        )
        #expect(push.badge == 3 && push.info.soundName == "default" && push.info.category == "c")
        #expect(push.info.alertBody == "New text" && push.info.title == "Chat" && push.info.alertLocalizationKey == "K")
        #expect(push.info.alertLocalizationArgs == ["Ann"] && push.info.titleLocalizationKey == "T")
        #expect(push.info.alertActionLocalizationKey == "A" && push.info.alertLaunchImage == "i.png")
        #expect(push.info.shouldSendContentAvailable && push.info.shouldSendMutableContent)
    }

    @Test func `zone and database pushes say where something changed`() throws {
        let zone = try #require(
            parsed(#"{"aps": {}, "ck": {"fet": {"sid": "z", "zid": "notes", "zoid": "_bob", "dbs": 3}}}"#)
        )
        #expect(zone.kind == .zone && zone.zoneID == CloudZoneID("notes", ownerName: "_bob"))
        #expect(zone.databaseScope == .shared && zone.recordID == nil && zone.event == nil)
        let database = try #require(parsed(#"{"ck": {"met": {"sid": "d", "dbs": 2}}}"#))
        #expect(database.kind == .database && database.databaseScope == .private && database.zoneID == nil)
    }

    @Test func `of a pruned push any part may be missing`() throws {
        let bare = try #require(parsed(#"{"aps": {"content-available": 1}, "ck": {"ce": 2, "p": 1}}"#))
        #expect(bare.isPruned && bare.kind == nil && bare.notificationID == nil && bare.recordID == nil)
        let half = try #require(parsed(#"{"ck": {"p": 1, "nid": "n", "qry": {"sid": "s", "dbs": 2}}}"#))
        #expect(half.isPruned && half.kind == .query && half.subscriptionID == "s" && half.recordID == nil)
    }

    @Test(arguments: ["{}", #"{"aps": {"alert": "x"}}"#, #"{"ck": 3}"#, #"{"ck": null}"#, "[1]", "no JSON", ""])
    func `what is no push of CloudKit's is none`(_ json: String) {
        #expect(parsed(json) == nil)
    }

    @Test func `parts of other types, and those that nobody knows, are left out`() throws {
        let push = try #require(
            parsed(
                """
                {"aps": [1], "new": {"a": 1},
                 "ck": {"nid": 7, "cid": ["x"], "p": "yes", "future": {"x": [1, null]},
                        "qry": {"sid": {"a": 1}, "rid": 5, "fo": 99, "dbs": 7, "zid": 1, "af": [1], "x": null}}}
                """
            )
        )
        var expected = try #require(parsed(#"{"ck": {"qry": {}}}"#))
        expected.isPruned = true
        #expect(push == expected)
    }

    @Test func `keys that are no text do no harm, in property lists as in dictionaries`() throws {
        let userInfo: [AnyHashable: Any] = [
            1: "a", AnyHashable([1, 2]): 5, "aps": ["badge": NSNumber(value: 4), 3: 1] as [AnyHashable: Any],
            "ck": NSDictionary(
                dictionary: ["qry": ["sid": "s", "fo": Int64(1), "rid": "r", UUID(): 1] as [AnyHashable: Any]]
            ),
        ]
        let push = try #require(CloudRemoteNotification(userInfo))
        #expect(push.kind == .query && push.event == .create && push.recordID == CloudRecordID("r"))
        #expect(push.badge == 4)
        let empty: [AnyHashable: Any] = [:]
        #expect(CloudRemoteNotification(empty) == nil)
    }

    @Test func `what a store reports becomes a push that reads as the same`() throws {
        var info = CloudSubscription.NotificationInfo()
        info.alertBody = "News"
        info.soundName = "ping"
        info.shouldBadge = true
        info.shouldSendContentAvailable = true
        let notification = CloudNotification(
            notificationID: "abc",
            subscriptionID: "s",
            event: .create,
            recordID: CloudRecordID("r", zone: CloudZoneID("notes", ownerName: "_bob")),
            recordFields: [
                "text": .string("ü"), "n": .int64(.max), "x": .double(2), "at": .date(Date(timeIntervalSince1970: 1.5)),
                "to": .reference(CloudReference(recordID: CloudRecordID("u"))),
                "place": .location(CloudLocation(latitude: 52.5, longitude: 4.25)), "bytes": .bytes(Data([1])),
            ],
            badge: 2,
            info: info
        )
        let push = CloudRemoteNotification(notification)
        let json = try push.json
        let read = try #require(CloudRemoteNotification(json: json))
        var expected = push
        expected.recordFields["bytes"] = nil
        #expect(read == expected)
        #expect(CloudRemoteNotification(push.userInfo) == expected)
        let object = try #require(try JSONSerialization.jsonObject(with: json) as? [String: [String: Any]])
        #expect(object["aps"]?["alert"] as? String == "News")
        #expect(object["ck"]?["qry"] != nil)
    }

    @Test func `a zone's push names no record`() throws {
        let notification = CloudNotification(
            subscriptionID: "s",
            kind: .zone,
            event: .delete,
            recordID: CloudRecordID("r", zone: CloudZoneID("notes"))
        )
        let read = try #require(CloudRemoteNotification(json: try CloudRemoteNotification(notification).json))
        #expect(read.kind == .zone && read.zoneID == CloudZoneID("notes") && read.recordID == nil)
    }
}
