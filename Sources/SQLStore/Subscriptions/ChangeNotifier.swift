import CloudRecords
import Foundation

/// Writes the notifications of the changes of one transaction.
///
/// It is there only when a client other than the one that writes has a subscription.
final class ChangeNotifier {
    private let session: WriteSession
    private let index: SubscriptionIndex
    /// The client that makes the changes, which hears of none; nil if it has no subscription.
    private let client: Int64?
    private let date: Date
    /// The subscriptions that ended with a notification of this transaction.
    private var ended: Set<Int64> = []
    // Records of a batch mostly share type and zone.
    private var lastAnswer: (recordType: String, zoneID: CloudZoneID, isConcerned: Bool)?

    /// Nil if there is nobody to notify.
    init?(_ session: WriteSession, date: Date) throws {
        guard let (index, client) = try session.subscribers() else { return nil }
        self.session = session
        self.index = index
        self.client = client
        self.date = date
    }

    /// Whether somebody may want to hear of changes of a record type in a zone.
    func isConcerned(by recordType: String, in zoneID: CloudZoneID) -> Bool {
        if let lastAnswer, lastAnswer.zoneID == zoneID, lastAnswer.recordType == recordType {
            return lastAnswer.isConcerned
        }
        let isConcerned = index.concerns(recordType: recordType, in: zoneID, besides: client)
        lastAnswer = (recordType, zoneID, isConcerned)
        return isConcerned
    }

    /// The record in a row, before it is changed; nil if nobody wants to hear of it.
    func before(_ recordType: SQLRecordType, in zoneID: CloudZoneID, row: Int64) throws -> CloudRecord? {
        guard isConcerned(by: recordType.name, in: zoneID) else { return nil }
        return try session.reading.record(in: recordType, row: row)
    }

    /// Notifies those who asked for a new record.
    func note(inserted record: CloudRecord) throws {
        guard isConcerned(by: record.recordType, in: record.recordID.zoneID) else { return }
        try note(before: nil, after: record)
    }

    /// Notifies those who asked for an update.
    ///
    /// - Parameters:
    ///   - before: What ``before(_:in:row:)`` returned.
    ///   - saved: The record as it was saved; what is absent in it is stored as it was.
    func note(before: CloudRecord?, saved: CloudRecord) throws {
        guard let before else { return }
        var after = before
        for (index, name) in saved.layout.names.enumerated() where saved.fields[index] != .absent {
            after.setState(saved.fields[index], of: name)
        }
        after.modificationDate = saved.modificationDate
        after.lastModifiedUserRecordID = saved.lastModifiedUserRecordID
        after.recordChangeTag = saved.recordChangeTag
        try note(before: before, after: after)
    }

    /// Notifies those who asked for a deletion of what ``before(_:in:row:)`` returned.
    func note(deleted before: CloudRecord?) throws {
        guard let before else { return }
        try note(before: before, after: nil)
    }

    private func note(before: CloudRecord?, after: CloudRecord?) throws {
        guard let record = after ?? before else { return }
        for match in index.matches(before: before, after: after, besides: client) {
            let subscription = match.entry.subscription
            if subscription.firesOnce {
                guard ended.insert(match.entry.id).inserted else { continue }
                try session.removeSubscription(match.entry.id)
            }
            try NotificationRow.insert(
                match,
                record: record,
                isStored: after != nil,
                badge: try countBadge(of: match.entry),
                date: date,
                session
            )
        }
    }

    /// The client's badge with one more, if the subscription counts it up.
    private func countBadge(of entry: SubscriptionEntry) throws -> Int64? {
        guard entry.subscription.notificationInfo?.shouldBadge == true else { return nil }
        try session.connection.run(
            "UPDATE \"_clients\" SET \"badge\" = \"badge\" + 1 WHERE \"id\" = ?1",
            [.integer(entry.client)]
        )
        var badge: Int64?
        try session.connection.forEachRow(
            "SELECT \"badge\" FROM \"_clients\" WHERE \"id\" = ?1",
            [.integer(entry.client)]
        ) { badge = $0.integer(at: 0) }
        return badge
    }
}
