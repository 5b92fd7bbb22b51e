import CSQLite
import Foundation

/// The hand-written floor: SQLite's C interface, statements that are prepared once, and the pragmas that the store sets.
///
/// One bare table with the record name as primary key and a column for each field: no zones, no directory of names, no
/// change tags, no sequence, no users, no checks.
final class FloorDatabase {
    let handle: OpaquePointer
    private var statements: [FloorQuery: FloorStatement] = [:]

    /// What a connection is for, and the size of its cache in kilobytes, as with the store's.
    enum Role: Int {
        case writer = 65_536
        case reader = 16_384
    }

    init(path: String, role: Role) throws {
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK, let handle else {
            throw UsageError("\(path) can't be opened")
        }
        self.handle = handle
        // What SQLiteConnection and its log set; the store copies its log after the answer.
        try execute(
            """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -\(role.rawValue);
            PRAGMA foreign_keys = OFF; PRAGMA journal_size_limit = 67108864; PRAGMA wal_autocheckpoint = 0
            """
        )
    }

    deinit {
        statements.removeAll()
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else {
            throw UsageError("\(String(cString: sqlite3_errmsg(handle))): \(sql)")
        }
    }

    /// A statement that is prepared once.
    func statement(_ query: FloorQuery) throws -> FloorStatement {
        if let statement = statements[query] { return statement }
        let statement = try FloorStatement(query.sql, handle: handle)
        statements[query] = statement
        return statement
    }

    func transaction<Value>(_ body: () throws -> Value) throws -> Value {
        try execute("BEGIN IMMEDIATE")
        let value = try body()
        try execute("COMMIT")
        return value
    }

    // MARK: Making one

    func makeTable() throws {
        try execute(
            """
            CREATE TABLE record (
                recordName TEXT PRIMARY KEY, recordType TEXT, createdAt REAL, modifiedAt REAL,
                title TEXT, category TEXT, body TEXT, count INTEGER, rank INTEGER, score REAL, takenAt REAL,
                isChecked INTEGER, remark TEXT
            )
            """
        )
    }

    func makeIndexes() throws {
        try execute("CREATE INDEX record_createdAt ON record (createdAt)")
        try execute("CREATE INDEX record_category ON record (category)")
    }

    /// Makes the index of the words in all text fields, which is what a search looks into on the other side too.
    func makeTokens() throws {
        try execute(
            """
            CREATE VIRTUAL TABLE words USING fts5(
                title, category, body, remark, content = 'record', detail = none, columnsize = 0
            );
            INSERT INTO words(words) VALUES ('rebuild')
            """
        )
    }

    static func fill(_ path: String, _ count: Int) throws {
        let database = try FloorDatabase(path: path, role: .writer)
        try database.makeTable()
        try database.insert((0..<count).map(FloorReading.init(numbered:)))
        try database.makeIndexes()
    }
}

/// The statements of the floor.
enum FloorQuery: Hashable {
    case insert, update, all, newestOfAll, firstPage, nextPage, category, one, tokens

    private static let columns = """
        recordName, createdAt, modifiedAt, title, category, body, count, rank, score, takenAt, isChecked, remark
        """

    var sql: String {
        switch self {
        case .insert:
            "INSERT INTO record VALUES (?1, 'Reading', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)"
        case .update:
            """
            UPDATE record SET createdAt = ?2, modifiedAt = ?3, title = ?4, category = ?5, body = ?6, count = ?7, \
            rank = ?8, score = ?9, takenAt = ?10, isChecked = ?11, remark = ?12 WHERE recordName = ?1
            """
        case .all: "SELECT \(Self.columns) FROM record"
        case .newestOfAll: "SELECT \(Self.columns) FROM record ORDER BY createdAt DESC"
        case .firstPage: "SELECT \(Self.columns) FROM record ORDER BY createdAt DESC LIMIT ?1"
        case .nextPage: "SELECT \(Self.columns) FROM record WHERE createdAt < ?2 ORDER BY createdAt DESC LIMIT ?1"
        case .category: "SELECT \(Self.columns) FROM record WHERE category = ?1"
        case .one: "SELECT \(Self.columns) FROM record WHERE recordName = ?1"
        case .tokens:
            "SELECT \(Self.columns.split(separator: ", ").map { "record.\($0)" }.joined(separator: ", ")) "
                + "FROM words JOIN record ON record.rowid = words.rowid WHERE words MATCH ?1"
        }
    }
}
