import CloudKitDao
import Testing

extension StoreContract {
    /// What a single client hears.
    static let notifications: [StorePromise] = [
        StorePromise("A client's own changes are no news to it", requires: .subscriptions, .notifications) {
            (store: any CloudStore) in
            try await store.save(.toItems("s"))
            try await store.save(item("a"))
            try await store.delete("a")
            #expect(try await store.subscriptions() == [.toItems("s")])
            #expect(try await store.unread().isEmpty)
        },
        StorePromise("The badge shows what was set, and nothing below zero", requires: .notifications) {
            (store: any CloudStore) in
            #expect(try await store.badgeCounter() == 0)
            try await store.setBadgeCounter(7)
            #expect(try await store.badgeCounter() == 7)
            let error = await #expect(throws: CloudError.self) { try await store.setBadgeCounter(-1) }
            #expect(error?.code == .invalidArguments)
            try await store.setBadgeCounter(0)
            #expect(try await store.badgeCounter() == 0)
        },
        StorePromise("A page of no notifications is refused", requires: .notifications) { store in
            let error = await #expect(throws: CloudError.self) { try await store.notifications(since: nil, limit: 0) }
            #expect(error?.code == .invalidArguments)
        },
    ]

    /// What clients of one database hear of each other.
    static let notificationsBetweenClients: [StorePromise] =
        changesHeard + readingNotifications
        + notificationStreams

