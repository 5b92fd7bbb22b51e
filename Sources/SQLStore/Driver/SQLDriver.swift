import CloudRecords
import Foundation

/// A database engine: connections, and threads of its own where work waits for them.
///
/// The logic of the store is synchronous and written once over this; what differs between engines is here and in
/// ``SQLDialect``.
package protocol SQLDriver: AnyObject, Sendable {
    /// The engine's way of writing SQL.
    var dialect: any SQLDialect { get }

    /// Runs the body in one read transaction, so that all its statements see the same state.
    ///
    /// The body runs on a thread of the driver, never on one of the concurrency pool.
    /// Cancelling the task interrupts the running statement.
    /// - Throws: What the body throws; ``CloudError/Code/operationCancelled`` when cancelled.
    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs the body in one write transaction, alone among all writers, and rolls it back if it throws.
    ///
    /// - Throws: What the body throws; ``CloudError/Code/operationCancelled`` when cancelled before the commit.
    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs the body as ``read(_:)`` does, or at once where it is asked for.
    ///
    /// For work that is short whatever the database holds: to fetch a few records. If a connection is free and no lock is
    /// in the way, the body runs on the thread of the concurrency pool that the task is on (a caller's actor is left
    /// first, so never on the main thread), for to wake another thread up would take longer than the work. Work that
    /// would have to wait goes to a thread of the driver; so the body may be run twice. The running statement
    /// is not interrupted.
    func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Runs the body as ``write(_:)`` does, or at once where it is asked for, like ``readAtOnce(_:)``.
    ///
    /// For work that is short whatever the database holds: to save a few records.
    func writeAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value

    /// Calls a handler soon after each commit of others, on any thread and perhaps more often, as long as what is
    /// returned is referred to; nil if the engine can't tell.
    func watchCommits(_ handler: @escaping @Sendable () -> Void) throws -> (any CommitWatch)?

    /// Waits for what is running and closes all connections. Later calls throw.
    func close() async
}

/// What an engine does that has to wait for each statement anyway.
extension SQLDriver {
    package func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await read(body)
    }

    package func writeAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await write(body)
    }
}

/// One connection, used by one thread at a time and only inside a body of ``SQLDriver``.
package protocol SQLConnection: AnyObject {
    /// The statement of this text, compiled once for each connection.
    func statement(_ sql: String) throws -> any SQLStatement

    /// Runs a statement without parameters that is not worth keeping.
    func execute(_ sql: String) throws

    /// Whether there is a table, view or index of this name, whatever its case.
    func hasTable(_ name: String) throws -> Bool

    /// Throws ``CloudError/Code/operationCancelled`` if the task that waits for the body was cancelled.
    func checkCancellation() throws

    /// The statements of most calls that were prepared on this connection.
    var storeStatements: StoreStatements { get }

    /// Called in a transaction that notifies clients, so that an engine can wake them when it is committed.
    func announceNotifications() throws

    /// The statements of saves that were prepared on this connection.
    var writePlans: WritePlanCache { get }
}

/// A compiled statement with its parameters, which are numbered from 1, and its result columns, numbered from 0.
///
/// What is done for each row is one call: the loop over the columns is the driver's.
package protocol SQLStatement: AnyObject {
    func bind(_ value: Int64, at parameter: Int) throws
    func bind(_ value: Double, at parameter: Int) throws
    func bind(_ value: String, at parameter: Int) throws
    func bind(_ value: SQLValue, at parameter: Int) throws

    /// Binds the fields of one record.
    ///
    /// - Returns: nil, or the position among the columns of the first field whose value is not of its column's type;
    ///   the statement must not be run then.
    func bind(_ values: UnsafeBufferPointer<FieldState>, to columns: ContiguousArray<WriteColumn>) throws -> Int?

    /// Goes to the next row of the result; false after the last one.
    func step() throws -> Bool

    /// Runs the statement to its end and resets it.
    ///
    /// - Returns: The number of rows that it inserted, updated or deleted.
    func run() throws -> Int

    /// Ends the run, so that the statement can be run again. The bound values are undefined afterwards.
    func reset()

    /// The value of a column of the current row.
    func value(at column: Int) -> SQLValue

    /// The integer in a column of the current row; 0 if it is none.
    func integer(at column: Int) -> Int64

    /// Steps through at most so many rows and adds them to the buffer, which is one for the plan's layout.
    ///
    /// - Parameter assets: Gives the assets of contents.
    /// - Returns: The number of rows added. When it is the number asked for, the statement still stands at the last
    ///   of them.
    func readRows(
        _ plan: ReadPlan,
        upTo count: Int,
        into rows: inout RecordRowBuffer,
        assets: any AssetKeeping
    ) throws -> Int
}

extension SQLStatement {
    /// The text in a column of the current row; empty if it is none.
    package func text(at column: Int) -> String {
        if case .text(let value) = value(at: column) { value } else { "" }
    }
}

extension SQLConnection {
    /// Runs a statement with these parameters to its end.
    @discardableResult
    package func run(_ sql: String, _ parameters: [SQLValue] = []) throws -> Int {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in parameters.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        return try statement.run()
    }

    /// Calls the body for each row of a statement's result.
    package func forEachRow(
        _ sql: String,
        _ parameters: [SQLValue] = [],
        _ body: (any SQLStatement) throws -> Void
    ) throws {
        let statement = try statement(sql)
        defer { statement.reset() }
        for (index, value) in parameters.enumerated() {
            try statement.bind(value, at: index + 1)
        }
        while try statement.step() {
            try body(statement)
        }
    }
}
