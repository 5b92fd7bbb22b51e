import CSQLite
import Foundation
import Testing

/// Another program's access to a database: plain SQL.
enum PlainSQL {
    /// Runs a statement on a file and returns the first column of its rows as text.
    static func run(_ sql: String, _ path: String) throws -> [String] {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        try #require(
            sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK,
            "\(String(cString: sqlite3_errmsg(handle)))"
        )
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append(sqlite3_column_text(statement, 0).map { String(cString: $0) } ?? "NULL")
        }
        return rows
    }
}
