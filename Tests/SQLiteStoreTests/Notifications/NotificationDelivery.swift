import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Synchronization
import Testing

/// Notifications between the clients of one file.
@Suite struct NotificationDelivery {
    let folder: TestFolder
    let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.path("news.sqlite")
    }

    static let toItems = CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", .all))

    // MARK: Who is a client

    @Test func `an app that is started again is the client of before, and two at once are two`() async throws {
        do {
            let first = try SQLiteStore(path: path)
            try await first.save(Self.toItems)
            let second = try SQLiteStore(path: path)
            #expect(try await second.subscriptions().isEmpty)
            try await second.save(CloudSubscription(subscriptionID: "t", target: .database))
            #expect(try await first.subscriptions().map(\.subscriptionID) == ["s"])
        }
        let again = try SQLiteStore(path: path)
        #expect(try await again.subscriptions().map(\.subscriptionID) == ["s"])
        let other = try SQLiteStore(path: path)
        #expect(try await other.subscriptions().map(\.subscriptionID) == ["t"])
    }

    @Test func `clients of different users are different ones`() async throws {
        let ann = try SQLiteStore(path: path, userRecordID: CloudRecordID("_ann"))
        try await ann.save(Self.toItems)
        let bob = try SQLiteStore(path: path, userRecordID: CloudRecordID("_bob"))
        #expect(try await bob.subscriptions().isEmpty)
        try await bob.saveOne(item("a"))
        #expect(try await ann.notifications(since: nil, limit: 10).notifications.count == 1)
    }

    @Test func `stores that are opened with one name are one client`() async throws {
        let first = try SQLiteStore(path: path, clientID: "kitchen")
        try await first.save(Self.toItems)
        let second = try SQLiteStore(path: path, clientID: "kitchen")
        #expect(try await second.subscriptions() == [Self.toItems])
        try await second.saveOne(item("a"))
        #expect(try await first.notifications(since: nil, limit: 10).notifications.isEmpty)
        try await SQLiteStore(path: path, clientID: "hall").saveOne(item("b"))
        #expect(try await second.notifications(since: nil, limit: 10).notifications.map(\.recordID.recordName) == ["b"])
    }

    @Test func `a store without subscriptions leaves no trace of a client`() async throws {
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a"))
        await store.close()
        #expect(try PlainSQL.run("SELECT count(*) FROM _clients", path) == [["0"]])
        #expect(!FileManager.default.fileExists(atPath: path + "-clients"))
    }

    // MARK: Streams

    @Test func `a stream ends with an error when its store is closed`() async throws {
        let store = try SQLiteStore(path: path)
        let stream = try await store.notifications()
        await store.close()
        let ending = await #expect(throws: CloudError.self) { for try await _ in stream {} }
        #expect(ending?.code == .badDatabase)
        #expect(try await error { _ = try await store.notifications() }.code == .badDatabase)
    }

    @Test func `a stream goes on when nobody else refers to its store`() async throws {
        let stream = try await SQLiteStore(path: path, clientID: "listener").listening()
        try await SQLiteStore(path: path, clientID: "writer").saveOne(item("a"))
        var heard = stream.makeAsyncIterator()
        let first = try await heard.next()
        #expect(first?.recordID.recordName == "a")
    }

    @Test func `a stream whose task is cancelled ends`() async throws {
        let stream = try await SQLiteStore(path: path).notifications()
        let task = Task { for try await _ in stream {} }
        task.cancel()
        try await task.value
    }

    @Test func `streams that come and go leave the others alone`() async throws {
        let listener = try SQLiteStore(path: path, clientID: "listener")
        let writer = try SQLiteStore(path: path, clientID: "writer")
        try await listener.save(Self.toItems)
        var lasting = try await listener.notifications().makeAsyncIterator()
        for number in 0..<10 {
            var passing = try await listener.notifications().makeAsyncIterator()
            try await writer.saveOne(item("r\(number)"))
            let heard = [try await passing.next(), try await lasting.next()]
            #expect(heard.allSatisfy { $0?.recordID.recordName == "r\(number)" })
        }
    }

    @Test func `a stream that begins while others are delivered to misses nothing`() async throws {
        let listener = try SQLiteStore(path: path, clientID: "listener")
        let writer = try SQLiteStore(path: path, clientID: "writer")
        try await listener.save(Self.toItems)
        let lasting = try await listener.notifications()
        let count = 400
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { for number in 0..<count { try await writer.saveOne(item("\(number)")) } }
            for _ in 0..<40 {
                // In the order in which it is to be done: first the stream, then what is unread.
                let stream = try await listener.notifications()
                let unread = try await listener.notifications(since: nil, limit: count).notifications
                group.addTask {
                    var heard = Set(unread.compactMap { Int($0.recordID.recordName) })
                    if heard.count == count { return }
                    for try await notification in stream {
                        try heard.insert(#require(Int(notification.recordID.recordName)))
                        if notification.recordID.recordName == "\(count - 1)" { break }
                    }
                    #expect(heard.count == count)
                }
            }
            try await group.waitForAll()
        }
        var all: [Int?] = []
        for try await notification in lasting {
            all.append(Int(notification.recordID.recordName))
            if all.count == count { break }
        }
        #expect(all == Array(0..<count))
    }

    // MARK: What is dropped

    @Test func `a token from before what was dropped expires, and what is left can be read`() async throws {
        let clock = Clock()
        let listener = try SQLiteStore(path: path, clientID: "listener")
        let writer = try store("writer", clock)
        try await listener.save(Self.toItems)
        let start = try await listener.notifications(since: nil, limit: 10).token
        try await writer.saveOne(item("a"))
        let middle = try await listener.notifications(since: start, limit: 10).token
        clock.advance(by: 100)
        try await writer.saveOne(item("b"))
        try await listener.compactNotifications(before: clock.now - 50)
        let expired = try await error { _ = try await listener.notifications(since: start, limit: 10) }
        #expect(expired.code == .changeTokenExpired)
        let left = try await listener.notifications(since: nil, limit: 10)
        #expect(left.notifications.map(\.recordID.recordName) == ["b"])
        #expect(try await listener.notifications(since: middle, limit: 10).notifications == left.notifications)
    }

    @Test func `what nobody has read for a month goes by itself`() async throws {
        let clock = Clock()
        let listener = try SQLiteStore(path: path, clientID: "listener")
        let writer = try store("writer", clock)
        try await listener.save(Self.toItems)
        try await writer.saveOne(item("old"))
        clock.advance(by: 31 * 24 * 3600)
        _ = try await writer.modify(CloudModification(saving: (0..<2_000).map { item("new\($0)") }))
        let left = try await listener.notifications(since: nil, limit: 10_000).notifications
        #expect(left.count == 2_000 && !left.contains { $0.recordID.recordName == "old" })
    }

    private func store(_ clientID: String, _ clock: Clock) throws -> SQLiteStore {
        try SQLiteStore(
            path: path,
            userRecordID: CloudRecordID("_user"),
            clientID: clientID,
            options: .init(),
            temporaryFolder: nil,
            clock: { clock.now }
        )
    }

    /// A clock that is set by hand.
    private final class Clock: Sendable {
        private let date = Mutex(Date(timeIntervalSinceReferenceDate: 800_000_000))
        var now: Date { date.withLock { $0 } }
        func advance(by seconds: TimeInterval) { date.withLock { $0 += seconds } }
    }

    // MARK: Tokens and IDs of others

    @Test func `a token of another database expires, and what is no token is refused`() async throws {
        let store = try SQLiteStore(path: path)
        try await store.save(Self.toItems)
        let other = try SQLiteStore(path: folder.path("other.sqlite"))
        try await other.save(Self.toItems)
        let token = try await other.notifications(since: nil, limit: 1).token
        #expect(
            try await error { _ = try await store.notifications(since: token, limit: 1) }.code == .changeTokenExpired
        )
        let nonsense = CloudChangeToken(position: Data("?".utf8))
        #expect(
            try await error { _ = try await store.notifications(since: nonsense, limit: 1) }.code == .invalidArguments
        )
    }

    @Test func `a token from before the first subscription goes on`() async throws {
        let listener = try SQLiteStore(path: path, clientID: "listener")
        let token = try await listener.notifications(since: nil, limit: 1).token
        try await listener.save(Self.toItems)
        try await SQLiteStore(path: path, clientID: "writer").saveOne(item("a"))
        #expect(try await listener.notifications(since: token, limit: 5).notifications.count == 1)
    }

    // MARK: What is refused

    @Test(arguments: [
        CloudSubscription(subscriptionID: "", target: .database),
        CloudSubscription(subscriptionID: "a\0", target: .database),
        CloudSubscription(subscriptionID: "s", target: .query(recordType: "no type", .all)),
        CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", "this is no predicate")),
        CloudSubscription(subscriptionID: "s", target: .zone(CloudZoneID("_z"))),
        CloudSubscription(subscriptionID: "s", target: .database, notificationInfo: .wanting(4)),
    ])
    func `what can't be kept is refused`(_ subscription: CloudSubscription) async throws {
        let store = try SQLiteStore(path: path)
        #expect(try await error { try await store.save(subscription) }.code == .invalidArguments)
        #expect(try await store.subscriptions().isEmpty)
    }

    @Test func `a subscription that can't be read keeps nobody from saving`() async throws {
        let listener = try SQLiteStore(path: path, clientID: "listener")
        try await listener.save(Self.toItems)
        try await listener.save(CloudSubscription(subscriptionID: "t", target: .database))
        try PlainSQL.run("UPDATE _subscriptions SET content = '?' WHERE subscription_id = 's'", path)
        try await SQLiteStore(path: path, clientID: "writer").saveOne(item("a"))
        #expect(try await listener.notifications(since: nil, limit: 5).notifications.map(\.subscriptionID) == ["t"])
        #expect(try await error { _ = try await listener.subscriptions() }.code == .internalError)
        try await listener.deleteSubscription(withID: "s")
        #expect(try await listener.subscriptions().map(\.subscriptionID) == ["t"])
    }

    @Test func `translated texts have the values of the fields that they name`() async throws {
        let listener = try SQLiteStore(path: path, clientID: "listener")
        var info = CloudSubscription.NotificationInfo()
        info.alertLocalizationKey = "MESSAGE_FROM"
        info.alertLocalizationArgs = ["from", "nothing", "n"]
        try await listener.save(
            CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", .all), notificationInfo: info)
        )
        try await SQLiteStore(path: path, clientID: "writer")
            .saveOne(item("a", ["from": .string("Ann"), "n": .int64(3)]))
        let heard = try await listener.notifications(since: nil, limit: 5).notifications
        #expect(heard.map(\.info?.alertLocalizationArgs) == [["Ann", "", "3"]])
        #expect(heard.map(\.info?.alertLocalizationKey) == ["MESSAGE_FROM"])
    }

}

extension SQLiteStore {
    /// The store's stream, with a subscription to records of type Item.
    fileprivate func listening() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try await save(NotificationDelivery.toItems)
        return try await notifications()
    }
}

extension CloudSubscription.NotificationInfo {
    fileprivate static func wanting(_ count: Int) -> Self {
        var info = Self()
        info.desiredKeys = (0..<count).map { "f\($0)" }
        return info
    }
}
