import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Sorting and paging")
struct Paging {
    private static func store(_ records: [CloudRecord]) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    @Test("A page that ends with the last record has no cursor")
    func exactMultiples() async throws {
        let store = try await Self.store((0..<300).map { item("n\($0)", ["n": .int64(Int64($0))]) })
        for (size, pages) in [(100, 3), (299, 2), (300, 1), (301, 1), (1, 300), (Int.max, 1)] {
            var cursor: CloudCursor?
            var count = 0
            var names: Set<String> = []
            repeat {
                let page = try await store.page(CloudQuery(recordType: "Item"), after: cursor, limit: size)
                names.formUnion(page.records.map(\.recordID.recordName))
                count += 1
                cursor = page.cursor
            } while cursor != nil
            #expect(count == pages, "pages of \(size)")
            #expect(names.count == 300)
        }
        for limit in [0, -1, Int.min] {
            let refused = try await error {
                _ = try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: limit)
            }
            #expect(refused.code == .invalidArguments)
        }
    }

    private struct Row {
        let name: String
        let a: Int64?
        let t: String?
    }

    @Test("Nulls, ties and directions are sorted as specified, whatever the size of the pages")
    func nullsAndTies() async throws {
        var rows: [Row] = []
        for a in [nil, 1, 2] as [Int64?] {
            for t in [nil, "", "A", "a", "é", "\u{FF5E}", "\u{1F600}"] as [String?] {
                for copy in 0..<3 { rows.append(Row(name: "n\(rows.count * 37 % 63)-\(copy)", a: a, t: t)) }
            }
        }
        let store = try await Self.store(
            rows.map { item($0.name, ["a": $0.a.map(CloudValue.int64), "t": $0.t.map(CloudValue.string)]) }
        )
        for (aAscending, tAscending) in [(true, true), (true, false), (false, true), (false, false)] {
            let order = aAscending ? OrderBy.ascending("a") : .descending("a")
            let query = CloudQuery(
                recordType: "Item",
                orderBy: tAscending ? order.ascending("t") : order.descending("t")
            )
            let expected = rows.sorted { left, right in
                if left.a != right.a { return ((left.a ?? .min) < (right.a ?? .min)) == aAscending }
                if left.t != right.t {
                    let isLess =
                        right.t != nil
                        && (left.t == nil || left.t!.unicodeScalars.lexicographicallyPrecedes(right.t!.unicodeScalars))
                    return isLess == tAscending
                }
                return (left.name < right.name) == tAscending
            }.map(\.name)
            for size in [1, 2, 7, 63, 100] {
                #expect(try await store.names(query, pageSize: size) == expected)
            }
        }
    }

    @Test("Every kind of field can be a key, and the record name alone too")
    func kindsOfKeys() async throws {
        let store = try await Self.store(
            (0..<9).map { number in
                item(
                    "n\(number)",
                    [
                        "x": .double(Double(number) / 3),
                        "d": .date(Date(timeIntervalSinceReferenceDate: Double(number) / 7)),
                        "b": .bytes(Data([UInt8(number)])), "s": .string("s\(number)"),
                        "r": .reference(CloudReference(recordID: CloudRecordID("t\(number)"))),
                    ]
                )
            }
        )
        let ascending = (0..<9).map { "n\($0)" }
        let keys = [
            "x", "d", "b", "s", "r", "recordID", "creationDate", "modificationDate", "nobody", "creatorUserRecordID",
        ]
        for key in keys {
            let up = CloudQuery(recordType: "Item", orderBy: .ascending(key))
            let down = CloudQuery(recordType: "Item", orderBy: .descending(key))
            #expect(try await store.names(up, pageSize: 2) == ascending, "\(key)")
            #expect(try await store.names(down, pageSize: 2) == ascending.reversed(), "\(key)")
        }
        #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: .recordName), pageSize: 2) == ascending)
        let twice = OrderBy.ascending("x").descending("x").ascending("recordID").descending("recordID")
        #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: twice), pageSize: 2) == ascending)
        try await store.saveOne(item("z", ["l": .list([.int64(1)])]))
        for key in ["l", "recordChangeTag"] {
            let refused = try await error {
                _ = try await store.names(CloudQuery(recordType: "Item", orderBy: .ascending(key)))
            }
            #expect(refused.code == .invalidArguments)
            #expect(refused.field == key)
        }
    }

    @Test("A cursor goes on after a restart, from its coded form")
    func cursorAfterRestart() async throws {
        let folder = try TestFolder()
        let path = folder.path("paging.sqlite")
        let query = CloudQuery(
            recordType: "Item",
            predicate: CloudPredicate(.compare(field: "n", .greater, .int64(10))),
            orderBy: .descending("n")
        )
        let coded: Data
        do {
            let store = try SQLiteStore(path: path)
            _ = try await store.modify(
                CloudModification(saving: (0..<100).map { item("n\($0)", ["n": .int64(Int64($0))]) })
            )
            let page = try await store.page(query, after: nil, limit: 40)
            coded = try JSONEncoder().encode(try #require(page.cursor))
            await store.close()
        }
        let store = try SQLiteStore(path: path)
        let cursor = try JSONDecoder().decode(CloudCursor.self, from: coded)
        let page = try await store.page(query, after: cursor, limit: 1000)
        #expect(page.records.compactMap { $0["n"]?.int64Value } == (11..<60).reversed())
        // What is returned of each record is not part of the query.
        var fewer = query
        fewer.desiredFields = ["n"]
        #expect(try await store.page(fewer, after: cursor, limit: 1).records.count == 1)
    }

    @Test("Another query's cursor is refused, and a damaged one")
    func foreignCursor() async throws {
        let store = try await Self.store((0..<10).map { item("n\($0)", ["n": .int64(Int64($0))]) })
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
        let cursor = try #require(try await store.page(query, after: nil, limit: 2).cursor)
        let others = [
            CloudQuery(recordType: "Item", orderBy: .descending("n")),
            CloudQuery(recordType: "Item2", orderBy: .ascending("n")),
            CloudQuery(recordType: "Item", predicate: CloudPredicate(.not(.nothing)), orderBy: .ascending("n")),
            CloudQuery(recordType: "Item", orderBy: .ascending("n"), zoneID: .default),
        ]
        for other in others {
            let refused = try await error { _ = try await store.page(other, after: cursor, limit: 2) }
            #expect(refused.code == .invalidArguments)
        }
        for position in [
            "", "[]", "{", "[1]", "[\"q\",1,2]", "[\"rx\",\"tn\",1]", "[[[[[[[[[[[[[[[[[[[[", "[null,null,null,null]",
        ] {
            let damaged = CloudCursor(queryFingerprint: cursor.queryFingerprint, position: Data(position.utf8))
            let refused = try await error { _ = try await store.page(query, after: damaged, limit: 2) }
            #expect(refused.code == .invalidArguments, "\(position)")
        }
    }

    @Test("Records that come and go between pages make no other one appear twice or vanish")
    func changesBetweenPages() async throws {
        let store = try await Self.store((0..<60).map { item("n\($0)", ["n": .int64(Int64($0 / 6))]) })
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
        var seen: [String] = []
        var cursor: CloudCursor?
        var turn = 0
        repeat {
            let page = try await store.page(query, after: cursor, limit: 7)
            seen += page.records.map(\.recordID.recordName)
            cursor = page.cursor
            turn += 1
            _ = try await store.modify(
                CloudModification(
                    saving: (0..<5).map { item("new\(turn)-\($0)", ["n": .int64(Int64(turn - 3))]) },
                    deleting: page.records.suffix(3).map(\.recordID)
                )
            )
        } while cursor != nil
        #expect(Set(seen).count == seen.count)
        #expect(Set(seen).isSuperset(of: (0..<60).map { "n\($0)" }))
    }

    @Test("A field that appears between two pages does not break the cursor")
    func fieldAppears() async throws {
        let store = try await Self.store((0..<6).map { item("n\($0)") })
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("later"))
        let page = try await store.page(query, after: nil, limit: 3)
        try await store.saveOne(item("z", ["later": .int64(1)]))
        let rest = try await store.page(query, after: page.cursor, limit: 10)
        #expect(rest.records.map(\.recordID.recordName) == ["n3", "n4", "n5", "z"])
        #expect(rest.cursor == nil)
    }
}
