import CloudKitDao
import Testing

extension StoreContract {
    static let readingNotifications: [StorePromise] = [
        StorePromise(
            afterReopening: "A client that was off finds what it missed, in order and in pages",
            requires: .subscriptions,
            .notifications
        ) { open in
            do {
                let listener = try await open()
                try await listener.save(.toItems("s"))
            }
            let names = (0..<25).map { "r\(100 + $0)" }
            do {
                // The first one that opens the database is the client of before: the second one is another.
                let (first, writer) = (try await open(), try await open())
                _ = try await first.subscriptions()
                for name in names { try await writer.save(item(name)) }
                // And is there as long as the other one writes.
                #expect(try await first.subscriptions().count == 1)
            }
            let listener = try await open()
            var heard: [CloudNotification] = []
            var token: CloudChangeToken?
            var page: CloudNotificationPage
            repeat {
                page = try await listener.notifications(since: token, limit: 10)
                #expect(page.notifications.count <= 10)
                heard += page.notifications
                token = page.token
            } while page.moreComing
            #expect(heard.map(\.recordID.recordName) == names)
            #expect(try await listener.notifications(since: token, limit: 10).notifications.isEmpty)
        },
        StorePromise(
            afterReopening: "What was marked as read does not come again, and a token goes on behind what was read",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s"))
            try await writer.save([item("a"), item("b"), item("c")])
            let page = try await listener.notifications(since: nil, limit: 2)
            #expect(page.moreComing)
            try await listener.markNotificationsRead(page.notifications.map(\.notificationID) + ["never", ""])
            #expect(try await listener.unread().map(\.recordID.recordName) == ["c"])
            try await writer.save(item("d"))
            let next = try await listener.notifications(since: page.token, limit: 10)
            #expect(next.notifications.map(\.recordID.recordName) == ["c", "d"] && !next.moreComing)
            // Another client can't read for this one.
            try await writer.markNotificationsRead(next.notifications.map(\.notificationID))
            #expect(try await listener.unread().count == 2)
        },
        StorePromise(
            afterReopening: "A subscription that was deleted reports nothing more, and what it reported is gone",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s"))
            try await listener.save(.toItems("t"))
            try await writer.save(item("a"))
            try await listener.deleteSubscription(withID: "s")
            #expect(try await listener.unread().map(\.subscriptionID) == ["t"])
            try await writer.save(item("b"))
            #expect(try await listener.unread().map(\.subscriptionID) == ["t", "t"])
        },
        StorePromise(
            afterReopening: "A subscription that is saved anew asks for what it asks for then",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s", "n == 1"))
            try await writer.save([item("a", ["n": .int64(1)]), item("b", ["n": .int64(2)])])
            try await listener.save(.toItems("s", "n == 2"))
            try await writer.save([item("c", ["n": .int64(1)]), item("d", ["n": .int64(2)])])
            #expect(try await listener.unread().map(\.recordID.recordName) == ["a", "d"])
        },
    ]

    static let notificationStreams: [StorePromise] = [
        StorePromise(
            afterReopening: "The stream delivers each change of others once, in order, to all who listen",
            requires: .subscriptions,
            .notifications
        ) { open in
            let (listener, writer) = (try await open(), try await open())
            try await listener.save(.toItems("s"))
            try await writer.save(item("before"))
            let streams = [try await listener.notifications(), try await listener.notifications()]
            let names = (0..<30).map { "r\(100 + $0)" }
            for name in names.prefix(10) { try await writer.save(item(name)) }
            try await writer.save(names.dropFirst(10).map { item($0) })
            for stream in streams {
                var heard: [String] = []
                for try await notification in stream {
                    heard.append(notification.recordID.recordName)
                    if heard.count == names.count { break }
                }
                #expect(heard == names)
            }
            #expect(try await listener.unread().count == 31, "what was delivered is kept until it is marked as read")
        }
    ]
}
