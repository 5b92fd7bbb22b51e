/// One page of a query's results in the form from which objects are filled.
///
/// A store that keeps its records in rows gives them as it reads them; the objects are then made with no records in
/// between. Every other store's are records, see ``init(_:)``. The results are the same.
public struct CloudRows: Sendable {
    package enum Content: Sendable {
        case records([CloudRecord])
        case rows(RecordRows)
    }

    package let content: Content

    /// Where the next page goes on; nil when this is the last one.
    public let cursor: CloudCursor?

    /// Makes rows of a page of records.
    public init(_ page: CloudPage) {
        content = .records(page.records)
        cursor = page.cursor
    }

    package init(_ rows: RecordRows, cursor: CloudCursor?) {
        content = .rows(rows)
        self.cursor = cursor
    }

    /// The number of records.
    public var count: Int {
        switch content {
        case .records(let records): records.count
        case .rows(let rows): rows.count
        }
    }

    /// The page with its records.
    /// - Complexity: O(*n*) in the number of records.
    public var page: CloudPage {
        switch content {
        case .records(let records): CloudPage(records: records, cursor: cursor)
        case .rows(let rows): CloudPage(records: rows.records(), cursor: cursor)
        }
    }
}
