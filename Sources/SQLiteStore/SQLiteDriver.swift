import CloudRecords
import Foundation
import SQLStore

/// SQLite behind ``SQLDriver``: one writer and a few readers of one file in WAL mode.
///
/// Readers don't wait for the writer, nor it for them. Other processes may have the file open too.
final class SQLiteDriver: SQLDriver {
    private static let readerLimit = 4

    let dialect: any SQLDialect
    private let writer: SQLitePool
    private let readers: SQLitePool
    private let path: String
    /// The first sequence number that was not given out when the file was opened.
    let firstSequence: Int64

    /// Opens the file, which is made with the store's tables if it does not exist.
    init(path: String, options: SQLiteOptions) throws {
        let first = try SQLiteConnection(path: path, role: .writer, options: options)
        firstSequence = try first.transaction(.write) {
            try StoreTables.prepare(first)
            return try StoreTables.nextSequence(first)
        }
        self.path = path
        dialect = SQLiteDialect(maximumParameters: first.maximumParameters)
        writer = SQLitePool(label: "CloudKitDao.SQLite.writer", limit: 1, first: first) {
            try SQLiteConnection(path: path, role: .writer, options: options)
        }
        readers = SQLitePool(label: "CloudKitDao.SQLite.reader", limit: Self.readerLimit) {
            try SQLiteConnection(path: path, role: .reader, options: options)
        }
    }

    func read<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        try await readers.run(isInterruptible: true) { connection in
            try connection.transaction(.read) { try body(connection) }
        }
    }

    func write<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        // Not interrupted but asked to stop between records: an interrupted statement may have rolled back all.
        try await writer.run(isInterruptible: false) { connection in
            try connection.transaction(.write) { try body(connection) }
        }
    }

    // Both leave the caller's actor, which may be the main one.

    @concurrent
    func readAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        if let value = try atOnce(.read, on: readers, body) { return value }
        return try await read(body)
    }

    @concurrent
    func writeAtOnce<Value: Sendable>(
        _ body: @escaping @Sendable (any SQLConnection) throws -> Value
    ) async throws -> Value {
        if let value = try atOnce(.write, on: writer, body) { return value }
        return try await write(body)
    }

    /// Runs short work on this thread; nil, with nothing done, if it would have to wait.
    private func atOnce<Value>(
        _ transaction: SQLiteTransaction,
        on pool: SQLitePool,
        _ body: (any SQLConnection) throws -> Value
    ) throws -> Value? {
        guard !Task.isCancelled else { throw CloudError.cancelled }
        return try pool.runAtOnce { connection in
            connection.cancellation = .task
            defer { connection.cancellation = .none }
            return try connection.transactionAtOnce(transaction) { try body(connection) }
        }
    }

    /// Of this store's own commits too: they are in the same file.
    func watchCommits(_ handler: @escaping @Sendable () -> Void) throws -> (any CommitWatch)? {
        try FileWatch(path: path + "-wal", handler)
    }

    func close() async {
        await readers.close()
        await writer.close()
    }
}
