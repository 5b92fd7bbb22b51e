import CloudRecords
import Foundation

/// A query, the place to go on from, and how much to read: checked as far as it can be without the database.
struct PageRequest: Sendable {
    let query: CloudQuery
    let fingerprint: String
    /// The values of the sort columns of the last record of the page before.
    let position: [SQLValue]?
    let limit: Int

    /// - Throws: ``CloudError/Code/invalidArguments`` for a predicate that is none, or another query's cursor.
    init(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) throws {
        try query.predicate.checkWellFormed()
        try RecordValidator.validate(recordType: query.recordType)
        self.query = query
        self.limit = limit
        fingerprint = QueryFingerprint.text(query)
        guard let cursor else {
            position = nil
            return
        }
        guard cursor.queryFingerprint == fingerprint else {
            throw CloudError(
                .invalidArguments,
                "The cursor belongs to another query than this one of \(query.recordType).",
                remedy: "Use a cursor with the same record type, predicate, order and zone that it came from."
            )
        }
        position = try PagePosition.decode(cursor.position)
    }
}
