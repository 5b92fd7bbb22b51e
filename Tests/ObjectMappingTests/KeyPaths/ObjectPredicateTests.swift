import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Message: CloudDataObject {
    enum Kind: String { case text, picture }
    var from = ""
    var likes: Int?
    var score = 0.0
    var sent = Date(timeIntervalSinceReferenceDate: 0)
    var read: Date?
    var isOpen = false
    var kind = Kind.text
    var other: Kind?
    var serial: UInt64 = 0
    var tags: [String] = []
    var to: CloudReference?
    var address = Address()
    var delivery: Address?
    var renamed = ""
    var converted = ""
    var upper: String { from.uppercased() }

    override class var fieldRules: [FieldRule] {
        [
            .rename("renamed", to: "subject"),
            .convert(
                "converted",
                encode: { (text: String) in .string("<\(text)>") },
                decode: { $0?.stringValue ?? "" }
            ),
        ]
    }
}

private final class Address: CloudEmbeddedObject {
    var street = ""
    var number: Int?
}

@Suite struct ObjectPredicateTests {
    private func expect(
        _ predicate: ObjectPredicate<Message>,
        _ format: String,
        _ arguments: (any CloudValueConvertible)?...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try CloudPredicate(format: format, argumentArray: arguments)
        #expect(predicate.predicate == expected, sourceLocation: sourceLocation)
        #expect(CloudPredicate(predicate) == expected, sourceLocation: sourceLocation)
        try predicate.predicate.checkWellFormed()
    }

    @Test func `each operator gives the comparison of the same format`() throws {
        try expect(\.from == "me", "from == 'me'")
        try expect(\.from != "me", "from != 'me'")
        try expect(\.from < "me", "from < 'me'")
        try expect(\.from <= "me", "from <= 'me'")
        try expect(\.from > "me", "from > 'me'")
        try expect(\.from >= "me", "from >= 'me'")
        try expect(\.score >= 1.5, "score >= 1.5")
        let now = Date()
        try expect(\.sent < now, "sent < %@", now)
        try expect(\.isOpen == true, "isOpen == TRUE")
    }

    @Test func `optionals compare with values and with nil`() throws {
        try expect(\.likes == 3, "likes == 3")
        try expect(\.likes != 3, "likes != 3")
        try expect(\.likes < 3, "likes < 3")
        try expect(\.likes <= 3, "likes <= 3")
        try expect(\.likes > 3, "likes > 3")
        try expect(\.likes >= 3, "likes >= 3")
        try expect(\.likes == nil, "likes == nil")
        try expect(\.likes != nil, "likes != nil")
        try expect(\.read == nil, "read == nil")
    }

    @Test func `enums, references, system fields, renamed and converted ones`() throws {
        try expect(\.kind == .picture, "kind == 'picture'")
        try expect(\.other == .text, "other == 'text'")
        try expect(\.other != nil, "other != nil")
        let target = CloudReference(recordID: CloudRecordID("t"), action: .deleteSelf)
        try expect(\.to == target, "to == %@", target)
        try expect(\.recordID == CloudRecordID("m1"), "recordID == %@", CloudRecordID("m1"))
        try expect(\.creatorUserRecordID == CloudRecordID("_u"), "creatorUserRecordID == %@", CloudRecordID("_u"))
        let now = Date()
        try expect(\.creationDate > now, "creationDate > %@", now)
        try expect(\.renamed == "x", "subject == 'x'")
        try expect(\.converted == "x", "converted == '<x>'")
    }

    @Test func `embedded properties, through optionals too`() throws {
        try expect(\.address.street == "Main", "address__street == 'Main'")
        try expect(\.delivery?.street == "Main", "delivery__street == 'Main'")
        try expect(\.delivery?.street == nil, "delivery__street == nil")
        try expect(\.delivery?.street != nil, "delivery__street != nil")
        try expect(\.delivery?.number > 4, "delivery__number > 4")
        try expect(\.delivery?.number == nil, "delivery__number == nil")
    }

    @Test func `and, or and not`() throws {
        try expect(\.from == "me" && \.likes > 3, "from == 'me' AND likes > 3")
        try expect(\.from == "me" || \.likes > 3, "from == 'me' OR likes > 3")
        try expect(!(\.from == "me"), "NOT from == 'me'")
        try expect(\.from == "a" && \.from == "b" && \.from == "c", "from == 'a' AND from == 'b' AND from == 'c'")
        try expect(.all, "TRUEPREDICATE")
        try expect(ObjectPredicate("from == \("me")"), "from == 'me'")
    }

    @Test func `a value that no field can hold, and a computed property, are errors of the query`() throws {
        let large: ObjectPredicate<Message> = \.serial == UInt64.max
        #expect(try cloudError(.invalidArguments) { try large.predicate.checkWellFormed() }.message.contains("serial"))
        let computed: ObjectPredicate<Message> = \.from == "me" && \.upper == "ME"
        let error = try cloudError(.invalidArguments) { try computed.predicate.checkWellFormed() }
        #expect(error.message.contains("Message"))
    }

    @Test func `an order by key paths is one by field names`() throws {
        let order: ObjectOrder<Message> = .ascending(\.from).descending(\.creationDate).ascending(\.delivery?.number)
        #expect(
            try order.orderBy() == OrderBy.ascending("from").descending("creationDate").ascending("delivery__number")
        )
        #expect(try ObjectOrder<Message>.descending(\.renamed).orderBy() == .descending("subject"))
        #expect(try ObjectOrder<Message>(.ascending("likes")).orderBy() == .ascending("likes"))
    }
}
