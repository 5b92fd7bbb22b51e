import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// How many results are read page by page.
    static let paging: [StorePromise] = [
        StorePromise("Pages of any size have each record once, in order") { store in
            try await saveNumbered(40, in: store)
            let query = CloudQuery(recordType: "Item", predicate: "n > 2", orderBy: .ascending("n").descending("t"))
            let whole = try await store.names(query, pageSize: 1_000)
            #expect(whole.count == 40 - 3 * 5)
            for size in [1, 2, 7, whole.count - 1, whole.count, whole.count + 1] {
                #expect(try await store.names(query, pageSize: size) == whole, "pages of \(size)")
            }
        },
        StorePromise("A page without a cursor is the last") { store in
            try await saveNumbered(3, in: store)
            let page = try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: 100)
            #expect(page.records.count == 3)
            #expect(page.cursor == nil)
            let first = try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: 1)
            #expect(first.cursor != nil)
        },
        StorePromise("A page of less than one record is an error") { store in
            for limit in [0, -1, .min] {
                let error = try await #require(throws: CloudError.self) {
                    try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: limit)
                }
                #expect(error.code == .invalidArguments)
            }
        },
        StorePromise("A page may be as large as can be asked for") { store in
            try await saveNumbered(3, in: store)
            #expect(try await store.page(CloudQuery(recordType: "Item"), after: nil, limit: .max).records.count == 3)
        },
        StorePromise("A cursor goes on from its coded form, with other fields if need be") { store in
            try await saveNumbered(10, in: store)
            var query = CloudQuery(recordType: "Item", orderBy: .recordName)
            let cursor = try #require(try await store.page(query, after: nil, limit: 4).cursor)
            let decoded = try JSONDecoder().decode(CloudCursor.self, from: JSONEncoder().encode(cursor))
            #expect(decoded == cursor)
            query.desiredFields = ["t"]
            let rest = try await store.page(query, after: decoded, limit: 100)
            #expect(rest.records.map(\.recordID.recordName) == (4..<10).map { "n\($0 + 100)" })
        },
        StorePromise("A cursor can be used again, with the same outcome") { store in
            try await saveNumbered(6, in: store)
            let query = CloudQuery(recordType: "Item")
            let cursor = try #require(try await store.page(query, after: nil, limit: 2).cursor)
            let first = try await store.page(query, after: cursor, limit: 2).records
            #expect(try await store.page(query, after: cursor, limit: 2).records == first)
        },
        StorePromise("Another query's cursor is refused, and one that no store made") { store in
            try await saveNumbered(10, in: store)
            let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
            let cursor = try #require(try await store.page(query, after: nil, limit: 2).cursor)
            let others = [
                CloudQuery(recordType: "Item", orderBy: .descending("n")),
                CloudQuery(recordType: "Item", orderBy: .ascending("t")),
                CloudQuery(recordType: "Other", orderBy: .ascending("n")),
                CloudQuery(recordType: "Item", predicate: "n > 0", orderBy: .ascending("n")),
                CloudQuery(recordType: "Item", orderBy: .ascending("n"), zoneID: .default),
            ]
            for other in others {
                let error = try await #require(throws: CloudError.self) {
                    try await store.page(other, after: cursor, limit: 2)
                }
                #expect(error.code == .invalidArguments)
            }
            for position in ["", "{", "[]", "[1,2,3,4,5,6]", "null"] {
                let damaged = CloudCursor(queryFingerprint: cursor.queryFingerprint, position: Data(position.utf8))
                let error = try await #require(throws: CloudError.self, "position \(position)") {
                    try await store.page(query, after: damaged, limit: 2)
                }
                #expect(error.code == .invalidArguments)
            }
        },
        StorePromise("Records that come and go between pages make no other one appear twice or vanish") { store in
            try await saveNumbered(60, in: store)
            let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
            var seen: [String] = []
            var cursor: CloudCursor?
            var turn = 0
            repeat {
                let page = try await store.page(query, after: cursor, limit: 7)
                seen += page.records.map(\.recordID.recordName)
                cursor = page.cursor
                turn += 1
                // Some before the place that was reached and some after it; and what was read last is deleted.
                _ = try await store.modify(
                    CloudModification(
                        saving: (0..<3).map { item("new\(turn)x\($0)", ["n": .int64(Int64(turn - 2 + $0))]) },
                        deleting: page.records.suffix(3).map(\.recordID)
                    )
                )
            } while cursor != nil && turn < 100
            #expect(Set(seen).count == seen.count)
            #expect(Set(seen).isSuperset(of: (0..<60).map { "n\($0 + 100)" }))
        },
        StorePromise("The record at a cursor may be deleted") { store in
            try await saveNumbered(6, in: store)
            let query = CloudQuery(recordType: "Item", orderBy: .recordName)
            let page = try await store.page(query, after: nil, limit: 3)
            let last = try #require(page.records.last?.recordID.recordName)
            try await store.delete(last)
            let rest = try await store.page(query, after: page.cursor, limit: 100)
            #expect(rest.records.map(\.recordID.recordName) == ["n103", "n104", "n105"])
        },
    ]

    /// Saves records n100, n101 …, five of each number.
    private static func saveNumbered(_ count: Int, in store: any CloudStore) async throws {
        try await store.save(
            (0..<count).map { number in
                item(
                    "n\(number + 100)",
                    ["n": .int64(Int64(number / 5)), "t": .string("t\(number % 3)")]
                )
            }
        )
    }
}
