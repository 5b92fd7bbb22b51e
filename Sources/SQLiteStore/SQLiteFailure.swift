import CSQLite
import CloudRecords
import Foundation

/// The error of a call to SQLite.
enum SQLiteFailure {
    /// The seconds after which a busy database is worth another try.
    private static let retryDelay = 1.0

    /// Makes the error for a result code; `handle` may be nil when there is no connection.
    static func error(_ code: Int32, handle: OpaquePointer?, fileName: String) -> CloudError {
        let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
        let reason = text.map { String(cString: $0) } ?? "unknown error"
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED:
            return CloudError(
                .serviceUnavailable,
                "The database \(fileName) is busy with another writer.",
                remedy: "Try again later.",
                retryAfter: retryDelay
            )
        case SQLITE_FULL:
            return CloudError(
                .quotaExceeded,
                "The disk or the database \(fileName) is full; nothing was written.",
                remedy: "Free some space and save again."
            )
        case SQLITE_INTERRUPT:
            return .cancelled
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            return CloudError(
                .internalError,
                "The file \(fileName) is no database or is damaged: \(reason).",
                remedy: "Restore it from a backup, or open another file."
            )
        case SQLITE_CANTOPEN:
            return CloudError(
                .internalError,
                "The database \(fileName) can't be opened: \(reason).",
                remedy: "Check that its folder exists and may be written to."
            )
        case SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            return CloudError(
                .permissionFailure,
                "The database \(fileName) may not be written to: \(reason).",
                remedy: "Check the permissions of the file and its folder."
            )
        case SQLITE_TOOBIG:
            return CloudError(
                .limitExceeded,
                "A value or query is too large for SQLite: \(reason).",
                remedy: "Make it smaller; large data belongs into an asset."
            )
        case SQLITE_NOMEM:
            return CloudError(.internalError, "SQLite ran out of memory.", remedy: "Work on fewer records at a time.")
        default:
            return CloudError(
                .internalError,
                "SQLite failed on \(fileName): \(reason) (\(code)).",
                remedy: "Check the disk and that no other tool changed the store's own tables; else restore a backup."
            )
        }
    }
}
