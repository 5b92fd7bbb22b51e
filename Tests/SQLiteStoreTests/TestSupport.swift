import CSQLite
import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

extension CloudStore {
    /// Saves one record and returns it as stored.
    @discardableResult
    func saveOne(_ record: CloudRecord, _ policy: CloudSavePolicy = .ifServerRecordUnchanged) async throws
        -> CloudRecord
    {
        let result = try await modify(CloudModification(saving: [record], savePolicy: policy))
        return try #require(result.saved.first).get()
    }

    func fetchOne(_ name: String, fields: [String]? = nil) async throws -> CloudRecord {
        try #require(try await fetch([CloudRecordID(name)], desiredFields: fields).first).get()
    }

    /// The names of all records of a query, read in pages.
    func names(_ query: CloudQuery, pageSize: Int = 1000) async throws -> [String] {
        try await records(query, pageSize: pageSize).map(\.recordID.recordName)
    }

    func records(_ query: CloudQuery, pageSize: Int = 1000) async throws -> [CloudRecord] {
        var records: [CloudRecord] = []
        var cursor: CloudCursor?
        repeat {
            let page = try await page(query, after: cursor, limit: pageSize)
            records += page.records
            cursor = page.cursor
        } while cursor != nil
        return records
    }

    /// The names of the records of type Item that match, by name.
    func matches(_ node: CloudPredicate.Node) async throws -> [String] {
        try await names(CloudQuery(recordType: "Item", predicate: CloudPredicate(node), orderBy: .recordName))
    }
}

/// A record of type Item with these fields.
func item(_ name: String, _ fields: [String: CloudValue?] = [:]) -> CloudRecord {
    var record = CloudRecord(recordType: "Item", recordID: CloudRecordID(name))
    for (field, value) in fields.sorted(by: { $0.key < $1.key }) { record[field] = value }
    return record
}

extension CloudRecord {
    /// Gives the record the tag of another one, as if it had been read as that.
    mutating func setTag(of other: CloudRecord) {
        recordChangeTag = other.recordChangeTag
    }
}

/// The error that the body throws.
func error(_ body: () async throws -> Void) async throws -> CloudError {
    do {
        try await body()
    } catch {
        return try #require(error as? CloudError)
    }
    Issue.record("nothing was thrown")
    throw CancellationError()
}

/// A file with a text, removed with the test.
final class ScratchFile {
    let folder: TestFolder
    let url: URL

    init(_ text: String) throws {
        folder = try TestFolder()
        url = folder.url.appending(path: "file.txt")
        try Data(text.utf8).write(to: url)
    }
}

/// The names of the contents that the store of a database keeps.
func keptContents(_ path: String) throws -> Set<String> {
    Set(try FileManager.default.contentsOfDirectory(atPath: path + "-assets").filter { !$0.hasPrefix(".") })
}

/// Another program's access to a database: plain SQL.
enum PlainSQL {
    /// Runs SQL on a file and returns the rows, each value as text.
    @discardableResult
    static func run(_ sql: String, _ path: String) throws -> [[String]] {
        var handle: OpaquePointer?
        defer { sqlite3_close_v2(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        var rows: [[String]] = []
        var statement: OpaquePointer?
        var rest: String = sql
        while !rest.isEmpty {
            let consumed = try rest.withCString { text -> Int in
                var tail: UnsafePointer<CChar>?
                guard sqlite3_prepare_v2(handle, text, -1, &statement, &tail) == SQLITE_OK else {
                    Issue.record("\(String(cString: sqlite3_errmsg(handle)))")
                    throw CancellationError()
                }
                return tail.map { $0 - text } ?? 0
            }
            rest = String(decoding: Array(rest.utf8.dropFirst(consumed)), as: UTF8.self)
            guard statement != nil else { break }
            while sqlite3_step(statement) == SQLITE_ROW {
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { column in
                        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
                    }
                )
            }
            sqlite3_finalize(statement)
        }
        return rows
    }
}
