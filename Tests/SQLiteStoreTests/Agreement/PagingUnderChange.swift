import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

/// While records come, go and change between the pages, by two stores on one file, each page is what the evaluator
/// expects of a position: the first records that match then and sort after the last one that was read.
///
/// It follows that a record which stays as it is appears exactly once. PAGING_SEED runs the seed of a failure alone.
@Suite struct PagingUnderChange {
    private static let seeds: [UInt64] =
        ProcessInfo.processInfo.environment["PAGING_SEED"].flatMap(UInt64.init).map { [$0] } ?? Array(0..<24)

    private static let place = CloudLocation(latitude: 50, longitude: 8)

    /// Orders with nulls and ties, by fields and system fields.
    private static func orders(_ capabilities: CloudCapabilities) -> [OrderBy] {
        var orders: [OrderBy] = [
            .recordName, .ascending("n"), .descending("n"), .ascending("n").descending("t"),
            .descending("t").ascending("n").descending("x"), .ascending("r").descending("recordID"),
            .descending("modificationDate"), .ascending("creationDate").ascending("n"),
            .ascending("nobody").descending("x"), .descending("lastModifiedUserRecordID").ascending("t"),
        ]
        if capabilities.supported.contains(.distanceQueries) {
            orders += [.distance("l", from: place), .ascending("n").distance("l", from: place)]
        }
        return orders
    }

    private static let predicates: [CloudPredicate.Node] = [
        .everything, .everything, .compare(field: "n", .notEqual, .int64(1)),
        .or([.compare(field: "t", .equal, nil), .compare(field: "t", .greater, .string("a"))]),
    ]

    @Test(arguments: seeds)
    func `what stays appears exactly once while other records come, go and move`(seed: UInt64) async throws {
        let folder = try TestFolder()
        let stores = try ["_ann", "_bob"].map { user in
            try SQLiteStore(
                path: folder.path("paging.sqlite"),
                userRecordID: CloudRecordID(user),
                options: .init(isDurable: false),
                temporaryFolder: nil
            )
        }
        for zone in RandomValues.zones.dropFirst() { try await stores[0].saveZone(zone) }
        var changes = RandomChanges(generator: SeededGenerator(seed: seed))
        for _ in 0..<4 { try await changes.insert(15, stores) }
        for order in Self.orders(stores[0].capabilities) {
            let predicate = changes.generator.any(Self.predicates)
            let query = CloudQuery(
                recordType: "Item",
                predicate: CloudPredicate(predicate),
                orderBy: order,
                zoneID: changes.generator.once(in: 5) ? .default : nil
            )
            let problem = try await Self.problem(query, &changes, stores)
            #expect(problem == nil, "PAGING_SEED=\(seed) order: \(order.keys) predicate: \(query.predicate)")
        }
    }

    /// What is wrong with the pages of a query, if anything is.
    private static func problem(
        _ query: CloudQuery,
        _ changes: inout RandomChanges,
        _ stores: [SQLiteStore]
    ) async throws -> String? {
        let order = RecordOrder(query.orderBy)
        let predicate = try CompiledPredicate(query.predicate)
        func matches(_ record: CloudRecord) -> Bool {
            (query.zoneID.map { $0 == record.recordID.zoneID } ?? true) && predicate.matches(record)
        }
        let before = changes.records
        var appearances: [CloudRecordID: Int] = [:]
        var last: CloudRecord?
        var cursor: CloudCursor?
        var pages = 0
        changes.touched = []
        repeat {
            let limit = changes.generator.number(1..<8)
            let rest = changes.records.values.filter { record in
                matches(record) && last.map { order.precedes($0, record) } ?? true
            }.sorted(by: order.precedes)
            let page = try await changes.generator.any(stores).page(query, after: cursor, limit: limit)
            let found = page.records.map(\.recordID)
            let expected = rest.prefix(limit).map(\.recordID)
            if found != expected { return "page \(pages): \(found) instead of \(expected)" }
            if (page.cursor == nil) != (rest.count <= limit) { return "page \(pages) has a wrong end" }
            for recordID in found { appearances[recordID, default: 0] += 1 }
            last = page.records.last ?? last
            cursor = try page.cursor.map {
                try JSONDecoder().decode(CloudCursor.self, from: JSONEncoder().encode($0))
            }
            pages += 1
            for _ in 0..<changes.generator.number(0..<3) { try await changes.change(stores) }
        } while cursor != nil && pages < 200
        for (recordID, record) in before where !changes.touched.contains(recordID) && matches(record) {
            if cursor == nil, appearances[recordID] != 1 {
                return "\(recordID) appeared \(appearances[recordID] ?? 0) times"
            }
        }
        let repeated = appearances.filter { $0.value > 1 && !changes.touched.contains($0.key) }
        return repeated.isEmpty ? nil : "\(repeated.keys) appeared twice"
    }
}

/// Changes records by chance, and knows what is stored.
private struct RandomChanges {
    var generator: SeededGenerator
    private(set) var records: [CloudRecordID: CloudRecord] = [:]
    /// The records that were saved or deleted.
    var touched: Set<CloudRecordID> = []

    init(generator: SeededGenerator) {
        self.generator = generator
    }

    mutating func insert(_ count: Int, _ stores: [SQLiteStore]) async throws {
        var ids: Set<CloudRecordID> = []
        while ids.count < count {
            ids.insert(CloudRecordID("n\(generator.number(0..<500))", zone: generator.any(RandomValues.zones)))
        }
        try await save(sorted(ids.filter { records[$0] == nil }), stores)
    }

    mutating func change(_ stores: [SQLiteStore]) async throws {
        switch generator.number(0..<3) {
        case 0: try await insert(generator.number(1..<4), stores)
        case 1: try await save(some(), stores)
        default:
            let ids = some()
            let result = try await generator.any(stores).modify(CloudModification(deleting: ids))
            for id in result.deleted { records[try id.get()] = nil }
            touched.formUnion(ids)
        }
    }

    private func sorted(_ ids: Set<CloudRecordID>) -> [CloudRecordID] {
        ids.sorted { $0.description < $1.description }
    }

    private mutating func some() -> [CloudRecordID] {
        guard !records.isEmpty else { return [] }
        let all = sorted(Set(records.keys))
        return sorted(Set((0..<generator.number(1..<5)).map { _ in generator.any(all) }))
    }

    private mutating func save(_ ids: [CloudRecordID], _ stores: [SQLiteStore]) async throws {
        let saving = ids.map { record($0) }
        let store = generator.any(stores)
        let result = try await store.modify(CloudModification(saving: saving, savePolicy: .allKeys))
        for record in result.saved {
            let record = try record.get()
            records[record.recordID] = record
        }
        touched.formUnion(ids)
    }

    private mutating func record(_ recordID: CloudRecordID) -> CloudRecord {
        var record = CloudRecord(recordType: "Item", recordID: recordID)
        record["n"] = generator.any([nil, 0, 1, 1, 2] as [Int64?]).map(CloudValue.int64)
        record["t"] = generator.any([nil, "", "a", "é", "e\u{301}", "🎺"]).map(CloudValue.string)
        record["x"] = generator.any([nil, -0.0, 0, 0.5, 1e300]).map(CloudValue.double)
        let target = generator.any([nil, "a", "b"])
        record["r"] = target.map { .reference(CloudReference(recordID: CloudRecordID($0))) }
        record["l"] = generator.any([nil, 50, 50.1, 51]).map { .location(CloudLocation(latitude: $0, longitude: 8)) }
        return record
    }
}
