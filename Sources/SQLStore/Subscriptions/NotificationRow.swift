import CloudRecords
import Foundation

/// Notifications as they are stored, until their client has marked them as read.
enum NotificationRow {
    private static let columns = """
        "id", "subscription_id", "event", "record", "record_type", "record_sequence", "details", "fields", "badge"
        """

    // MARK: Writing

    static func insert(
        _ match: SubscriptionIndex.Match,
        record: CloudRecord,
        isStored: Bool,
        badge: Int64?,
        date: Date,
        _ session: WriteSession
    ) throws {
        let statement = try session.connection.statement(
            """
            INSERT INTO "_notifications" (\(columns), "client_id", "created") \
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        )
        defer { statement.reset() }
        let sequence = isStored ? record.recordChangeTag.flatMap(ChangeTag.sequence) : nil
        try statement.bind(try session.takeSequence(), at: 1)
        try statement.bind(match.entry.subscription.subscriptionID, at: 2)
        try statement.bind(match.event.number, at: 3)
        try statement.bind(ReferenceText.encode(record.recordID), at: 4)
        try statement.bind(record.recordType, at: 5)
        try statement.bind(sequence.map(SQLValue.integer) ?? .null, at: 6)
        try statement.bind(try match.entry.details(of: record).map(SQLValue.text) ?? .null, at: 7)
        try statement.bind(try fields(of: record, for: match.entry).map(SQLValue.text) ?? .null, at: 8)
        try statement.bind(badge.map(SQLValue.integer) ?? .null, at: 9)
        try statement.bind(match.entry.client, at: 10)
        try statement.bind(date.timeIntervalSinceReferenceDate, at: 11)
        _ = try statement.run()
        session.noteNotification(date)
    }

    /// The values that the subscription wants in its notifications, as JSON; nil for none.
    private static func fields(of record: CloudRecord, for entry: SubscriptionEntry) throws -> String? {
        guard let keys = entry.subscription.notificationInfo?.desiredKeys, !keys.isEmpty else { return nil }
        var values: [String: CloudValue] = [:]
        for key in keys {
            switch record[key] {
            case nil, .bytes?, .asset?, .list?: continue
            case let value?: values[key] = value
            }
        }
        return String(decoding: try JSONEncoder().encode(values), as: UTF8.self)
    }

    // MARK: Reading

    /// The notifications of a client after one, oldest first.
    static func read(
        of client: Int64,
        after id: Int64,
        limit: Int,
        _ connection: any SQLConnection
    ) throws -> [(id: Int64, notification: CloudNotification)] {
        var notifications: [(Int64, CloudNotification)] = []
        try connection.forEachRow(
            """
            SELECT \(columns) FROM "_notifications" WHERE "client_id" = ?1 AND "id" > ?2 ORDER BY "id" LIMIT ?3
            """,
            [.integer(client), .integer(id), .integer(Int64(limit))]
        ) { row in
            notifications.append((row.integer(at: 0), try notification(row)))
        }
        return notifications
    }

    private static func notification(_ row: any SQLStatement) throws -> CloudNotification {
        do {
            let details = try NotificationDetails(text: row.optionalText(at: 6))
            let fields = try row.optionalText(at: 7).map { text in
                try JSONDecoder().decode([String: CloudValue].self, from: Data(text.utf8))
            }
            return CloudNotification(
                notificationID: ChangeTag.text(row.integer(at: 0)),
                subscriptionID: row.text(at: 1),
                kind: details.kind,
                event: CloudSubscription.Event(number: row.integer(at: 2)) ?? .update,
                recordID: ReferenceText.decode(row.text(at: 3)),
                recordType: row.text(at: 4),
                recordChangeTag: row.optionalInteger(at: 5).map(ChangeTag.text),
                recordFields: fields ?? [:],
                badge: row.optionalInteger(at: 8).map { Int($0) },
                info: details.info
            )
        } catch {
            throw CloudError(
                .internalError,
                "A notification in the database can't be read.",
                remedy: "Another tool must have changed it; mark it as read."
            )
        }
    }
}

extension SQLStatement {
    /// The text in a column of the current row; nil if it is none.
    fileprivate func optionalText(at column: Int) -> String? {
        if case .text(let text) = value(at: column) { text } else { nil }
    }

    fileprivate func optionalInteger(at column: Int) -> Int64? {
        if case .integer(let integer) = value(at: column) { integer } else { nil }
    }
}
