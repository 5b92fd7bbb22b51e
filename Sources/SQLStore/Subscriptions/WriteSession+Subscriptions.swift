import CloudRecords
import Foundation

extension WriteSession {
    /// The subscriptions and the client that writes; nil if no other client has any.
    ///
    /// Not to be called in a transaction that changes subscriptions itself.
    func subscribers() throws -> (index: SubscriptionIndex, client: Int64?)? {
        guard subscriptionGeneration != 0 else { return nil }
        let index = try subscriptions.cache.index(connection, generation: subscriptionGeneration)
        let client = try subscriptions.client.row(connection)
        return index.hasOthers(than: client) ? (index, client) : nil
    }

    /// Saves a subscription of the writing client, unless it is there as it is.
    func save(_ subscription: CloudSubscription) throws {
        let client = try subscriptions.client.makeRow(self)
        var known: (id: Int64, content: String)?
        try connection.forEachRow(
            "SELECT \"id\", \"content\" FROM \"_subscriptions\" WHERE \"client_id\" = ?1 AND \"subscription_id\" = ?2",
            [.integer(client), .text(subscription.subscriptionID)]
        ) { known = ($0.integer(at: 0), $0.text(at: 1)) }
        if let known {
            if (try? SubscriptionRow.subscription(known.content)) == subscription { return }
            try removeSubscription(known.id)
        }
        try connection.run(
            """
            INSERT INTO "_subscriptions" ("id", "client_id", "subscription_id", "content") VALUES (?1, ?2, ?3, ?4)
            """,
            [
                .integer(try takeSequence()), .integer(client), .text(subscription.subscriptionID),
                .text(try SubscriptionRow.content(subscription)),
            ]
        )
        try noteSubscriptions()
    }

    /// Deletes a subscription of the writing client with its unread notifications.
    func deleteSubscription(_ subscriptionID: String) throws {
        guard let client = try subscriptions.client.row(connection) else { return }
        let parameters: [SQLValue] = [.integer(client), .text(subscriptionID)]
        let count = try connection.run(
            "DELETE FROM \"_subscriptions\" WHERE \"client_id\" = ?1 AND \"subscription_id\" = ?2",
            parameters
        )
        try connection.run(
            "DELETE FROM \"_notifications\" WHERE \"client_id\" = ?1 AND \"subscription_id\" = ?2",
            parameters
        )
        if count > 0 { try noteSubscriptions() }
    }

    /// Removes a subscription by the number of its row. What it has reported stays.
    func removeSubscription(_ id: Int64) throws {
        try connection.run("DELETE FROM \"_subscriptions\" WHERE \"id\" = ?1", [.integer(id)])
        try noteSubscriptions()
    }

    /// Makes all processes read what is new among the subscriptions before they write again.
    private func noteSubscriptions() throws {
        try connection.run("UPDATE \"_meta\" SET \"subscriptions\" = \"subscriptions\" + 1 WHERE \"id\" = 1")
    }

    /// How long unread notifications are kept, in seconds: 30 days.
    private static let notificationLifetime: TimeInterval = 30 * 24 * 3600
    /// After how many sequence numbers old notifications are looked for.
    private static let cleaningInterval: Int64 = 1_024

    /// Wakes the clients that are notified, and drops what is too old now and then.
    func finishNotifications(_ date: Date) throws {
        try connection.announceNotifications()
        guard firstSequence / Self.cleaningInterval != nextSequence / Self.cleaningInterval else { return }
        try dropNotifications(before: date - Self.notificationLifetime)
    }

    /// Drops the notifications from before a date, whether they were read or not.
    func dropNotifications(before date: Date) throws {
        var clients: [Int64] = []
        try connection.forEachRow("SELECT \"id\" FROM \"_clients\"") { clients.append($0.integer(at: 0)) }
        for client in clients {
            guard let last = try lastNotification(of: client, before: date) else { continue }
            try connection.run(
                "DELETE FROM \"_notifications\" WHERE \"client_id\" = ?1 AND \"id\" <= ?2",
                [.integer(client), .integer(last)]
            )
            // A token from before them has missed something.
            try connection.run(
                "UPDATE \"_clients\" SET \"dropped\" = ?2 WHERE \"id\" = ?1",
                [.integer(client), .integer(last)]
            )
        }
    }

    private func lastNotification(of client: Int64, before date: Date) throws -> Int64? {
        let statement = try connection.statement(
            "SELECT \"id\", \"created\" FROM \"_notifications\" WHERE \"client_id\" = ?1 ORDER BY \"id\""
        )
        defer { statement.reset() }
        try statement.bind(client, at: 1)
        var last: Int64?
        // They are in the order of their dates: the first one that is young enough ends the search.
        while try statement.step(), let created = statement.date(at: 1), created < date {
            last = statement.integer(at: 0)
        }
        return last
    }
}
