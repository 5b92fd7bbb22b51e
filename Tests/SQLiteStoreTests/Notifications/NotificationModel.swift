import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

extension NotificationDelivery {
    /// Three clients that change records, subscribe, read and start again, and what each of them should have unread.
    @Test func `random changes of several clients leave each the notifications that a model has`() async throws {
        let seed = SeededGenerator.seed
        var model = NotificationModel(generator: SeededGenerator(seed: seed))
        var stores: [SQLiteStore?] = [nil, nil, nil]
        func store(_ number: Int) throws -> SQLiteStore {
            if let store = stores[number] { return store }
            let store = try SQLiteStore(path: path, clientID: "client \(number)")
            stores[number] = store
            return store
        }
        for step in 0..<600 {
            let client = model.generator.number(0..<3)
            let store = try store(client)
            switch model.generator.number(0..<10) {
            case 0:
                let subscription = model.newSubscription()
                try await store.save(subscription)
                model.save(subscription, of: client)
            case 1:
                let name = model.generator.any(NotificationModel.subscriptionNames)
                try await store.deleteSubscription(withID: name)
                model.endSubscription(name, of: client)
            case 2:
                let page = try await store.notifications(since: nil, limit: 3)
                try await store.markNotificationsRead(page.notifications.map(\.notificationID))
                model.unread[client].removeFirst(min(3, model.unread[client].count))
            case 3: stores[client] = nil
            case 4, 5:
                let name = model.generator.any(NotificationModel.recordNames)
                _ = try await store.modify(CloudModification(deleting: [CloudRecordID(name)]))
                model.change(name, to: nil, by: client)
            default:
                let name = model.generator.any(NotificationModel.recordNames)
                let number = Int64(model.generator.number(0..<4))
                try await store.saveOne(item(name, ["n": .int64(number)]), .allKeys)
                model.change(name, to: number, by: client)
            }
            for client in 0..<3 {
                guard let store = stores[client] else { continue }
                let found = try await store.notifications(since: nil, limit: 10_000).notifications
                let isSame = found.map(NotificationModel.News.init) == model.unread[client]
                try #require(isSame, "PROPERTY_TEST_SEED=\(seed), step \(step), client \(client)")
            }
        }
    }
}

/// What clients subscribed to, what they have not read, and the records.
private struct NotificationModel {
    static let subscriptionNames = ["s", "t", "u"]
    static let recordNames = ["a", "b", "c", "d"]

    struct News: Hashable {
        let subscriptionID: String
        let event: CloudSubscription.Event
        let name: String

        init(_ notification: CloudNotification) {
            subscriptionID = notification.subscriptionID
            event = notification.event
            name = notification.recordID.recordName
        }

        init(_ subscriptionID: String, _ event: CloudSubscription.Event, _ name: String) {
            (self.subscriptionID, self.event, self.name) = (subscriptionID, event, name)
        }
    }

    var generator: SeededGenerator
    /// Each client's, in the order in which they were made.
    private var subscriptions: [[CloudSubscription]] = [[], [], []]
    var unread: [[News]] = [[], [], []]
    private var records: [String: Int64] = [:]

    init(generator: SeededGenerator) {
        self.generator = generator
    }

    mutating func newSubscription() -> CloudSubscription {
        let number = Int64(generator.number(0..<4))
        let predicate: CloudPredicate =
            switch generator.number(0..<3) {
            case 0: "n == \(number)"
            case 1: "n >= \(number)"
            default: .all
            }
        return CloudSubscription(
            subscriptionID: generator.any(Self.subscriptionNames),
            target: .query(recordType: "Item", predicate)
        )
    }

    mutating func save(_ subscription: CloudSubscription, of client: Int) {
        guard !subscriptions[client].contains(subscription) else { return }
        subscriptions[client].removeAll { $0.subscriptionID == subscription.subscriptionID }
        subscriptions[client].append(subscription)
    }

    mutating func endSubscription(_ name: String, of client: Int) {
        subscriptions[client].removeAll { $0.subscriptionID == name }
        unread[client].removeAll { $0.subscriptionID == name }
    }

    /// Changes a record; nil deletes it.
    mutating func change(_ name: String, to new: Int64?, by writer: Int) {
        let old = records[name]
        records[name] = new
        for client in subscriptions.indices where client != writer {
            let news = subscriptions[client].compactMap { subscription -> News? in
                switch (Self.wants(subscription, old), Self.wants(subscription, new)) {
                case (false, false): nil
                case (false, true): News(subscription.subscriptionID, .create, name)
                case (true, true): News(subscription.subscriptionID, .update, name)
                case (true, false): News(subscription.subscriptionID, .delete, name)
                }
            }
            unread[client] += news
        }
    }

    private static func wants(_ subscription: CloudSubscription, _ number: Int64?) -> Bool {
        guard let number, case .query(_, let predicate) = subscription.target else { return false }
        return switch predicate.node {
        case .compare(_, .equal, .int64(let value)?, _): number == value
        case .compare(_, _, .int64(let value)?, _): number >= value
        default: true
        }
    }
}
