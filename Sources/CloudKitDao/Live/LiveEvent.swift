import CloudRecords

/// One step by which a live collection became what it is. Steps are replayed in their order: each position is the one
/// at that moment.
package enum LiveEvent: Sendable {
    case inserted(CloudRecord, at: Int)
    /// The record has another version, at the same position.
    case updated(CloudRecord, at: Int)
    /// The record has another version that belongs elsewhere; the second position is the one after the record was
    /// taken out at the first.
    case moved(CloudRecord, from: Int, to: Int)
    case deleted(CloudRecordID, at: Int)
    /// Nothing that anybody would see: what the store fills, or where the files of assets are. The fields are equal.
    case refreshed(CloudRecord, former: CloudRecord, at: Int)
}
