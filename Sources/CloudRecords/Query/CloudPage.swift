/// One page of a query's results.
public struct CloudPage: Sendable {
    /// The records, in the query's order.
    public let records: [CloudRecord]

    /// Where the next page goes on; nil when this is the last one.
    public let cursor: CloudCursor?

    /// Makes a page. Only stores do this.
    public init(records: [CloudRecord], cursor: CloudCursor?) {
        self.records = records
        self.cursor = cursor
    }
}
