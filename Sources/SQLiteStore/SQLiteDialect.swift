import SQLStore

/// SQL as SQLite has it.
struct SQLiteDialect: SQLDialect {
    func quoted(_ identifier: String) -> String {
        "\"" + identifier.replacing("\"", with: "\"\"") + "\""
    }

    func placeholder(_ number: Int) -> String { "?\(number)" }

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

    func listColumn(_ column: String, containsOneOf values: [String]) -> String {
        // What another tool wrote may be no list at all, and json_each would end the query with an error.
        """
        CASE WHEN json_valid(\(column)) THEN EXISTS \
        (SELECT 1 FROM json_each(\(column)) WHERE json_each.value IN (\(values.joined(separator: ", ")))) END
        """
    }

    func listElement(_ placeholder: String) -> String { "json_extract(\(placeholder), '$[0]')" }

    func isElement(_ value: String, ofList placeholder: String) -> String {
        "\(value) IN (SELECT json_each.value FROM json_each(\(placeholder)))"
    }

    func text(_ column: String, contains placeholder: String) -> String { "instr(\(column), \(placeholder)) > 0" }
}
