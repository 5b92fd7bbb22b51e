import CSQLite
import CloudRecords
import Foundation
import SQLStore
import Synchronization

/// One open database file, used by one thread at a time, though not always the same one.
final class SQLiteConnection: SQLConnection {
    let handle: OpaquePointer
    let fileName: String
    let storeStatements = StoreStatements()
    let writePlans = WritePlanCache()
    let log: WriteAheadLog
    let transactions: SQLiteTransactionStatements
    /// By what the running work is told that nobody wants it any more.
    var cancellation = Cancellation.none
    /// Whether the connection must not be used any more.
    var isBroken = false
    /// Whether statements wait for a lock that another connection has; else they fail at once.
    var waitsForLocks = true {
        didSet {
            guard waitsForLocks != oldValue else { return }
            if waitsForLocks {
                BusyWaiting.setTimeout(busyTimeout, of: handle)
            } else {
                BusyWaiting.turnOff(of: handle)
            }
        }
    }
    private let busyTimeout: Int32
    private var statements: [String: SQLiteStatement] = [:]

    /// What a connection is for.
    enum Role {
        case writer, reader

        /// How much of the file the connection keeps in memory.
        ///
        /// A batch that changes an index all over goes much faster when the index fits. Readers mostly pass once over
        /// what they read, of which the system keeps a copy anyway, and there are several of them.
        fileprivate var cacheKilobytes: Int {
            switch self {
            case .writer: 65_536
            case .reader: 16_384
            }
        }
    }

    /// How running work is cancelled.
    enum Cancellation {
        case none
        /// By the task that waits for it.
        case flag(CancellationFlag)
        /// With the task that runs it.
        case task
    }

    init(path: String, role: Role, options: SQLiteOptions) throws {
        fileName = (path as NSString).lastPathComponent
        var handle: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let code = sqlite3_open_v2(path, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteFailure.error(code, handle: handle, fileName: fileName)
            sqlite3_close_v2(handle)
            throw error
        }
        do {
            transactions = try SQLiteTransactionStatements(handle, fileName: fileName)
        } catch {
            sqlite3_close_v2(handle)
            throw error
        }
        self.handle = handle
        busyTimeout = options.busyTimeout
        log = WriteAheadLog(of: handle, busyTimeout: options.busyTimeout)
        sqlite3_extended_result_codes(handle, 1)
        BusyWaiting.setTimeout(options.busyTimeout, of: handle)
        try SQLiteFunction.register(on: self)
        try turnOnLog(timeout: .milliseconds(Int(options.busyTimeout)))
        try execute("PRAGMA synchronous = \(options.isDurable ? "NORMAL" : "OFF")")
        try execute("PRAGMA cache_size = -\(role.cacheKilobytes)")
        try execute("PRAGMA foreign_keys = OFF")
        // After a large batch the log is cut back to this size.
        try execute("PRAGMA journal_size_limit = 67108864")
        if let pages = options.largestPageCount { try execute("PRAGMA max_page_count = \(pages)") }
    }

    /// Turns the write-ahead log on, if it is not.
    ///
    /// SQLite itself does not wait here for others, who may wait for this connection in turn, as processes do that
    /// open a new file at the same moment.
    private func turnOnLog(timeout: Duration) throws {
        let end = ContinuousClock.now + timeout
        while true {
            let code = sqlite3_exec(handle, "PRAGMA journal_mode = WAL", nil, nil, nil)
            if code == SQLITE_OK { return }
            guard code & 0xFF == SQLITE_BUSY, ContinuousClock.now < end else { throw error(code) }
            usleep(.random(in: 1_000...10_000))
        }
    }

    deinit {
        // Statements that are still referred to keep the handle alive until they are finalized.
        sqlite3_close_v2(handle)
    }

    /// The most parameters that a statement may have. A negative limit only asks for it.
    var maximumParameters: Int { Int(sqlite3_limit(handle, SQLITE_LIMIT_VARIABLE_NUMBER, -1)) }

    func error(_ code: Int32) -> CloudError {
        SQLiteFailure.error(code, handle: handle, fileName: fileName)
    }

    func statement(_ sql: String) throws -> any SQLStatement {
        if let statement = statements[sql] { return statement }
        // The statements of an app are few; a program that makes up queries must not fill the memory.
        if statements.count >= 256 { statements.removeAll() }
        let statement = try SQLiteStatement(sql, handle: handle, fileName: fileName)
        statements[sql] = statement
        return statement
    }

    /// The texts of the statements that are kept, for tests of how they are run.
    var preparedSQL: [String] { Array(statements.keys) }

    /// Prepares all statements anew, for tests of which ones are run.
    func forgetStatements() {
        statements.removeAll()
    }

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func hasTable(_ name: String) throws -> Bool {
        var isFound = false
        try forEachRow("SELECT 1 FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", [.text(name)]) { _ in
            isFound = true
        }
        return isFound
    }

    func checkCancellation() throws {
        let isCancelled =
            switch cancellation {
            case .none: false
            case .flag(let flag): flag.isSet
            case .task: Task.isCancelled
            }
        if isCancelled { throw CloudError.cancelled }
    }

}

/// How a file is opened.
package struct SQLiteOptions: Sendable {
    /// Whether the database is whole after the loss of power, though the last commits may be missing, or only after the
    /// end of the process.
    package var isDurable: Bool
    /// How long to wait for another writer, in milliseconds.
    package var busyTimeout: Int32
    /// How many pages the file may have; nil for as many as SQLite can count.
    package var largestPageCount: Int32?

    package init(isDurable: Bool = true, busyTimeout: Int32 = 30_000, largestPageCount: Int32? = nil) {
        self.isDurable = isDurable
        self.busyTimeout = busyTimeout
        self.largestPageCount = largestPageCount
    }
}

/// Whether the task that waits for a job was cancelled.
final class CancellationFlag: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }

    func set() { flag.store(true, ordering: .relaxed) }
}
