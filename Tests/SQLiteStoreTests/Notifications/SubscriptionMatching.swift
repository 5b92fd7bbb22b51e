import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLStore
import SQLiteStore
import Testing

/// The index of subscriptions finds what asking each subscription would find.
@Suite struct SubscriptionMatching {
    private static let recordTypes = ["Item", "Other"]

    @Test(arguments: 0..<8) func `the index answers as each predicate by itself`(round: Int) async throws {
        let seed = SeededGenerator.seed &+ UInt64(round)
        let store = try SQLiteStore.inMemory()
        var random = RandomRecords(RandomValues(generator: SeededGenerator(seed: seed)))
        let records = try await random.fill([store, store])
        var queries = RandomQueries(
            random: random.random,
            fields: random.fields,
            records: records,
            capabilities: store.capabilities
        )
        var index = SubscriptionIndex()
        var entries: [SubscriptionEntry] = []
        for step in 0..<200 {
            if !entries.isEmpty, queries.random.generator.once(in: 4) {
                let gone = entries.remove(at: queries.random.generator.number(0..<entries.count))
                index.remove(gone.id)
            } else {
                let entry = try Self.entry(Int64(step), &queries)
                entries.append(entry)
                index.add(entry)
            }
            let (before, after) = Self.change(records, &queries.random.generator)
            let client: Int64? = queries.random.generator.any([nil, 1, 2])
            let found = index.matches(before: before, after: after, besides: client)
            let expected: [(Int64, CloudSubscription.Event)] = try entries.compactMap { entry in
                try entry.client == client ? nil : Self.expected(entry, before, after).map { (entry.id, $0) }
            }
            let isSame = found.map(\.entry.id) == expected.map(\.0) && found.map(\.event) == expected.map(\.1)
            #expect(isSame, "PROPERTY_TEST_SEED=\(seed - UInt64(round)), round \(round), step \(step)")
            let record = try #require(after ?? before)
            let concerns = index.concerns(recordType: record.recordType, in: record.recordID.zoneID, besides: client)
            #expect(concerns || expected.isEmpty, "PROPERTY_TEST_SEED=\(seed), step \(step)")
            if !isSame { return }
        }
    }

    private static func entry(_ id: Int64, _ queries: inout RandomQueries) throws -> SubscriptionEntry {
        let target: CloudSubscription.Target =
            switch queries.random.generator.number(0..<12) {
            case 0: .database
            case 1: .zone(queries.random.generator.any(RandomValues.zones))
            default:
                .query(recordType: queries.random.generator.any(recordTypes), CloudPredicate(queries.node(depth: 2)))
            }
        var events = Set(CloudSubscription.Event.allCases.filter { _ in !queries.random.generator.once(in: 4) })
        if events.isEmpty { events = [.update] }
        return try SubscriptionEntry(
            id: id,
            client: Int64(queries.random.generator.number(1..<4)),
            CloudSubscription(subscriptionID: "s\(id)", target: target, events: events)
        )
    }

    /// A record before and after a change: made, deleted, or with the fields of another one.
    private static func change(
        _ records: [CloudRecord],
        _ generator: inout SeededGenerator
    ) -> (before: CloudRecord?, after: CloudRecord?) {
        let before = generator.any(records)
        switch generator.number(0..<4) {
        case 0: return (nil, before)
        case 1: return (before, nil)
        default:
            var after = CloudRecord(recordType: before.recordType, recordID: before.recordID)
            let other = generator.any(records)
            for name in other.knownFieldNames { after[name] = other[name] }
            return (before, after)
        }
    }

    /// What the change is to a subscription, by the rules alone.
    private static func expected(
        _ entry: SubscriptionEntry,
        _ before: CloudRecord?,
        _ after: CloudRecord?
    ) throws -> CloudSubscription.Event? {
        let events = entry.subscription.events
        let was = try before.map { try isWanted($0, entry.subscription.target) } ?? false
        let isNow = try after.map { try isWanted($0, entry.subscription.target) } ?? false
        if was, isNow { return events.contains(.update) ? .update : nil }
        if was { return events.contains(.delete) ? .delete : nil }
        guard isNow else { return nil }
        if events.contains(.create) { return .create }
        return before != nil && events.contains(.update) ? .update : nil
    }

    private static func isWanted(_ record: CloudRecord, _ target: CloudSubscription.Target) throws -> Bool {
        switch target {
        case .database: true
        case .zone(let zoneID): record.recordID.zoneID == zoneID
        case .query(let recordType, let predicate):
            try record.recordType == recordType && CompiledPredicate(predicate).matches(record)
        }
    }

    // MARK: Looking up

    @Test func `a subscription to a value is found by it, and no other is looked at`() throws {
        var index = SubscriptionIndex()
        for number in 0..<1_000 {
            index.add(try Self.entry(to: CloudPredicate(.compare(field: "n", .equal, .int64(Int64(number)))), number))
        }
        let record = item("a", ["n": .double(7), "m": .int64(8)])
        let changed = item("a", ["n": .int64(9)])
        #expect(index.matches(before: nil, after: record, besides: nil).map(\.entry.id) == [7])
        let moved = index.matches(before: record, after: changed, besides: nil)
        #expect(moved.map(\.entry.id) == [7, 9] && moved.map(\.event) == [.delete, .create])
        #expect(index.matches(before: nil, after: record, besides: 1).isEmpty, "all are of client 1")
        #expect(!index.concerns(recordType: "Item", in: .default, besides: 1))
        #expect(!index.concerns(recordType: "Other", in: .default, besides: 2))
        for number in 0..<1_000 { index.remove(Int64(number)) }
        #expect(!index.concerns(recordType: "Item", in: .default, besides: 2))
    }

    @Test func `a subscription to several values is found once`() throws {
        var index = SubscriptionIndex()
        index.add(try Self.entry(to: "n IN {1, 2, 2}", 1))
        index.add(try Self.entry(to: "n == 1 OR t == 'x'", 2))
        index.add(try Self.entry(to: "n == 1 OR t > 'x'", 3))
        let one = item("a", ["n": .int64(1), "t": .string("x")])
        let two = item("a", ["n": .int64(2), "t": .string("x")])
        let found = index.matches(before: one, after: two, besides: nil)
        #expect(found.map(\.entry.id) == [1, 2, 3] && found.map(\.event) == [.update, .update, .delete])
    }

    private static func entry(to predicate: CloudPredicate, _ number: Int) throws -> SubscriptionEntry {
        try SubscriptionEntry(
            id: Int64(number),
            client: 1,
            CloudSubscription(subscriptionID: "s\(number)", target: .query(recordType: "Item", predicate))
        )
    }
}
