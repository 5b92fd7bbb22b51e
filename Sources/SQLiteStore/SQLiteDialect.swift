import CloudRecords
import SQLStore

/// SQL as SQLite has it.
struct SQLiteDialect: SQLDialect {
    let maximumParameters: Int

    func quoted(_ identifier: String) -> String {
        // Nearly no name has a quote, and looking for one byte is much faster than replacing text.
        guard identifier.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(identifier)\"" }
        return "\"" + identifier.replacing("\"", with: "\"\"") + "\""
    }

    func placeholder(_ number: Int) -> String { "?\(number)" }

    // SQLite looks for a number among all those before it, whenever it meets one.
    func nextPlaceholder(_ number: Int) -> String { "?" }

    // What is constant is computed before the first row, and SQLite compares each constant with all those before it.
    func nextPlaceholder(_ placeholder: String, besideColumn column: String) -> String {
        "ifnull(\(placeholder), \(column))"
    }

    func definition(of storage: ColumnStorage) -> String {
        switch storage {
        case .integer: "INTEGER"
        case .real: "REAL"
        case .text: "TEXT"
        case .blob: "BLOB"
        }
    }

    func isDistinct(_ left: String, from right: String) -> String { "\(left) IS NOT \(right)" }

    func hasValue(_ column: String, storage: ColumnStorage) -> String {
        // SQLite looks into an index for a range, but not for IS NOT NULL. In its order of values numbers come first,
        // then text, then blobs.
        switch storage {
        case .integer, .real: "\(column) >= -9e999"
        case .text: "\(column) >= ''"
        case .blob: "\(column) IS NOT NULL"
        }
    }

    func unindexed(_ expression: String) -> String { "+\(expression)" }

    func list(_ column: String, hasElementWhere condition: String) -> String {
        // What another tool wrote may be no list at all, and json_each would end the query with an error, or take a
        // single value for a list: only elements of lists have numbers for keys.
        """
        CASE WHEN json_valid(\(column)) THEN EXISTS \
        (SELECT 1 FROM json_each(\(column)) WHERE typeof(json_each.key) = 'integer' AND (\(condition))) END
        """
    }

    var element: String { "json_each.value" }

    func bytes(ofElement element: String) -> String { "\(SQLiteFunction.bytes.rawValue)(\(element))" }

    func listElement(_ placeholder: String) -> String { "json_extract(\(placeholder), '$[0]')" }

    func isElement(_ value: String, ofList placeholder: String, _ elements: ListElements) -> String {
        let element =
            switch elements {
            case .plain: self.element
            case .numbers: "\(SQLiteFunction.number.rawValue)(\(self.element))"
            case .bytes: bytes(ofElement: self.element)
            }
        return "\(value) IN (SELECT \(element) FROM json_each(\(placeholder)))"
    }

    func text(_ column: String, contains placeholder: String) -> String { "instr(\(column), \(placeholder)) > 0" }

    func text(_ text: String, endsWith placeholder: String, count: String) -> String {
        "substr(\(text), -\(count)) = \(placeholder)"
    }

    func text(_ text: String, upTo count: Int) -> String { "substr(\(text), 1, \(count))" }

    func text(_ text: String, isLike placeholder: String, _ options: TextOptions) -> String? {
        "\(SQLiteFunction.like.rawValue)(\(text), \(placeholder), \(options.rawValue))"
    }

    func folded(_ text: String, _ options: TextOptions) -> String? {
        "\(SQLiteFunction.folded.rawValue)(\(text), \(options.rawValue))"
    }

    func changeTag(ofSequence sequence: String) -> String? { "\(SQLiteFunction.changeTag.rawValue)(\(sequence))" }

    func distance(latitude: String, longitude: String, from place: (latitude: String, longitude: String)) -> String? {
        "\(SQLiteFunction.distance.rawValue)(\(latitude), \(longitude), \(place.latitude), \(place.longitude))"
    }

    func distance(ofElement element: String, from place: (latitude: String, longitude: String)) -> String? {
        "\(SQLiteFunction.elementDistance.rawValue)(\(element), \(place.latitude), \(place.longitude))"
    }

    func farthest(ifNull distance: String) -> String { "ifnull(\(distance), 9e999)" }

    // The words are separated by spaces, and the tokenizer leaves them as they are: they are folded already, and it
    // takes all that is not ASCII for letters. FTS5 keeps a copy of the text, so that it can remove a row's words
    // whatever has happened to the row since. Without positions and sizes, which nobody asks for, it is half as large.
    func tokenTableDefinition(_ table: String) -> String {
        "CREATE VIRTUAL TABLE \(quoted(table)) USING fts5(\"words\", tokenize = 'ascii', detail = none, columnsize = 0)"
    }

    func tokenInsertion(_ table: String) -> String {
        "INSERT INTO \(quoted(table)) (rowid, \"words\") VALUES (?1, ?2)"
    }

    func tokenDeletion(_ table: String) -> String { "DELETE FROM \(quoted(table)) WHERE rowid = ?1" }

    func tokenSearch(_ table: String, allOf words: [String], bind: (String) -> String) -> String {
        // In quotes, which no word contains, nothing is a part of FTS5's language.
        let query = words.map { "\"\($0)\"" }.joined(separator: " ")
        return "SELECT rowid FROM \(quoted(table)) WHERE \(quoted(table)) MATCH \(bind(query))"
    }

    func row(_ columns: [String], hasWordsOf placeholder: String) -> String? {
        // A function has at most 127 arguments, older versions of SQLite say 100.
        guard columns.count < 100 else { return nil }
        return "\(SQLiteFunction.hasWords.rawValue)(\(([placeholder] + columns).joined(separator: ", ")))"
    }
}
