import CloudRecords
import Foundation
import SQLStore
import Testing

@testable import SQLiteStore

// One after the other, so that all queries on a store use the same reader.
@Suite("Query plans", .serialized)
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

    /// A hundred thousand records, for the tests that only look.
    private static let large = Task {
        let store = try SQLiteStore.inMemory()
        let layout = FieldLayout(
            recordType: "Item",
            names: ["n", "m", "t", "p", "w", "k", "c"],
            types: [.int64, .int64, .string, .location, .string, .string, .string]
        )
        let records = (0..<100_000).map { number in
            var record = CloudRecord(layout: layout, recordID: CloudRecordID("n\(number)"))
            let mixed = number * 7919 % 100_000
            record.fields[0] = .value(.int64(Int64(mixed)))
            record.fields[1] = .value(.int64(Int64(mixed % 500)))
            record.fields[2] = number % 10 == 0 ? .null : .value(.string("t\(mixed)"))
            let (row, column) = (Double(mixed / 400), Double(mixed % 400))
            let place = CloudLocation(latitude: row * 0.5 - 60, longitude: column * 0.8 - 160)
            record.fields[3] = number % 4 == 0 ? .value(.location(place)) : .null
            record.fields[4] = .value(
                .string("everywhere \(number % 2 == 0 ? "often" : "") \(number % 20 == 0 ? "some" : "")")
            )
            record.fields[5] = .value(.string("kind \(mixed % 10)"))
            record.fields[6] = .value(.string("c\(mixed)"))
            return record
        }
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    private struct Case: CustomStringConvertible, Sendable {
        let description: String
        let predicate: CloudPredicate
        let order: OrderBy
        /// What drives: an index by a part of its name; nil for the number of the row.
        let index: String?
        var isSorted = false

        init(
            _ name: String,
            _ node: CloudPredicate.Node,
            _ order: OrderBy,
            by index: String?,
            isSorted: Bool = false
        ) {
            description = name
            predicate = CloudPredicate(node)
            self.order = order
            self.index = index
            self.isSorted = isSorted
        }
    }

    private static let here = CloudLocation(latitude: 0, longitude: 0)

    private static let cases: [Case] = {
        let few = CloudPredicate.Node.between(field: "n", .int64(500), .int64(600))
        let many = CloudPredicate.Node.compare(field: "n", .less, .int64(60_000))
        let fewWords = CloudPredicate.Node.tokens("t77")
        let near = CloudPredicate.Node.near(field: "p", here, metres: 300_000)
        let isFive = CloudPredicate.Node.compare(field: "m", .equal, .int64(5))
        let isKind = CloudPredicate.Node.compare(field: "k", .equal, .string("kind 3"))
        let isOne = CloudPredicate.Node.compare(field: "c", .equal, .string("c77"))
        let isOther = CloudPredicate.Node.compare(field: "c", .equal, .string("c78"))
        let prefix = CloudPredicate.Node.beginsWith(field: "t", "t123")
        let twoOfMany = CloudPredicate.Node.oneOf(field: "n", [.int64(5), .int64(90)])
        let byDate = OrderBy.descending("creationDate")
        return [
            Case("everything", .everything, byDate, by: "_by__created"),
            Case("sorted by a field", .everything, .ascending("t"), by: "_by_t"),
            Case("sorted by two fields", .everything, .descending("t").ascending("n"), by: "_by_t,n-"),
            Case("equality", isFive, byDate, by: "_by_m,_created"),
            Case("equality in an order", isFive, .ascending("n"), by: "_by_m,n"),
            Case("equality and range in the order", .and([few, isFive]), .ascending("n"), by: "_by_m,n"),
            Case("range in its order", few, .ascending("n"), by: "_by_n"),
            Case("many in their order", many, .descending("n"), by: "_by_n"),
            Case("few in another order", few, byDate, by: "_by_n", isSorted: true),
            Case("many in another order", many, byDate, by: "_by__created"),
            Case("prefix", .beginsWith(field: "t", "t123"), byDate, by: "_by_t", isSorted: true),
            Case("prefix in its order", .beginsWith(field: "t", "t123"), .ascending("t"), by: "_by_t"),
            Case("prefix of nearly all", .beginsWith(field: "t", "t"), byDate, by: "_by__created"),
            Case("pattern", .like(field: "t", "t12?4*"), byDate, by: "_by_t", isSorted: true),
            Case("set", .oneOf(field: "n", [.int64(5), .int64(90)]), byDate, by: "_by_n", isSorted: true),
            Case("large set", .oneOf(field: "n", (0..<90).map { .int64($0) }), byDate, by: "_by_n", isSorted: true),
            Case("words", fewWords, byDate, by: nil, isSorted: true),
            Case("words and equality", .and([isFive, fewWords]), byDate, by: nil, isSorted: true),
            Case("not these words", .not(fewWords), byDate, by: "_by__created"),
            Case("near", near, byDate, by: "_by__p_latitude", isSorted: true),
            Case("nearest first", near, .distance("p", from: here), by: "_by__p_latitude", isSorted: true),
            Case("a hemisphere", .near(field: "p", here, metres: 1e7), byDate, by: "_by__created"),
            Case("name", .compare(field: "recordID", .equal, .string("n7")), byDate, by: nil, isSorted: true),
            Case("alternatives", .or([few, isFive]), byDate, by: "_by__created"),
            Case("two equalities", .and([isKind, isOne]), byDate, by: "_by_c,_created"),
            Case("two equalities the other way round", .and([isOne, isKind]), byDate, by: "_by_c,_created"),
            Case("three equalities", .and([isKind, isFive, isOne]), byDate, by: "_by_c,_created"),
            Case("two equalities of many", .and([isKind, isFive]), byDate, by: "_by_m,_created"),
            Case("equality and a small range", .and([isKind, few]), byDate, by: "_by_n", isSorted: true),
            Case("a small range and equality", .and([few, isKind]), byDate, by: "_by_n", isSorted: true),
            Case("equality and a large range", .and([isFive, many]), byDate, by: "_by_m,_created"),
            Case("equality and prefix", .and([isKind, prefix]), byDate, by: "_by_t", isSorted: true),
            Case("equality and set", .and([isKind, twoOfMany]), byDate, by: "_by_n", isSorted: true),
            Case("equality of one and a small range", .and([few, isOne]), byDate, by: "_by_c,_created"),
            Case("two ranges", .and([many, prefix]), byDate, by: "_by_t", isSorted: true),
            Case(
                "equalities, nearest first",
                .and([isKind, isOne]),
                .distance("p", from: here),
                by: "_by_c",
                isSorted: true
            ),
            Case("values of one field by OR", .or([isOne, isOther]), byDate, by: "_by_c", isSorted: true),
            Case(
                "an equality and values by OR",
                .and([isKind, .or([isOne, isOther])]),
                byDate,
                by: "_by_c",
                isSorted: true
            ),
            Case("ends of text", .endsWith(field: "t", "77"), .ascending("t"), by: "_by_t"),
        ]
    }()

    @Test("Of 100,000 records a query reads what it needs, by an index", arguments: cases)
    private func drives(test: Case) async throws {
        let store = try await Self.large.value
        let query = CloudQuery(recordType: "Item", predicate: test.predicate, orderBy: test.order)
        let first = try await store.plans(query, after: nil)
        var next: [(sql: String, plan: String)] = []
        if let cursor = first.cursor { next = try await store.plans(query, after: cursor).plans }
        for (sql, plan) in (first.plans + next).filter({ $0.sql.contains("count(*)") }) {
            #expect(plan.contains("USING COVERING INDEX") || plan.contains("VIRTUAL TABLE INDEX"), "\(sql): \(plan)")
        }
        let pages = (first.plans + next).filter(\.sql.readsRecords)
        #expect(!pages.isEmpty)
        for (sql, plan) in pages {
            let steps = plan.split(separator: "; ")
            let main = steps.first { $0.contains(" Item") }.map(String.init) ?? ""
            if let index = test.index {
                #expect(main.contains("USING INDEX _Item\(index)"), "\(sql): \(plan)")
            } else {
                #expect(main.contains("USING INTEGER PRIMARY KEY"), "\(sql): \(plan)")
            }
            // A result that fits into a page is sorted when it has been read.
            let isSorted = plan.contains("TEMP B-TREE FOR ORDER BY") || !sql.contains("ORDER BY")
            #expect(isSorted == test.isSorted, "\(sql): \(plan)")
        }
        for (sql, plan) in next where !test.isSorted && sql.readsRecords {
            #expect(plan.contains("SEARCH Item"), "\(sql): \(plan)")
        }
    }

    @Test("No record is lost or doubled where another condition drives the next page")
    func changingDrive() async throws {
        let store = try SQLiteStore.inMemory()
        func save(_ numbers: Range<Int>, _ fields: [String: CloudValue]) async throws {
            let records = numbers.map { number in
                item("n\(number)", fields.merging(["n": .int64(Int64(number * 7919 % 1_000))]) { $1 })
            }
            for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        }
        try await save(0..<100, ["a": .int64(1), "b": .int64(1)])
        try await save(100..<200, ["a": .int64(1), "b": .int64(2)])
        let predicate: CloudPredicate = "a == 1 AND b == 1 AND n < 2000"
        let query = CloudQuery(recordType: "Item", predicate: predicate, orderBy: .ascending("n"))
        let expected = (0..<100).sorted { $0 * 7919 % 1_000 < $1 * 7919 % 1_000 }.map { "n\($0)" }
        var names: [String] = []
        var cursor: CloudCursor?
        var drivers: Set<String> = []
        repeat {
            try await store.driver.read { ($0 as? SQLiteConnection)?.forgetStatements() }
            let page = try await store.page(query, after: cursor, limit: 30)
            names += page.records.map(\.recordID.recordName)
            for (sql, plan) in try await store.plansOfStatements() where sql.contains("ORDER BY") {
                drivers.formUnion(["_Item_by_a,", "_Item_by_b,"].filter(plan.contains))
            }
            if cursor == nil { try await save(200..<400, ["a": .int64(2), "b": .int64(1)]) }
            cursor = page.cursor
        } while cursor != nil
        #expect(names == expected)
        #expect(drivers.count == 2)
    }

    private static let wordCases: [(name: String, node: CloudPredicate.Node, isChecked: Bool)] = {
        let everywhere = CloudPredicate.Node.tokens("everywhere")
        return [
            ("a word of all", everywhere, true),
            ("a word of half", .tokens("often"), true),
            ("two frequent words", .tokens("often everywhere"), true),
            ("frequent words with an equality", .and([.compare(field: "m", .equal, .int64(6)), everywhere]), true),
            ("a word of all in a small range", .and([.between(field: "n", .int64(5), .int64(50)), everywhere]), true),
            (
                "a word of all in one record", .and([.compare(field: "recordID", .equal, .string("n7")), everywhere]),
                true
            ),
            ("a word of some", .tokens("some"), false),
            ("a word of few", .tokens("t77"), false),
            ("frequent words beside rare ones", .and([.tokens("t77"), everywhere]), true),
        ]
    }()

    @Test("A page of frequent words reads no list of all records with them", arguments: wordCases.indices)
    private func words(number: Int) async throws {
        let store = try await Self.large.value
        let test = Self.wordCases[number]
        for order in [OrderBy.descending("creationDate"), .ascending("n")] {
            let query = CloudQuery(recordType: "Item", predicate: CloudPredicate(test.node), orderBy: order)
            let (plans, _) = try await store.plans(query, after: nil)
            let pages = plans.filter(\.sql.readsRecords)
            #expect(!pages.isEmpty)
            for (sql, plan) in pages {
                #expect(sql.contains("cloud_has_words") == test.isChecked, "\(test.name) \(sql)")
                let readsAll = plan.contains("LIST SUBQUERY") && !plan.contains("USING INTEGER PRIMARY KEY")
                #expect(readsAll == (test.name == "a word of some"), "\(test.name) \(sql): \(plan)")
            }
        }
    }

    @Test("Queries make no more indexes than saving can bear")
    func limit() async throws {
        let store = try SQLiteStore.inMemory()
        let names = (0..<50).map { "f\($0)" }
        try await store.saveOne(item("a", Dictionary(uniqueKeysWithValues: names.map { ($0, .int64(1)) })))
        for name in names {
            let query = CloudQuery(recordType: "Item", orderBy: .ascending(name))
            #expect(try await store.names(query) == ["a"])
            #expect(try await store.matches(.compare(field: name, .less, .int64(5))) == ["a"])
        }
        let indexes = try await store.driver.read { connection in
            var count: Int64 = 0
            try connection.forEachRow("SELECT count(*) FROM \"_indexes\"") { count = $0.integer(at: 0) }
            return count
        }
        #expect(indexes == 32)
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

extension String {
    /// Whether a statement reads records, and not only counts them.
    fileprivate var readsRecords: Bool { hasPrefix("SELECT \"_name\"") }
}

extension SQLiteStore {
    /// The plans of the statements that read one page, and its cursor.
    fileprivate func plans(
        _ query: CloudQuery,
        after cursor: CloudCursor?
    ) async throws -> (plans: [(sql: String, plan: String)], cursor: CloudCursor?) {
        // The first time it may have to make indexes.
        _ = try await page(query, after: cursor, limit: 20)
        try await driver.read { ($0 as? SQLiteConnection)?.forgetStatements() }
        let page = try await page(query, after: cursor, limit: 20)
        return (try await plansOfStatements(), page.cursor)
    }

    /// The plans of the statements on record tables that the readers have run.
    func plansOfStatements() async throws -> [(sql: String, plan: String)] {
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
