import Foundation

/// A point in a database's history, from which its changes can be asked for.
public struct CloudChangeToken: Sendable, Hashable, Codable {
    /// The point, in a form that only the store that made it knows.
    public let position: Data

    /// Makes a token. Only stores do this.
    public init(position: Data) {
        self.position = position
    }
}

/// A page of a database's changes.
public struct CloudChanges: Sendable {
    /// The records that were saved, as they are now, oldest change first.
    public let saved: [CloudRecord]

    /// The records that were deleted, with their types.
    public let deleted: [(recordID: CloudRecordID, recordType: String)]

    /// The token from which to ask for what comes after.
    public let token: CloudChangeToken

    /// Whether there is more to ask for at once.
    public let moreComing: Bool

    /// Makes a page. Only stores do this.
    public init(
        saved: [CloudRecord],
        deleted: [(recordID: CloudRecordID, recordType: String)],
        token: CloudChangeToken,
        moreComing: Bool
    ) {
        self.saved = saved
        self.deleted = deleted
        self.token = token
        self.moreComing = moreComing
    }
}
