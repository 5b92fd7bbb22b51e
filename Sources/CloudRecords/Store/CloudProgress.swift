/// How far a batch has come.
///
/// Assets are copied before the records are written, so their bytes count up first.
public struct CloudProgress: Sendable, Hashable {
    /// The number of saves and deletes that were gone through.
    ///
    /// They count for good when the batch has returned: a store may take back what it wrote, as it does when a record
    /// of an atomic batch is refused.
    public var completedRecordCount: Int

    /// The number of saves and deletes of the whole batch.
    public var totalRecordCount: Int

    /// The bytes of assets that the store has taken so far.
    public var completedByteCount: Int64

    /// The bytes of all assets of the batch that have to be taken.
    public var totalByteCount: Int64

    /// Makes a report. Only stores do this.
    public init(
        completedRecordCount: Int = 0,
        totalRecordCount: Int,
        completedByteCount: Int64 = 0,
        totalByteCount: Int64 = 0
    ) {
        self.completedRecordCount = completedRecordCount
        self.totalRecordCount = totalRecordCount
        self.completedByteCount = completedByteCount
        self.totalByteCount = totalByteCount
    }

    /// The part that is done, from 0 to 1: the mean of the parts of the records and of the bytes, as far as there
    /// are any. An empty batch is done.
    public var fractionCompleted: Double {
        let parts = [
            (Double(completedRecordCount), Double(totalRecordCount)),
            (Double(completedByteCount), Double(totalByteCount)),
        ].filter { $0.1 > 0 }
        guard !parts.isEmpty else { return 1 }
        return parts.reduce(0) { $0 + min(1, $1.0 / $1.1) } / Double(parts.count)
    }
}
