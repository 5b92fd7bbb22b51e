import Foundation

/// The place in a query's results where a page ended, from which the next page goes on.
///
/// A cursor is opaque and belongs to its query: using it with another one throws ``CloudError`` with code
/// ``CloudError/Code/invalidArguments``. It is `Codable`, and can be used after a restart and in another process.
/// It is a position and not a snapshot: records that were inserted or deleted meanwhile make no other record
/// appear twice or vanish.
public struct CloudCursor: Sendable, Hashable, Codable {
    /// What ties the cursor to its query; the store that made the cursor knows how.
    public let queryFingerprint: String

    /// The position, in a form that only the store that made it knows.
    public let position: Data

    /// Makes a cursor. Only stores do this.
    public init(queryFingerprint: String, position: Data) {
        self.queryFingerprint = queryFingerprint
        self.position = position
    }
}
