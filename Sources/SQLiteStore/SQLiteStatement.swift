import CSQLite
import CloudRecords
import Foundation
import SQLStore

/// A compiled statement of one connection.
final class SQLiteStatement: SQLStatement {
    let pointer: OpaquePointer
    private let handle: OpaquePointer
    private let fileName: String
    var arena = TextArena()

    /// Compiles a statement for an open connection.
    init(_ sql: String, handle: OpaquePointer, fileName: String) throws {
        var pointer: OpaquePointer?
        let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &pointer, nil)
        guard code == SQLITE_OK, let pointer else {
            throw Self.limitError(handle) ?? SQLiteFailure.error(code, handle: handle, fileName: fileName)
        }
        self.pointer = pointer
        self.handle = handle
        self.fileName = fileName
    }

    deinit {
        sqlite3_finalize(pointer)
    }

    /// The error of a statement that nests deeper than SQLite can read, for which it has no code of its own.
    private static func limitError(_ handle: OpaquePointer) -> CloudError? {
        guard let text = sqlite3_errmsg(handle).map({ String(cString: $0) }) else { return nil }
        guard text.hasPrefix("parser stack overflow") || text.hasPrefix("Expression tree is too large") else {
            return nil
        }
        let limit = sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, -1)
        return CloudError(
            .limitExceeded,
            "The predicate has too many terms on too many levels for SQLite, which reads \(limit) levels of its own.",
            remedy: "Write it with fewer levels, or with IN instead of many comparisons."
        )
    }

    func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw error(code) }
    }

    func error(_ code: Int32) -> CloudError {
        SQLiteFailure.error(code, handle: handle, fileName: fileName)
    }

    func step() throws -> Bool {
        switch sqlite3_step(pointer) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code: throw error(code)
        }
    }

    func run() throws -> Int {
        defer { reset() }
        while try step() {}
        return Int(sqlite3_changes(handle))
    }

    /// Runs a statement without parameters and result, and says with which code it ended.
    func runOnce() -> Int32 {
        let code = sqlite3_step(pointer)
        sqlite3_reset(pointer)
        return code
    }

    func reset() {
        // The code repeats the failure of the last step, which was thrown there.
        sqlite3_reset(pointer)
        arena.removeAll()
    }
}

/// Memory for the texts that are bound to a statement: they are copied here once instead of being copied by SQLite.
///
/// SQLite is told that they stay as they are (SQLITE_STATIC). That is so: the bytes are written over only after
/// `reset`, when the statement does not run, and everything is bound anew before it runs again; and the memory lives
/// as long as the statement.
struct TextArena: ~Copyable {
    private static let capacity = 16_384
    private var base: UnsafeMutableRawPointer?
    private var used = 0

    deinit {
        base?.deallocate()
    }

    mutating func removeAll() {
        used = 0
    }

    /// Copies bytes into the arena; nil if it has no room.
    mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer? {
        guard used + bytes.count <= Self.capacity else { return nil }
        let base = base ?? UnsafeMutableRawPointer.allocate(byteCount: Self.capacity, alignment: 1)
        self.base = base
        let place = base + used
        if let source = bytes.baseAddress { place.copyMemory(from: source, byteCount: bytes.count) }
        used += bytes.count
        return place
    }
}
