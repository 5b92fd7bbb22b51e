import CSQLite
import Foundation

extension FloorDatabase {
    // MARK: Writing

    /// Inserts rows in one transaction.
    func insert(_ readings: [FloorReading]) throws {
        try transaction { try write(readings, by: .insert) }
    }

    /// Writes all columns of rows, looked for by their names, in one transaction.
    func update(_ readings: [FloorReading]) throws {
        try transaction { try write(readings, by: .update) }
    }

    /// Inserts rows, each in a transaction of its own.
    func insertOneByOne(_ readings: [FloorReading]) throws {
        try write(readings, by: .insert)
    }

    private func write(_ readings: [FloorReading], by query: FloorQuery) throws {
        let statement = try statement(query)
        for reading in readings {
            statement.bind(reading)
            _ = try statement.step()
            statement.reset()
        }
    }

    // MARK: Reading

    func fetchAll(_ query: FloorQuery) throws -> [FloorReading] {
        let statement = try statement(query)
        defer { statement.reset() }
        return try statement.readings()
    }

    func fetchAll(_ query: FloorQuery, _ text: String) throws -> [FloorReading] {
        let statement = try statement(query)
        defer { statement.reset() }
        statement.bind(text, at: 1)
        return try statement.readings()
    }

    func fetch(_ recordName: String) throws -> FloorReading? {
        let statement = try statement(.one)
        defer { statement.reset() }
        statement.bind(recordName, at: 1)
        return try statement.step() ? statement.reading() : nil
    }

    /// Fetches rows by name in one read transaction.
    func fetch(_ recordNames: [String]) throws -> [FloorReading?] {
        try execute("BEGIN")
        let readings = try recordNames.map { try fetch($0) }
        try execute("COMMIT")
        return readings
    }

    /// The page after a row, newest first, by the index on the date of creation.
    func page(after last: FloorReading?, limit: Int) throws -> [FloorReading] {
        let statement = try statement(last == nil ? .firstPage : .nextPage)
        defer { statement.reset() }
        sqlite3_bind_int64(statement.pointer, 1, Int64(limit))
        if let last { sqlite3_bind_double(statement.pointer, 2, last.createdAt.timeIntervalSinceReferenceDate) }
        return try statement.readings()
    }
}
