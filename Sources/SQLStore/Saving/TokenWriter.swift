import CloudRecords

/// Keeps the table of a record type's words: for each row the words of all its text fields.
final class TokenWriter {
    private let connection: any SQLConnection
    private let table: String
    private let textColumns: String
    private let textCount: Int
    private let insertion: any SQLStatement
    private let deletion: any SQLStatement

    init(_ recordType: SQLRecordType, table: String, connection: any SQLConnection, dialect: any SQLDialect) throws {
        self.connection = connection
        self.table = dialect.quoted(recordType.table)
        // Also those that are not deployed: their words have to be there when they are.
        let columns = (recordType.fields + recordType.hiddenFields).filter { $0.kind == .string }.map {
            dialect.quoted($0.column)
        }
        textCount = columns.count
        textColumns = columns.joined(separator: ", ")
        insertion = try connection.statement(dialect.tokenInsertion(table))
        deletion = try connection.statement(dialect.tokenDeletion(table))
    }

    /// Adds the words of all rows to an empty table, one row after the other.
    func addAll() throws {
        guard textCount > 0 else { return }
        var count = 0
        try connection.forEachRow("SELECT \"_row\", \(textColumns) FROM \(table) ORDER BY \"_row\"") { row in
            try add(words(of: row), row: row.integer(at: 0))
            count += 1
            if count % 256 == 0 { try connection.checkCancellation() }
        }
    }

    /// Adds the words of a new row.
    func add(_ record: CloudRecord, row: Int64) throws {
        var words = Words()
        record.fields.withValues { values in
            for case .value(.string(let text)) in values { words.append(text) }
        }
        try add(words, row: row)
    }

    /// Replaces the words of a row by those that it has now.
    func update(row: Int64) throws {
        try remove(row: row)
        guard textCount > 0 else { return }
        try connection.forEachRow("SELECT \"_row\", \(textColumns) FROM \(table) WHERE \"_row\" = ?1", [.integer(row)])
        {
            try add(words(of: $0), row: row)
        }
    }

    func remove(row: Int64) throws {
        defer { deletion.reset() }
        try deletion.bind(row, at: 1)
        _ = try deletion.run()
    }

    private func words(of row: any SQLStatement) -> Words {
        var words = Words()
        for column in 1...textCount {
            if case .text(let text) = row.value(at: column) { words.append(text) }
        }
        return words
    }

    private func add(_ words: Words, row: Int64) throws {
        guard !words.text.isEmpty else { return }
        defer { insertion.reset() }
        try insertion.bind(row, at: 1)
        try insertion.bind(words.text, at: 2)
        _ = try insertion.run()
    }
}

/// The words of several texts, with spaces between them.
private struct Words {
    private(set) var text = ""

    mutating func append(_ source: String) {
        TokenText.forEachWord(of: source) { word in
            if !text.isEmpty { text += " " }
            text += word
        }
    }
}