    private static let changesHeard: [StorePromise] = [
        StorePromise(
            afterReopening: "A client hears of what another one makes, changes and deletes",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s"))
            let made = try await writer.save(item("a", ["n": .int64(1)]))
            let changed = try await writer.save(made.setting("n", to: .int64(2)))
            try await writer.delete("a")
            let heard = try await listener.unread()
            #expect(heard.map(\.event) == [.create, .update, .delete])
            #expect(heard.map(\.recordChangeTag) == [made.recordChangeTag, changed.recordChangeTag, nil])
            #expect(heard.allSatisfy { $0.subscriptionID == "s" && $0.kind == .query })
            #expect(heard.allSatisfy { $0.recordID == CloudRecordID("a") && $0.recordType == "Item" })
            #expect(Set(heard.map(\.notificationID)).count == 3)
            #expect(try await writer.unread().isEmpty)
            #expect(try await writer.subscriptions().isEmpty, "subscriptions are their client's own")
        },
        StorePromise(
            afterReopening: "An update may bring a record into a subscription's set, keep it there, and take it out",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s", "n > 3 AND t == 'x'"))
            var record = try await writer.save(item("a", ["n": .int64(1), "t": .string("x")]))
            for n in [5, 6, 2, 1] { record = try await writer.save(record.setting("n", to: .int64(Int64(n)))) }
            record = try await writer.save(record.setting("n", to: .int64(9)))
            // Only what is known is sent, and the rest stays as it is.
            _ = try await writer.save(item("a", ["t": .string("y")]), .allKeys)
            try await writer.delete("a")
            #expect(try await listener.events() == [.create, .update, .delete, .create, .delete])
        },
        StorePromise(
            afterReopening: "A subscription hears of the events that it asks for",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            for events: Set<CloudSubscription.Event> in [[.create], [.update], [.delete], [.create, .delete]] {
                let name = events.map(\.rawValue).sorted().joined()
                try await listener.save(.toItems(name, "n > 3", events: events))
            }
            var record = try await writer.save(item("a", ["n": .int64(4)]))
            record = try await writer.save(record.setting("n", to: .int64(5)))
            record = try await writer.save(record.setting("n", to: .int64(1)))
            record = try await writer.save(record.setting("n", to: .int64(6)))
            try await writer.delete("a")
            let heard = try await listener.unread()
            func events(_ name: String) -> [CloudSubscription.Event] {
                heard.filter { $0.subscriptionID == name }.map(\.event)
            }
            #expect(events("create") == [.create, .create])
            // An update that brings the record in is an update to who asks for nothing else.
            #expect(events("update") == [.update, .update])
            #expect(events("delete") == [.delete, .delete])
            #expect(events("createdelete") == [.create, .delete, .create, .delete])
        },
        StorePromise(
            afterReopening: "A subscription that fires once ends with its first notification",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("once", firesOnce: true))
            try await writer.save([item("a"), item("b")])
            try await writer.save(item("c"))
            #expect(try await listener.unread().map(\.recordID.recordName) == ["a"])
            #expect(try await listener.subscriptions().isEmpty)
        },
        StorePromise(
            afterReopening: "Two subscriptions to the same both report",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("one", "n == 1"))
            try await listener.save(.toItems("two", "n == 1"))
            try await listener.save(.toItems("two", "n == 1"))
            try await listener.save(.toItems("other", "n == 2"))
            try await writer.save(item("a", ["n": .int64(1)]))
            #expect(Set(try await listener.unread().map(\.subscriptionID)) == ["one", "two"])
            #expect(try await listener.unread().count == 2)
        },
        StorePromise(
            afterReopening: "Subscriptions to a zone and to the database hear of all records there",
            requires: .subscriptions,
            .notifications,
            .zones
        ) { open in
            let notes = CloudZoneID("notes")
            let (listener, writer) = (try await open(), try await open())
            try await writer.saveZone(notes)
            try await listener.save(CloudSubscription(subscriptionID: "zone", target: .zone(notes)))
            try await listener.save(CloudSubscription(subscriptionID: "all", target: .database, events: [.delete]))
            try await writer.save([item("a"), item("b", in: notes)])
            try await writer.deleteZone(notes)
            try await writer.delete("a")
            let heard = try await listener.unread()
            #expect(heard.filter { $0.subscriptionID == "zone" }.map(\.event) == [.create, .delete])
            #expect(heard.filter { $0.subscriptionID == "zone" }.allSatisfy { $0.kind == .zone })
            #expect(heard.filter { $0.kind == .database }.map(\.recordID.recordName) == ["b", "a"])
        },
        StorePromise(
            afterReopening: "What is deleted with its target is reported too",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            let tie = CloudValue.reference(CloudReference(recordID: CloudRecordID("target"), action: .deleteSelf))
            try await listener.save(.toItems("s", events: [.delete]))
            try await writer.save([item("target"), item("a", ["to": tie])])
            try await writer.delete("target")
            #expect(Set(try await listener.unread().map(\.recordID.recordName)) == ["target", "a"])
        },
        StorePromise(
            afterReopening: "What was not written is not reported",
            requires: .subscriptions,
            .notifications,
            .atomicBatches
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await writer.save(item("a"))
            try await listener.save(.toItems("s"))
            // "a" is there already.
            _ = try await writer.modify(CloudModification(saving: [item("b"), item("a")], isAtomic: true))
            #expect(try await listener.unread().isEmpty)
            _ = try await writer.modify(CloudModification(saving: [item("b"), item("a")]))
            #expect(try await listener.unread().map(\.recordID.recordName) == ["b"])
        },
        StorePromise(
            afterReopening: "A notification carries the fields, the badge and the texts that its subscription wants",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            var info = CloudSubscription.NotificationInfo()
            info.alertBody = "News"
            info.desiredKeys = ["n", "t", "nothing"]
            info.shouldBadge = true
            let subscription = CloudSubscription(
                subscriptionID: "s",
                target: .query(recordType: "Item", .all),
                notificationInfo: info
            )
            try await listener.save(subscription)
            #expect(try await listener.subscriptions() == [subscription])
            try await listener.setBadgeCounter(4)
            try await writer.save(item("a", ["n": .double(1.5), "t": .string("x"), "u": .int64(3)]))
            try await writer.save(item("b"))
            try await writer.delete("a")
            let heard = try await listener.unread()
            let fields: [String: CloudValue] = ["n": .double(1.5), "t": .string("x")]
            #expect(heard.map(\.recordFields) == [fields, [:], fields])
            #expect(heard.map(\.badge) == [5, 6, 7])
            #expect(heard.allSatisfy { $0.info == info })
            #expect(try await listener.badgeCounter() == 7)
        },
    ]
}

extension CloudSubscription {
    /// A subscription to records of type Item.
    static func toItems(
        _ name: String,
        _ predicate: CloudPredicate = .all,
        events: Set<Event> = Set(Event.allCases),
        firesOnce: Bool = false
    ) -> CloudSubscription {
        CloudSubscription(
            subscriptionID: name,
            target: .query(recordType: "Item", predicate),
            events: events,
            firesOnce: firesOnce
        )
    }
}

extension CloudStore {
    /// All notifications that this client has not marked as read.
    func unread() async throws -> [CloudNotification] {
        try await notifications(since: nil, limit: 1_000).notifications
    }

    func events() async throws -> [CloudSubscription.Event] {
        try await unread().map(\.event)
    }
}
