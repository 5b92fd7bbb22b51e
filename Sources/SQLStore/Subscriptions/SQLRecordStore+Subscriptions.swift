import CloudRecords
import Foundation

/// What a store knows of subscriptions: all clients', and which client it is itself.
package struct Subscriptions: Sendable {
    let cache = SubscriptionCache()
    let client: SubscriptionClient

    package init(client: SubscriptionClient) {
        self.client = client
    }
}

extension SQLRecordStore {
    package func subscriptions() async throws -> [CloudSubscription] {
        try await read { [subscriptions] session in
            guard let client = try subscriptions.client.row(session.connection) else { return [] }
            var found: [CloudSubscription] = []
            try session.connection.forEachRow(
                "SELECT \"content\" FROM \"_subscriptions\" WHERE \"client_id\" = ?1 ORDER BY \"id\"",
                [.integer(client)]
            ) { found.append(try SubscriptionRow.subscription($0.text(at: 0))) }
            return found
        }
    }

    package func save(_ subscription: CloudSubscription) async throws {
        try SubscriptionRow.check(subscription)
        try await write { try $0.save(subscription) }
    }

    package func deleteSubscription(withID subscriptionID: String) async throws {
        try await write { try $0.deleteSubscription(subscriptionID) }
    }

    package func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        guard limit >= 1, limit < Int.max else {
            throw CloudError(
                .invalidArguments,
                "A page of \(limit) notifications can't be read.",
                remedy: "Ask for 1 or more; a few hundred are a good number."
            )
        }
        let position = try token.map(NotificationPosition.init)
        return try await read { [subscriptions] session in
            let client = try subscriptions.client.row(session.connection)
            return try NotificationReader(session: session, client: client).page(after: position, limit: limit)
        }
    }

    package func markNotificationsRead(_ notificationIDs: [String]) async throws {
        let ids = notificationIDs.compactMap(ChangeTag.sequence)
        if ids.isEmpty { return }
        try await write { [subscriptions] session in
            guard let client = try subscriptions.client.row(session.connection) else { return }
            for id in ids {
                try session.connection.run(
                    "DELETE FROM \"_notifications\" WHERE \"client_id\" = ?1 AND \"id\" = ?2",
                    [.integer(client), .integer(id)]
                )
            }
        }
    }

    package func badgeCounter() async throws -> Int {
        try await read { [subscriptions] session in
            guard let client = try subscriptions.client.row(session.connection) else { return 0 }
            var badge: Int64 = 0
            try session.connection.forEachRow(
                "SELECT \"badge\" FROM \"_clients\" WHERE \"id\" = ?1",
                [.integer(client)]
            ) { badge = $0.integer(at: 0) }
            return Int(badge)
        }
    }

    package func setBadgeCounter(_ count: Int) async throws {
        guard count >= 0 else {
            throw CloudError(
                .invalidArguments,
                "A badge can't show \(count).",
                remedy: "Set 0 to remove the badge."
            )
        }
        try await write { [subscriptions] session in
            let client = try subscriptions.client.makeRow(session)
            try session.connection.run(
                "UPDATE \"_clients\" SET \"badge\" = ?2 WHERE \"id\" = ?1",
                [.integer(client), .integer(Int64(count))]
            )
        }
    }

    /// Drops the notifications from before a date that nobody has marked as read. Tokens from before them expire.
    package func compactNotifications(before date: Date) async throws {
        try await write { try $0.dropNotifications(before: date) }
    }

    /// The notifications of this client from now on.
    package func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try await feed.stream()
    }
}
