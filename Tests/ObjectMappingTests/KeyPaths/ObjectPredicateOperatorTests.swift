import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Message: CloudDataObject {
    enum Kind: String { case text, picture }
    var from = ""
    var subject: String?
    var likes: Int?
    var kind = Kind.text
    var other: Kind?
    var kinds: [Kind] = []
    var tags: Set<String> = []
    var readers: [CloudReference] = []
    var to: CloudReference?
    var place: CloudLocation?
    var matrix: [[Int]] = []
}

@Suite struct ObjectPredicateOperatorTests {
    private func expect(
        _ predicate: ObjectPredicate<Message>,
        _ node: CloudPredicate.Node,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(predicate.predicate.node == node, sourceLocation: sourceLocation)
    }

    @Test func `membership in lists and sets, of enums and references too`() throws {
        try expect(.contains(\.kinds, .picture), .contains(field: "kinds", .string("picture")))
        try expect(.contains(\.tags, "swift"), .contains(field: "tags", .string("swift")))
        let reference = CloudReference(recordID: CloudRecordID("u1"))
        try expect(.contains(\.readers, reference), .contains(field: "readers", .reference(reference)))
        #expect(throws: CloudError.self) {
            try ObjectPredicate<Message>.contains(\.matrix, [1]).predicate.checkWellFormed()
        }
    }

    @Test func `text by its parts, exactly or not`() throws {
        try expect(.contains(\.from, "ell"), .contains(field: "from", .string("ell")))
        try expect(
            .contains(\.subject, "ell", ignoring: [.caseInsensitive, .diacriticInsensitive]),
            .contains(field: "subject", .string("ell"), [.caseInsensitive, .diacriticInsensitive])
        )
        try expect(.hasPrefix(\.from, "He"), .beginsWith(field: "from", "He"))
        try expect(.hasPrefix(\.subject, "He"), .beginsWith(field: "subject", "He"))
        try expect(.hasSuffix(\.from, "lo"), .endsWith(field: "from", "lo"))
        try expect(.hasSuffix(\.subject, "lo"), .endsWith(field: "subject", "lo"))
        try expect(.like(\.from, "H*o"), .like(field: "from", "H*o"))
        try expect(
            .equals(\.from, "HELLO", ignoring: .caseInsensitive),
            .compare(field: "from", .equal, .string("HELLO"), .caseInsensitive)
        )
    }

    @Test func `values of a list, ranges and nil`() throws {
        try expect(.isIn(\.kind, [.text, .picture]), .oneOf(field: "kind", [.string("text"), .string("picture")]))
        try expect(.isIn(\.other, [.text, nil]), .oneOf(field: "other", [.string("text"), nil]))
        try expect(.isIn(\.likes, []), .oneOf(field: "likes", []))
        try expect(.between(\.likes, 1...3), .between(field: "likes", .int64(1), .int64(3)))
        try expect(.between(\.from, "a"..."b"), .between(field: "from", .string("a"), .string("b")))
        try expect(.isNil(\.likes), .compare(field: "likes", .equal, nil))
    }

    @Test func `references by the ID of their target`() throws {
        let target = Message()
        let reference = CloudValue.reference(CloudReference(recordID: target.recordID))
        try expect(\.to == target.recordID, .compare(field: "to", .equal, reference))
        try expect(\.to == target, .compare(field: "to", .equal, reference))
    }

    @Test func `places and words, joined with the other operators`() throws {
        let delft = CloudLocation(latitude: 52, longitude: 4.3)
        try expect(
            .near(\.place, delft, within: 5_000) && \.from == "me" && !.tokens("hello world"),
            .and([
                .near(field: "place", delft, metres: 5_000), .compare(field: "from", .equal, .string("me")),
                .not(.tokens("hello world")),
            ])
        )
        #expect(try ObjectOrder<Message>.distance(\.place, from: delft).orderBy() == .distance("place", from: delft))
    }
}
