import CloudRecords
import Foundation
import Testing

@testable import SQLStore
@testable import SQLiteStore

@Suite struct TranslationCacheTests {
    /// How often the cache makes a translation for these queries, asked one after the other.
    private static func makings(_ queries: [CloudQuery], generations: [Int64]? = nil) throws -> Int {
        let cache = TranslationCache()
        var count = 0
        for (index, query) in queries.enumerated() {
            let request = try PageRequest(query, after: nil, limit: 10)
            _ = try cache.translation(request, generation: generations?[index] ?? 1) {
                count += 1
                let dialect = SQLiteDialect(maximumParameters: 100)
                return try QueryTranslation(
                    query,
                    recordType: SQLRecordType(
                        id: 1,
                        name: "Item",
                        table: "Item",
                        fields: [SQLField(name: "t", type: .string, column: "t")],
                        indexes: [],
                        dialect: dialect
                    ),
                    schema: SQLSchema(generation: 1),
                    capabilities: CloudCapabilities(storeName: "test", supported: []),
                    dialect: dialect
                )
            }
        }
        return count
    }

    private static func query(_ text: String, fields: [String]? = nil) -> CloudQuery {
        CloudQuery(
            recordType: "Item",
            predicate: CloudPredicate(.compare(field: "t", .equal, .string(text))),
            desiredFields: fields
        )
    }

    @Test func `a query is translated once for all its pages, and anew when the schema has changed`() throws {
        let query = Self.query("a")
        #expect(try Self.makings([query, query, query]) == 1)
        #expect(try Self.makings([query, query, query], generations: [1, 2, 1]) == 2)
        #expect(try Self.makings([query, Self.query("a", fields: ["t"]), Self.query("a", fields: [])]) == 3)
    }

    @Test func `texts that Swift takes for equal are translated each`() throws {
        #expect("\u{E9}" == "e\u{301}")
        #expect(try Self.makings([Self.query("\u{E9}"), Self.query("e\u{301}")]) == 2)
    }

    @Test func `predicates with thousands of values are not kept`() throws {
        let values = (0..<1_000).map { CloudValue.string("\($0)") }
        let query = CloudQuery(recordType: "Item", predicate: CloudPredicate(.oneOf(field: "t", values)))
        #expect(try Self.makings([query, query]) == 2)
    }

    @Test func `pages follow changes of schema, zones and words between them`() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["t": .string("\u{E9}")]))
        try await store.saveOne(item("b", ["t": .string("e\u{301}")]))
        for _ in 0..<2 {
            #expect(try await store.names(Self.query("\u{E9}")) == ["a"])
            #expect(try await store.names(Self.query("e\u{301}")) == ["b"])
        }
        let later = CloudPredicate.Node.compare(field: "later", .equal, .int64(1))
        #expect(try await store.matches(later) == [])
        try await store.saveOne(item("c", ["later": .int64(1)]))
        #expect(try await store.matches(later) == ["c"])
        let zone = CloudZoneID("z")
        let inZone = CloudQuery(recordType: "Item", zoneID: zone)
        #expect(try await store.names(inZone) == [])
        try await store.saveZone(zone)
        try await store.saveOne(CloudRecord(recordType: "Item", recordID: CloudRecordID("d", zone: zone)))
        #expect(try await store.names(inZone) == ["d"])
    }
}
