import CloudRecords
import Foundation
import SQLStore
import Testing

@testable import SQLiteStore

@Suite("Query plans")
struct QueryPlans {
    @Test("Pages of every order are read from an index, without sorting")
    func noSorting() async throws {
        let store = try SQLiteStore.inMemory()
        let zone = CloudZoneID("z")
        try await store.saveZone(zone)
        let records = (0..<400).map { number in
            item(
                "n\(number * 7919 % 400)",
                ["n": .int64(Int64(number % 40)), "t": number % 5 == 0 ? nil : .string("t\(number)")]
            )
        }
        _ = try await store.modify(CloudModification(saving: records))
        let byText = CloudPredicate(.compare(field: "n", .equal, .int64(3)))
        let queries = [
            CloudQuery(recordType: "Item"),
            CloudQuery(recordType: "Item", orderBy: .ascending("creationDate")),
            CloudQuery(recordType: "Item", orderBy: .recordName),
            CloudQuery(recordType: "Item", orderBy: .ascending("t")),
            CloudQuery(recordType: "Item", orderBy: .descending("t").ascending("n")),
            CloudQuery(recordType: "Item", orderBy: .ascending("t").ascending("n")),
            CloudQuery(recordType: "Item", predicate: byText),
            CloudQuery(recordType: "Item", predicate: byText, orderBy: .ascending("t")),
            CloudQuery(recordType: "Item", zoneID: .default),
        ]
        for query in queries {
            _ = try await store.records(query, pageSize: 10)
        }
        let plans = try await store.plansOfStatements()
        #expect(plans.count > 20)
        for (sql, plan) in plans {
            #expect(!plan.contains("TEMP B-TREE"), "\(sql): \(plan)")
            #expect(plan.contains("USING INDEX") || plan.contains("USING INTEGER PRIMARY KEY"), "\(sql): \(plan)")
        }
    }

    @Test("The pages after the first seek in the index")
    func seeking() async throws {
        let store = try SQLiteStore.inMemory()
        _ = try await store.modify(
            CloudModification(saving: (0..<100).map { item("n\($0)", ["n": .int64(Int64($0))]) })
        )
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
        let page = try await store.page(query, after: nil, limit: 10)
        _ = try await store.page(query, after: page.cursor, limit: 10)
        let later = try await store.plansOfStatements().filter { $0.sql.contains(" > ?") }
        #expect(later.count >= 2)
        for (sql, plan) in later { #expect(plan.contains("SEARCH"), "\(sql): \(plan)") }
    }

    @Test("A record is looked for by its name in the directory, not in its table")
    func byName() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        _ = try await store.matches(.compare(field: "recordID", .equal, .string("a")))
        let plans = try await store.plansOfStatements().filter { $0.sql.contains("_names") && $0.sql.contains("Item") }
        #expect(!plans.isEmpty)
        for (sql, plan) in plans { #expect(!plan.contains("SCAN"), "\(sql): \(plan)") }
    }
}

extension SQLiteStore {
    /// The plans of the statements on record tables that the readers have run.
    fileprivate func plansOfStatements() async throws -> [(sql: String, plan: String)] {
        // Run one after the other, the queries have all used the same reader.
        try await driver.read { connection in
            guard let connection = connection as? SQLiteConnection else { return [] }
            return try connection.preparedSQL.filter { $0.contains("\"Item\"") }.map { sql in
                var lines: [String] = []
                try connection.forEachRow("EXPLAIN QUERY PLAN \(sql)") { lines.append($0.text(at: 3)) }
                return (sql, lines.joined(separator: "; "))
            }
        }
    }
}
