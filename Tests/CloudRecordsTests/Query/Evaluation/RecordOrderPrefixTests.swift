import CloudRecords
import Foundation
import Testing

@Suite struct RecordOrderPrefixTests {
    private static let values: [CloudValue?] = [
        nil, .int64(.min), .int64(-1), .int64(0), .int64(1 << 53), .int64((1 << 53) + 1), .int64(.max), .double(-0.0),
        .double(0), .double(-0.5), .double(1e300), .double(-1e300), .double(.infinity), .double(.leastNonzeroMagnitude),
        .date(Date(timeIntervalSinceReferenceDate: -1)), .date(Date(timeIntervalSinceReferenceDate: 1e9)),
        .string(""), .string("a"), .string("a\0"), .string("abcdefgh"), .string("abcdefghi"), .string("\u{10FFFF}"),
        .string("é"), .bytes(Data()), .bytes(Data([0])), .bytes(Data(repeating: 255, count: 9)),
        .reference(CloudReference(recordID: CloudRecordID("x"))), .list([]),
        .location(CloudLocation(latitude: 1, longitude: 2)),
    ]

    @Test(arguments: [
        OrderBy.ascending("value"), .descending("value"), .recordName, .descending("recordID"),
        .ascending("creationDate"),
        .distance("value", from: CloudLocation(latitude: 0, longitude: 0)),
    ])
    func `a smaller prefix comes first`(orderBy: OrderBy) {
        let order = RecordOrder(orderBy)
        let records = Self.values.enumerated().map { index, value in
            var record = CloudRecord(recordType: "Item", recordID: CloudRecordID("record \(index)"))
            record["value"] = value
            return record
        }
        for left in records {
            for right in records where order.prefix(of: left) < order.prefix(of: right) {
                #expect(order.precedes(left, right), "\(left) and \(right)")
            }
        }
    }
}
