import CloudRecords

/// Reads pages of one client's notifications.
struct NotificationReader {
    let session: ReadSession
    /// Nil if the client has no row, and so nothing to read.
    let client: Int64?

    /// In tokens, a client that has no row.
    private static let nobody: Int64 = 0

    /// The last sequence number that was given out.
    private var end: Int64 { session.nextSequence - 1 }

    func page(after position: NotificationPosition?, limit: Int) throws -> CloudNotificationPage {
        let database = try databaseID()
        if let position {
            // One from before the client's first subscription has missed nothing.
            guard position.database == database, position.client == client || position.client == Self.nobody,
                position.notification <= end, try position.notification >= dropped()
            else { throw Self.expired }
        }
        let start = position?.notification ?? 0
        let rows = try client.map {
            try NotificationRow.read(of: $0, after: start, limit: limit + 1, session.connection)
        }
        let page = (rows ?? []).prefix(limit)
        let moreComing = (rows?.count ?? 0) > limit
        let last = moreComing ? page.last?.id ?? start : end
        return CloudNotificationPage(
            notifications: page.map(\.notification),
            token: try NotificationPosition(database: database, client: client ?? Self.nobody, notification: last)
                .token,
            moreComing: moreComing
        )
    }

    private func databaseID() throws -> String {
        var database = ""
        try session.connection.forEachRow("SELECT \"database_id\" FROM \"_meta\" WHERE \"id\" = 1") {
            database = $0.text(at: 0)
        }
        return database
    }

    /// The last notification of the client that was dropped unread.
    private func dropped() throws -> Int64 {
        guard let client else { return 0 }
        var dropped: Int64 = 0
        try session.connection.forEachRow(
            "SELECT \"dropped\" FROM \"_clients\" WHERE \"id\" = ?1",
            [.integer(client)]
        ) { dropped = $0.integer(at: 0) }
        return dropped
    }

    private static let expired = CloudError(
        .changeTokenExpired,
        "The token of notifications is too old, or of another client or database.",
        remedy: "Read anew what you show, and ask for all unread notifications, with nil."
    )
}
