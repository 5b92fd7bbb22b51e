import CloudRecords
import Foundation
import Synchronization

/// Who a store is among the clients of its database: one app on one device, for one user.
///
/// Subscriptions and unread notifications belong to a client, and what it changes is no news to it.
package final class SubscriptionClient: Sendable {
    private let userRecordID: CloudRecordID
    private let claim: @Sendable () throws -> String
    /// The row, once it was seen: clients' rows stay.
    private let known = Mutex<Int64?>(nil)

    /// - Parameters:
    ///   - userRecordID: The user of the store.
    ///   - claim: Says what the client is called, the same each time for one store. Called when it is first of
    ///     importance, on the thread of a connection, and perhaps again.
    package init(userRecordID: CloudRecordID, claim: @escaping @Sendable () throws -> String) {
        self.userRecordID = userRecordID
        self.claim = claim
    }

    /// The number of the client's row; nil if it has none, and so no subscription.
    ///
    /// Not to be called in a transaction that made the row: it may not come to be.
    func row(_ connection: any SQLConnection) throws -> Int64? {
        if let row = known.withLock({ $0 }) { return row }
        var row: Int64?
        try connection.forEachRow(
            "SELECT \"id\" FROM \"_clients\" WHERE \"name\" = ?1 AND \"user\" = ?2",
            [.text(try claim()), .text(ReferenceText.encode(userRecordID))]
        ) { row = $0.integer(at: 0) }
        if let row { known.withLock { $0 = row } }
        return row
    }

    /// The number of the client's row, which is made if need be; once in a transaction.
    func makeRow(_ session: WriteSession) throws -> Int64 {
        if let row = try row(session.connection) { return row }
        let row = try session.takeSequence()
        try session.connection.run(
            "INSERT INTO \"_clients\" (\"id\", \"name\", \"user\", \"badge\", \"dropped\") VALUES (?1, ?2, ?3, 0, 0)",
            [.integer(row), .text(try claim()), .text(ReferenceText.encode(userRecordID))]
        )
        return row
    }
}
