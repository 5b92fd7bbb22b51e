import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Message: CloudDataObject {
    var from = ""
    var subject: String?
    var likes: Int?
    var score = 0.0
    var isOpen = false
    var tags: [String] = []
    var words: Set<String> = []
    var address = Address()
    var upper: String { from.uppercased() }
}

private final class Address: CloudEmbeddedObject {
    var street = ""
}

@Suite struct FoundationPredicateTests {
    private func expect(
        _ predicate: Predicate<Message>,
        _ format: String,
        _ arguments: (any CloudValueConvertible)?...,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let expected = try CloudPredicate(format: format, argumentArray: arguments)
        #expect(try ObjectPredicate(predicate).predicate == expected, sourceLocation: sourceLocation)
    }

    @Test func `comparisons of properties with values`() throws {
        let me = "me"
        try expect(#Predicate { $0.from == me }, "from == 'me'")
        try expect(#Predicate { $0.from != me }, "from != 'me'")
        try expect(#Predicate { $0.score < 2.5 }, "score < 2.5")
        try expect(#Predicate { $0.score <= 2.5 }, "score <= 2.5")
        try expect(#Predicate { $0.score > 2.5 }, "score > 2.5")
        try expect(#Predicate { 2.5 < $0.score }, "score > 2.5")
        try expect(#Predicate { $0.score >= 2.5 }, "score >= 2.5")
    }

    @Test func `connectives, Bool properties and constants`() throws {
        try expect(#Predicate { $0.from == "a" && $0.score > 1 }, "from == 'a' AND score > 1.0")
        try expect(#Predicate { $0.from == "a" || !$0.isOpen }, "from == 'a' OR NOT isOpen == 1")
        try expect(#Predicate { _ in true }, "TRUEPREDICATE")
        try expect(#Predicate { _ in false }, "FALSEPREDICATE")
    }

    @Test func `nil, and a value in the place of nil`() throws {
        try expect(#Predicate { $0.likes == nil }, "likes == nil")
        try expect(#Predicate { $0.likes != nil }, "likes != nil")
        try expect(#Predicate { $0.likes == 3 }, "likes == 3")
        try expect(#Predicate { ($0.likes ?? 0) > 3 }, "likes > 3")
        try expect(#Predicate { ($0.likes ?? 5) > 3 }, "likes == nil OR likes > 3")
        try expect(#Predicate { 3 > ($0.likes ?? 0) }, "likes == nil OR likes < 3")
        try expect(#Predicate { ($0.subject ?? "") == "" }, "subject == nil OR subject == ''")
    }

    @Test func `membership, ranges, prefixes and parts of text`() throws {
        let names = ["a", "b"]
        try expect(#Predicate { names.contains($0.from) }, "from IN {'a', 'b'}")
        try expect(#Predicate { $0.tags.contains("swift") }, "tags CONTAINS 'swift'")
        try expect(#Predicate { $0.words.contains("swift") }, "words CONTAINS 'swift'")
        try expect(#Predicate { ($0.from).starts(with: "He") }, "from BEGINSWITH 'He'")
        try expect(#Predicate { $0.from.contains("ell") }, "from CONTAINS 'ell'")
        try expect(#Predicate { (1.0...2.0).contains($0.score) }, "score BETWEEN {1.0, 2.0}")
    }

    @Test func `properties of embedded objects and system fields`() throws {
        try expect(#Predicate { $0.address.street == "Main" }, "address__street == 'Main'")
        try expect(#Predicate { $0.recordChangeTag == "x" }, "recordChangeTag == 'x'")
    }

    @Test func `an expression that no store can look for is an error that names it`() {
        let lengths = #Predicate<Message> { $0.from.count > 3 }
        let error = #expect(throws: CloudError.self) { try ObjectPredicate(lengths) }
        #expect(error?.code == .invalidArguments || error?.code == .unsupported)
        let arithmetic = #Predicate<Message> { $0.score + 1 > 3 }
        let named = #expect(throws: CloudError.self) { try ObjectPredicate(arithmetic) }
        #expect(named?.code == .unsupported)
        #expect(named?.message.contains("arithmetic (+, - or *)") == true)
        let twoProperties = #Predicate<Message> { $0.score > $0.score }
        #expect(throws: CloudError.self) { try ObjectPredicate(twoProperties) }
        let computed = #Predicate<Message> { $0.upper == "ME" }
        #expect(#expect(throws: CloudError.self) { try ObjectPredicate(computed) }?.code == .invalidArguments)
    }
}
