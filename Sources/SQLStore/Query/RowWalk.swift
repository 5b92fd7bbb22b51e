import Synchronization

/// A faster way to read all records by date of creation: a walk through the table itself, whose rows are numbered as
/// records are first saved.
///
/// The index of the order needs a look into the table for each row; a walk steps from one row to the next. Mostly both
/// give the same. Whether they do is found out for each page afterwards, by the index alone: the dates of the rows have
/// to follow each other, and the index must have no other rows between them. If a clock was set back, or another
/// program wrote dates, the page is read again in the ordinary way.
final class RowWalk: Sendable {
    /// A walk costs two more looks into the index, which only long stretches repay.
    static let shortest = 64

    let isAscending: Bool
    /// The statement that reads the rows; its parameters are the first row's number and how many to read.
    let rows: String
    private let table: String
    private let order: String
    private let failed = Atomic(false)

    /// Fails if the order is not the one by date of creation, or not all records are asked for.
    init?(
        sorting: [SortColumn],
        isFiltered: Bool,
        order: String,
        resultColumns: String,
        table: String
    ) {
        let names = [SystemColumn.created, .name, .zone].map(\.rawValue)
        guard !isFiltered, sorting.map(\.name) == names, let isAscending = sorting.first?.key.isAscending,
            sorting.allSatisfy({ $0.key.isAscending == isAscending })
        else { return nil }
        self.isAscending = isAscending
        self.table = table
        self.order = order
        rows = """
            SELECT \(resultColumns) FROM \(table) WHERE "_row" \(isAscending ? ">=" : "<=") ?1 \
            ORDER BY "_row"\(isAscending ? "" : " DESC") LIMIT ?2
            """
    }

    /// Whether to try: where it has failed once, the next page would mostly be read twice too.
    var isWorthTrying: Bool { !failed.load(ordering: .relaxed) }

    func giveUp() { failed.store(true, ordering: .relaxed) }

    /// The statement for the number of the first row after a date; from the beginning if there is none.
    func first(after date: SQLValue?) -> (sql: String, parameters: [SQLValue]) {
        let condition = date == nil ? "" : " WHERE \"_created\" \(isAscending ? ">" : "<") ?1"
        return ("SELECT \"_row\" FROM \(table)\(condition) ORDER BY \(order) LIMIT 1", date.map { [$0] } ?? [])
    }

    /// The statement that counts the rows after a date up to another one, and says whether there are more after that.
    func check(after date: SQLValue?, upTo last: Double) -> (sql: String, parameters: [SQLValue]) {
        // A text in place of a date is after all dates, and must not be counted.
        let start = date ?? .real(isAscending ? -.infinity : .infinity)
        let sql =
            isAscending
            ? """
            SELECT (SELECT count(*) FROM \(table) WHERE "_created" > ?1 AND "_created" <= ?2), \
            (SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE "_created" > ?2 LIMIT 1) AS "more")
            """
            : """
            SELECT (SELECT count(*) FROM \(table) WHERE "_created" < ?1 AND "_created" >= ?2), \
            (SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE "_created" < ?2 LIMIT 1) AS "more")
            """
        return (sql, [start, .real(last)])
    }
}
