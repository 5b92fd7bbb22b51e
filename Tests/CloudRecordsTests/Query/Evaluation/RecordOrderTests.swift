import CloudRecords
import Foundation
import Testing

@Suite struct RecordOrderTests {
    private static func record(
        _ name: String,
        zone: CloudZoneID = .default,
        _ fields: [String: CloudValue] = [:]
    ) -> CloudRecord {
        var record = CloudRecord(recordType: "Item", recordID: CloudRecordID(name, zone: zone))
        for (field, value) in fields { record[field] = value }
        return record
    }

    /// The names in the order that the key's values give, ascending and descending.
    private func check(_ values: [CloudValue?], sourceLocation: SourceLocation = #_sourceLocation) {
        let records = values.enumerated().map { index, value in
            Self.record("n\(index)", value.map { ["k": $0] } ?? [:])
        }
        let names = records.map(\.recordID.recordName)
        let ascending = RecordOrder(.ascending("k"))
        let descending = RecordOrder(.descending("k"))
        let shuffled = records.reversed()
        #expect(
            shuffled.sorted(by: ascending.precedes).map(\.recordID.recordName) == names,
            sourceLocation: sourceLocation
        )
        #expect(
            records.sorted(by: descending.precedes).map(\.recordID.recordName) == names.reversed(),
            sourceLocation: sourceLocation
        )
    }

    @Test func `null comes first in ascending order and last in descending order`() {
        check([nil, .int64(.min), .int64(0), .int64(.max)])
        check([nil, .string(""), .string("a")])
    }

    @Test func `text is sorted by its bytes (C077)`() {
        check(["10", "9", "Apple", "Pear", "Zoe", "Zoë", "_x", "apple", "pear"].map { .string($0) })
        check(["e\u{301}", "\u{E9}", "\u{FF5E}", "\u{1F600}"].map { .string($0) })
    }

    @Test func `numbers, dates and data are sorted by their values`() {
        check([.double(-1.5), .int64(-1), .double(0), .double(0.5), .int64(1 << 53), .double(0x1p53 + 2)])
        check([-1, 0, 0.000_001].map { .date(Date(timeIntervalSinceReferenceDate: $0)) })
        check([Data(), Data([0]), Data([0, 0]), Data([0x7F]), Data([0x80])].map { .bytes($0) })
    }

    @Test func `references are sorted as SQL keeps them`() {
        let ids = [
            CloudRecordID("a"), CloudRecordID("a", zone: CloudZoneID("x")), CloudRecordID("a", zone: CloudZoneID("y")),
            CloudRecordID("ab"), CloudRecordID("b"),
        ]
        check([nil] + ids.map { .reference(CloudReference(recordID: $0)) })
    }

    @Test func `the nearest comes first, and what has no location last`() {
        let place = CloudLocation(latitude: 50, longitude: 8)
        let records = [0.1, 0.2, 1].map { offset in
            Self.record(
                "\(10 - offset)",
                ["k": .location(CloudLocation(latitude: 50 + offset, longitude: 8))]
            )
        }
        let all = [Self.record("0"), records[2], records[0], records[1]]
        let order = RecordOrder(.distance("k", from: place))
        #expect(all.sorted(by: order.precedes).map(\.recordID.recordName) == ["9.9", "9.8", "9.0", "0"])
    }

    @Test func `several keys have each their direction, with nulls and ties at each level (C081)`() {
        var records: [CloudRecord] = []
        for league in [nil, "a", "b"] as [String?] {
            for points in [3, 1, nil] as [Int64?] {
                for name in [nil, "x", "y"] as [String?] {
                    var record = Self.record("r\(records.count + 10)")
                    record["league"] = league.map(CloudValue.string)
                    record["points"] = points.map(CloudValue.int64)
                    record["name"] = name.map(CloudValue.string)
                    records.append(record)
                }
            }
        }
        let order = RecordOrder(.ascending("league").descending("points").ascending("name"))
        var generator = SeededGenerator(seed: 1)
        let sorted = records.shuffled(using: &generator).sorted(by: order.precedes)
        #expect(sorted.map(\.recordID.recordName) == records.map(\.recordID.recordName))
    }

    @Test func `ties are broken by name and then zone, in the direction of the last key`() {
        let records = [
            Self.record("a"), Self.record("a", zone: CloudZoneID("A")), Self.record("a", zone: CloudZoneID("B")),
            Self.record("b"),
        ]
        func ids(_ order: OrderBy) -> [CloudRecordID] {
            records.shuffled().sorted(by: RecordOrder(order).precedes).map(\.recordID)
        }
        let ascending = records.map(\.recordID)
        #expect(ids(.recordName) == ascending)
        #expect(ids(.ascending("k")) == ascending)
        #expect(ids(.ascending("k").descending("l")) == ascending.reversed())
        #expect(ids(.descending("recordID")) == ascending.reversed())
        // The zone goes with the last key. A key that comes again plays no part, not in the direction either.
        #expect(ids(.ascending("recordID").descending("k")).map(\.recordName) == ["a", "a", "a", "b"])
        #expect(ids(.ascending("recordID").descending("k")).first == records[2].recordID)
        #expect(ids(.ascending("k").descending("k")) == ascending)
    }

    @Test func `system fields are keys, and unsaved records come before saved ones`() {
        var records = [Self.record("c"), Self.record("b"), Self.record("a")]
        for index in 1...2 {
            let date = Date(timeIntervalSinceReferenceDate: Double(index))
            records[index].creationDate = date
            records[index].modificationDate = date
            records[index].creatorUserRecordID = CloudRecordID("_\(index)")
            records[index].lastModifiedUserRecordID = CloudRecordID("_\(index)")
        }
        for key in ["creationDate", "modificationDate", "creatorUserRecordID", "lastModifiedUserRecordID"] {
            let sorted = records.reversed().sorted(by: RecordOrder(.ascending(key)).precedes)
            #expect(sorted.map(\.recordID.recordName) == ["c", "b", "a"], "\(key)")
        }
    }

    @Test func `only the same record is equal to a record`() {
        let order = RecordOrder(.ascending("k"))
        let one = Self.record("a", ["k": .int64(1)])
        #expect(order.relation(one, one) == .equal)
        #expect(order.relation(one, Self.record("a", zone: CloudZoneID("z"), ["k": .double(1)])) == .less)
        #expect(order.relation(Self.record("b", ["k": .int64(1)]), one) == .greater)
    }
}
