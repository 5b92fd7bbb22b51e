import CloudRecords
import Foundation
import SQLStore
import Testing

@testable import SQLiteStore

@Suite struct ZoneOrderTests {
    private static let zones = [
        CloudZoneID("n"), CloudZoneID("b", ownerName: "_z"), CloudZoneID("a"), CloudZoneID("b", ownerName: "_a"),
        CloudZoneID("a-"), .default, CloudZoneID("B"),
    ]
    private static let inOrder = [
        CloudZoneID.default, CloudZoneID("B"), CloudZoneID("a"), CloudZoneID("a-"), CloudZoneID("b", ownerName: "_a"),
        CloudZoneID("b", ownerName: "_z"), CloudZoneID("n"),
    ]

    /// Records of two names in all zones.
    private static func store() async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        for zone in zones { try await store.saveZone(zone) }
        try await save(zones, in: store)
        return store
    }

    private static func save(_ zones: [CloudZoneID], in store: SQLiteStore) async throws {
        let records = zones.flatMap { zone in
            ["x", "y"].map { name in
                var record = CloudRecord(recordType: "Item", recordID: CloudRecordID(name, zone: zone))
                record["n"] = .int64(1)
                record["p"] = .location(CloudLocation(latitude: 1, longitude: 1))
                return record
            }
        }
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
    }

    @Test(
        arguments: [
            (OrderBy.recordName, true), (.ascending("n"), true), (.descending("n"), false),
            (.descending("recordID"), false), (.distance("p", from: CloudLocation(latitude: 2, longitude: 2)), true),
        ]
    )
    func `equal names follow each other by zone, the default zone first, whenever the zones were made`(
        order: OrderBy,
        isAscending: Bool
    ) async throws {
        let store = try await Self.store()
        let ids = ["x", "y"].flatMap { name in Self.inOrder.map { CloudRecordID(name, zone: $0) } }
        let expected = isAscending ? ids : ids.reversed()
        for predicate in [CloudPredicate.all, CloudPredicate(.compare(field: "n", .less, .int64(2)))] {
            let query = CloudQuery(recordType: "Item", predicate: predicate, orderBy: order)
            for pageSize in [1, 2, 3, 5, 100] {
                let records = try await store.records(query, pageSize: pageSize)
                #expect(records.map(\.recordID) == expected)
                #expect(records.sorted(by: RecordOrder(order).precedes).map(\.recordID) == expected)
            }
        }
        let inOne = CloudQuery(recordType: "Item", orderBy: order, zoneID: CloudZoneID("a"))
        #expect(
            try await store.records(inOne, pageSize: 1).map(\.recordID.zoneID)
                == Array(repeating: CloudZoneID("a"), count: 2)
        )
    }

    @Test func `a zone that is made between two pages takes its place`() async throws {
        let store = try await Self.store()
        let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"))
        let first = try await store.page(query, after: nil, limit: 3)
        #expect(first.records.map(\.recordID.zoneID) == Array(Self.inOrder.prefix(3)))
        let new = [CloudZoneID("A"), CloudZoneID("aa")]
        for zone in new { try await store.saveZone(zone) }
        try await Self.save(new, in: store)
        let second = try await store.page(query, after: first.cursor, limit: 5)
        let names = second.records.map(\.recordID.zoneID.zoneName)
        #expect(names == ["a-", "aa", "b", "b", "n"])
    }

    @Test func `a cursor that names no zone is refused`() async throws {
        let store = try await Self.store()
        let query = CloudQuery(recordType: "Item", orderBy: .recordName)
        let cursor = try #require(try await store.page(query, after: nil, limit: 3).cursor)
        let position = String(decoding: cursor.position, as: UTF8.self)
        for zone in ["99", "null", "true"] {
            let changed = position.replacing(/,[^,]*\]$/, with: ",\(zone)]")
            #expect(changed != position)
            let damaged = CloudCursor(queryFingerprint: cursor.queryFingerprint, position: Data(changed.utf8))
            let error = try await error { _ = try await store.page(query, after: damaged, limit: 3) }
            #expect(error.code == .invalidArguments)
        }
    }

    @Test func `only the last term is sorted, and not even that with one zone or with zones made in order`()
        async throws
    {
        func plans(_ zones: [CloudZoneID], _ zoneID: CloudZoneID?) async throws -> [String] {
            let store = try SQLiteStore.inMemory()
            for zone in zones { try await store.saveZone(zone) }
            try await Self.save([.default] + zones, in: store)
            let query = CloudQuery(recordType: "Item", orderBy: .ascending("n"), zoneID: zoneID)
            _ = try await store.records(query, pageSize: 1)
            return try await store.plansOfStatements().map(\.plan)
        }
        for plan in try await plans([], nil) { #expect(!plan.contains("B-TREE"), "\(plan)") }
        for plan in try await plans([CloudZoneID("a"), CloudZoneID("b")], nil) {
            #expect(!plan.contains("B-TREE"), "\(plan)")
        }
        let unordered = [CloudZoneID("b"), CloudZoneID("a")]
        for plan in try await plans(unordered, unordered[1]) { #expect(!plan.contains("B-TREE"), "\(plan)") }
        for plan in try await plans(unordered, nil) {
            #expect(!plan.contains("B-TREE FOR ORDER BY"), "\(plan)")
        }
    }
}
