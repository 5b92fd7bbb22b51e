import CSQLite
import CloudRecords

/// A kind of transaction.
enum SQLiteTransaction {
    /// One that sees one state of the database.
    case read
    /// One that is alone among all writers.
    case write
}

/// The statements that begin and end transactions, one pair of which nearly every call runs.
struct SQLiteTransactionStatements {
    private let read: SQLiteStatement
    private let write: SQLiteStatement
    fileprivate let commit: SQLiteStatement
    fileprivate let rollback: SQLiteStatement

    init(_ handle: OpaquePointer, fileName: String) throws {
        read = try SQLiteStatement("BEGIN", handle: handle, fileName: fileName)
        write = try SQLiteStatement("BEGIN IMMEDIATE", handle: handle, fileName: fileName)
        commit = try SQLiteStatement("COMMIT", handle: handle, fileName: fileName)
        rollback = try SQLiteStatement("ROLLBACK", handle: handle, fileName: fileName)
    }

    fileprivate func begin(_ transaction: SQLiteTransaction) -> SQLiteStatement {
        switch transaction {
        case .read: read
        case .write: write
        }
    }
}

extension SQLiteConnection {
    /// Runs the body in a transaction.
    func transaction<Value>(_ transaction: SQLiteTransaction, _ body: () throws -> Value) throws -> Value {
        try run(transactions.begin(transaction))
        return try finish(body)
    }

    /// Runs the body in a transaction, if nothing has to be waited for.
    ///
    /// - Returns: What the body returns; nil if another connection has a lock that is needed. Then nothing was written,
    ///   though the body of a read may have run in part.
    func transactionAtOnce<Value>(_ transaction: SQLiteTransaction, _ body: () throws -> Value) throws -> Value? {
        let begin = transactions.begin(transaction)
        let code = begin.runOnce()
        if code & 0xFF == SQLITE_BUSY { return nil }
        guard code == SQLITE_DONE else { throw begin.error(code) }
        do {
            return try finish(body)
        } catch let error as CloudError where transaction == .read && error.code == .serviceUnavailable {
            return nil
        }
    }

    private func finish<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            let value = try body()
            try checkCancellation()
            try run(transactions.commit)
            return value
        } catch {
            // After some failures, a full disk for one, SQLite has rolled back by itself.
            if sqlite3_get_autocommit(handle) == 0 {
                // A connection that can't end its transaction is closed, which ends it.
                do { try run(transactions.rollback) } catch { isBroken = true }
            }
            throw error
        }
    }

    private func run(_ statement: SQLiteStatement) throws {
        let code = statement.runOnce()
        guard code == SQLITE_DONE else { throw statement.error(code) }
    }
}
