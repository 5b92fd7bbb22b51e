import CSQLite
import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLStore
import Synchronization
import Testing

@testable import SQLiteStore

@Suite("Pages by date of creation")
struct RowWalkTests {
    /// A clock that a test sets.
    private final class Clock: Sendable {
        private let seconds = Mutex(0.0)

        func set(_ time: Double) { seconds.withLock { $0 = time } }

        var now: Date { Date(timeIntervalSinceReferenceDate: seconds.withLock { $0 }) }
    }

    private let clock = Clock()
    private let folder = FileManager.default.temporaryDirectory.appending(path: "walk-\(UUID().uuidString)")
    private var path: String { folder.appending(path: "walk.sqlite").path }

    private func store() throws -> SQLiteStore {
        try SQLiteStore(
            path: path,
            userRecordID: CloudRecordID("me"),
            options: SQLiteOptions(isDurable: false),
            temporaryFolder: nil,
            clock: { [clock] in clock.now }
        )
    }

    private func save(_ names: [String], _ store: SQLiteStore, type: String = "Item") async throws {
        let records = names.map { CloudRecord(recordType: type, recordID: CloudRecordID($0)) }
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
    }

    private func save(_ numbers: Range<Int>, _ store: SQLiteStore, at time: Double) async throws {
        clock.set(time)
        try await save(numbers.map { "n\($0)" }, store)
        // Rows of one type are not numbered one after the other.
        try await save(numbers.map { "other\($0)" }, store, type: "Other")
    }

    /// Compares the pages of both orders, in several sizes, with the records sorted by date and name.
    private func check(_ store: SQLiteStore, isWalked: Bool) async throws {
        let all = try await store.records(CloudQuery(recordType: "Item", orderBy: .recordName))
        let sorted = all.sorted { left, right in
            let (first, second) = (left.creationDate ?? .distantPast, right.creationDate ?? .distantPast)
            return first == second
                ? left.recordID.recordName.utf8.lexicographicallyPrecedes(right.recordID.recordName.utf8)
                : first < second
        }.map(\.recordID.recordName)
        for size in [64, 70, 99, 1_000] {
            try await store.driver.read { ($0 as? SQLiteConnection)?.forgetStatements() }
            let oldest = CloudQuery(recordType: "Item", orderBy: .ascending("creationDate"))
            let newest = CloudQuery(recordType: "Item", orderBy: .descending("creationDate"))
            #expect(try await store.names(oldest, pageSize: size) == sorted)
            #expect(try await store.names(newest, pageSize: size) == sorted.reversed())
            let statements = try await store.plansOfStatements().map(\.sql)
            #expect(statements.contains { $0.contains("\"_row\" <= ?1") } || !isWalked)
        }
    }

    @Test("are walked where records were made one after the other")
    func plain() async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        for batch in 0..<4 { try await save((batch * 80)..<(batch * 80 + 80), store, at: Double(batch)) }
        _ = try await store.modify(CloudModification(deleting: (0..<60).map { CloudRecordID("n\($0 * 5)") }))
        try await check(store, isWalked: true)
        await store.close()
    }

    @Test("are right where the clock was set back, stood still, or went on in jumps", arguments: [-5.0, 0, 0.000_04])
    func clocks(step: Double) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        for batch in 0..<4 { try await save((batch * 80)..<(batch * 80 + 80), store, at: Double(batch) * step) }
        try await save(400..<500, store, at: 100)
        try await check(store, isWalked: false)
        await store.close()
    }

    @Test("are right where one record is older than its neighbours, wherever it is", arguments: [0, 63, 64, 150, 199])
    func outlier(number: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        try await save(0..<200, store, at: 0)
        for date in ["-1000", "1000", "0.00003"] {
            try write("UPDATE Item SET \"_created\" = \(date) WHERE \"_name\" = 'n\(number)'")
            try await check(store, isWalked: false)
        }
        await store.close()
    }

    @Test("end where a text stands in place of a date", arguments: [0, 100, 199])
    func text(number: Int) async throws {
        defer { try? FileManager.default.removeItem(at: folder) }
        let store = try store()
        try await save(0..<200, store, at: 0)
        try write("UPDATE Item SET \"_created\" = '2000-01-01T00:00:00Z' WHERE \"_name\" = 'n\(number)'")
        // The engine sorts texts after all numbers.
        let newest = CloudQuery(recordType: "Item", orderBy: .descending("creationDate"))
        let names = try await store.names(newest, pageSize: 1_000)
        #expect(names.first == "n\(number)")
        #expect(names.dropFirst() == (0..<200).reversed().filter { $0 != number }.map { "n\($0)" }[...])
        await store.close()
    }

    /// Changes the file as another tool might.
    private func write(_ sql: String) throws {
        var handle: OpaquePointer?
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        defer { sqlite3_close(handle) }
        try #require(sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK)
    }
}
