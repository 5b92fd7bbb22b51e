import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Letter: CloudDataObject {
    var from = ""
    var subject: String?
    var number = 0
    var rank: Int?
    var tags: [String]?
    var marks: Set<Int>?
    var to: CloudReference?
    var owner = CloudReference(recordID: CloudRecordID("o"))
    var author: CloudRecordID?
    var sender = CloudRecordID("s")
    var readers: [CloudReference] = []
    var place: CloudLocation?
}

@Suite struct ObjectPredicateReferenceTests {
    private func expect(
        _ predicate: ObjectPredicate<Letter>,
        _ node: CloudPredicate.Node,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(predicate.predicate.node == node, sourceLocation: sourceLocation)
        try predicate.predicate.checkWellFormed()
    }

    @Test func `references and record IDs compare with objects and record IDs`() throws {
        let target = Letter()
        let id = target.recordID
        let value = CloudValue.reference(CloudReference(recordID: id))
        try expect(\.to == target, .compare(field: "to", .equal, value))
        try expect(\.to != target, .compare(field: "to", .notEqual, value))
        try expect(\.to != id, .compare(field: "to", .notEqual, value))
        try expect(\.owner == target, .compare(field: "owner", .equal, value))
        try expect(\.owner == id, .compare(field: "owner", .equal, value))
        try expect(\.owner != target, .compare(field: "owner", .notEqual, value))
        try expect(\.owner != id, .compare(field: "owner", .notEqual, value))
        try expect(\.author == target, .compare(field: "author", .equal, value))
        try expect(\.author == id, .compare(field: "author", .equal, value))
        try expect(\.author != target, .compare(field: "author", .notEqual, value))
        try expect(\.author == nil, .compare(field: "author", .equal, nil))
        try expect(\.sender == target, .compare(field: "sender", .equal, value))
        try expect(.isIn(\.to, [id]), .oneOf(field: "to", [value]))
        try expect(.isIn(\.owner, [id]), .oneOf(field: "owner", [value]))
        try expect(.isIn(\.author, [id]), .oneOf(field: "author", [value]))
        try expect(.contains(\.readers, id), .contains(field: "readers", value))
    }

    @Test func `the record ID compares with a record name`() {
        #expect((\Letter.recordID == "x").predicate == (\Letter.recordID == CloudRecordID("x")).predicate)
        #expect((\Letter.recordID != "x").predicate == (\Letter.recordID != CloudRecordID("x")).predicate)
    }

    @Test func `optional text and optional lists`() throws {
        try expect(.like(\.subject, "H*o"), .like(field: "subject", "H*o"))
        try expect(
            .equals(\.subject, "HELLO", ignoring: .caseInsensitive),
            .compare(field: "subject", .equal, .string("HELLO"), .caseInsensitive)
        )
        try expect(.hasPrefix(\.subject, "H"), .beginsWith(field: "subject", "H"))
        try expect(.contains(\.tags, "swift"), .contains(field: "tags", .string("swift")))
        try expect(.contains(\.marks, 3), .contains(field: "marks", .int64(3)))
    }

    @Test func `sets of values, half-open ranges, and none`() throws {
        let names: Set = ["b", "a"]
        try expect(.isIn(\.from, names), .oneOf(field: "from", [.string("a"), .string("b")]))
        try expect(.isIn(\.subject, names), .oneOf(field: "subject", [.string("a"), .string("b")]))
        let withNil: Set<Int?> = [2, nil, 1]
        try expect(.isIn(\.rank, withNil), .oneOf(field: "rank", [.int64(1), .int64(2), nil]))
        try expect(
            .between(\.number, 1..<3),
            .and([
                .compare(field: "number", .greaterOrEqual, .int64(1)), .compare(field: "number", .less, .int64(3)),
            ])
        )
        try expect(
            .between(\.rank, 1..<3),
            .and([.compare(field: "rank", .greaterOrEqual, .int64(1)), .compare(field: "rank", .less, .int64(3))])
        )
        try expect(.between(\.number, 1...3), .between(field: "number", .int64(1), .int64(3)))
        try expect(.none, .nothing)
    }

    @Test func `a distance can follow another order`() throws {
        let delft = CloudLocation(latitude: 52, longitude: 4.3)
        let order: ObjectOrder<Letter> = .ascending(\.number).distance(\.place, from: delft).descending(\.from)
        #expect(
            try order.orderBy() == OrderBy.ascending("number").distance("place", from: delft).descending("from")
        )
    }
}
