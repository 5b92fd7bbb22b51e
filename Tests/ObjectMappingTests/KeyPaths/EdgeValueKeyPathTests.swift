import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Post: CloudDataObject {
    enum Mood: String, CaseIterable { case calm, glad, sad, odd }

    var name = ""
    var text = ""
    var body: String?
    var likes = 0
    var votes: UInt64 = 0
    var tiny: Int8 = 0
    var small: UInt8 = 0
    var middle: Int32 = 0
    var score = 0.0
    var weight: Float = 0
    var price: Decimal = 0
    var isOpen = false
    var isRead: Bool?
    var when = Date()
    var payload = Data()
    var tags: [String] = []
    var marks: Set<Int> = []
    var mood = Mood.calm
    var link: URL?
    var place: CloudLocation?
    var owner: CloudReference?
    var home = Home()
    var second: Home?
    var third: Home?

    var shownName: String { name.isEmpty ? "untitled" : name }
    var cleanName: String { name.allSatisfy(\.isWhitespace) ? "" : name }
    var excerpt: String { text.count > 30 ? String(text.prefix(30)) : text }
    var start: String { String(text.prefix(5_000)) }
    var content: String? { body == "" ? nil : body }
    var anyBody: String? { body ?? "none" }
    var positiveLikes: Int { max(0, likes) }
    var someLikes: Int { likes == 0 ? 1 : likes }
    var cappedLikes: Int { min(likes, 1_000_000) }
    var someVotes: UInt64 { max(1, votes) }
    var cappedTiny: Int8 { min(tiny, 99) }
    var someSmall: UInt8 { max(small, 1) }
    var someMiddle: Int32 { middle == 0 ? -1 : middle }
    var finiteScore: Double { score == 0 ? 1 : score }
    var finiteWeight: Float { weight == 0 ? 1 : weight }
    var somePrice: Decimal { price < 0 ? 0 : price }
    var wasRead: Bool? { isRead ?? false }
    var pastDate: Date { min(when, Date(timeIntervalSinceReferenceDate: 800_000_000)) }
    var bytes: Data { payload.prefix(1_000) }
    var someTags: [String] { tags.isEmpty ? ["none"] : tags }
    var firstTags: [String] { Array(tags.prefix(10)) }
    var sortedTags: [String] { tags.sorted() }
    var realTags: [String] { tags.filter { !$0.isEmpty } }
    var someMarks: Set<Int> { marks.isEmpty ? [1] : marks }
    var calmMood: Mood { mood == .odd ? .calm : mood }
    var lowerLink: URL? { link.flatMap { URL(string: $0.absoluteString.lowercased()) } }
    var plainOwner: CloudReference? { owner.map { CloudReference(recordID: $0.recordID) } }
    var namedText: String { name.isEmpty ? "" : text }
    var homelessText: String { second == nil ? "" : text }
    var knownHome: Home? { name.isEmpty ? nil : second }
    var eitherHome: Home? { second ?? third }
    var namedHome: Home? { second?.street.isEmpty == true ? nil : second }
    var average: Int { votes == 0 ? likes : likes / Int(votes) * Int(votes) }
    var sameName: String { name }
    var sameHome: Home? { second }
}

private final class Home: CloudEmbeddedObject {
    var street = ""
    var shownStreet: String { street.isEmpty ? "?" : street }
    var garden: Garden?
}

private final class Garden: CloudEmbeddedObject {
    var size = 0
}

@propertyWrapper private struct Filled: CloudPropertyWrapper {
    private var value = "x"
    var wrappedValue: String {
        get { value }
        set {
            precondition(!newValue.isEmpty, "the key path check must not write what a wrapper does not take")
            value = newValue
        }
    }
}

private final class Wrapped: CloudDataObject {
    @Filled var title: String
    var other = ""
    var names = ["first"]

    override class var fieldRules: [FieldRule] {
        [.convert("names", encode: { (names: [String]) in .string(names[0]) }, decode: { [$0?.stringValue ?? ""] })]
    }
}

@Suite struct EdgeValueKeyPathTests {
    @Test func `a computed property that gives a stored one for ordinary values is refused`() throws {
        func expectRefusal<Value>(
            _ keyPath: KeyPath<Post, Value>,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            for order: ObjectOrder<Post> in [.ascending(keyPath), .descending(keyPath)] {
                let error = try cloudError(.invalidArguments, sourceLocation: sourceLocation) {
                    _ = try order.orderBy()
                }
                #expect(error.message.contains("Post"), sourceLocation: sourceLocation)
            }
        }
        try expectRefusal(\.shownName)
        try expectRefusal(\.cleanName)
        try expectRefusal(\.excerpt)
        try expectRefusal(\.start)
        try expectRefusal(\.content)
        try expectRefusal(\.anyBody)
        try expectRefusal(\.positiveLikes)
        try expectRefusal(\.someLikes)
        try expectRefusal(\.cappedLikes)
        try expectRefusal(\.someVotes)
        try expectRefusal(\.cappedTiny)
        try expectRefusal(\.someSmall)
        try expectRefusal(\.someMiddle)
        try expectRefusal(\.finiteScore)
        try expectRefusal(\.finiteWeight)
        try expectRefusal(\.wasRead)
        try expectRefusal(\.pastDate)
        try expectRefusal(\.bytes)
        try expectRefusal(\.someTags)
        try expectRefusal(\.firstTags)
        try expectRefusal(\.sortedTags)
        try expectRefusal(\.realTags)
        try expectRefusal(\.someMarks)
        try expectRefusal(\.calmMood)
        try expectRefusal(\.lowerLink)
        try expectRefusal(\.plainOwner)
        try expectRefusal(\.namedText)
        try expectRefusal(\.homelessText)
        try expectRefusal(\.average)
        try expectRefusal(\.home.shownStreet)
        try expectRefusal(\.second?.shownStreet)
    }

    @Test func `a predicate with such a property throws when it is used`() throws {
        let predicates: [ObjectPredicate<Post>] = [
            \.shownName == "untitled", \.excerpt == "x", \.content == nil, .isNil(\.content), \.positiveLikes > 1,
            .contains(\.someTags, "none"), \.somePrice == 1, .hasPrefix(\.shownName, "a"),
        ]
        for predicate in predicates {
            _ = try cloudError(.invalidArguments) { try predicate.predicate.checkWellFormed() }
        }
    }

    @Test func `the stored properties lead to their fields`() throws {
        func fieldName<Value>(_ keyPath: KeyPath<Post, Value>) throws -> String {
            guard case .field(let name, _)? = try ObjectOrder<Post>.ascending(keyPath).orderBy().keys.first else {
                return ""
            }
            return name
        }
        #expect(try fieldName(\.name) == "name" && fieldName(\.sameName) == "name")
        #expect(try fieldName(\.text) == "text" && fieldName(\.body) == "body" && fieldName(\.likes) == "likes")
        #expect(try fieldName(\.votes) == "votes" && fieldName(\.tiny) == "tiny" && fieldName(\.small) == "small")
        #expect(try fieldName(\.middle) == "middle" && fieldName(\.score) == "score")
        #expect(try fieldName(\.weight) == "weight" && fieldName(\.isOpen) == "isOpen")
        #expect(try fieldName(\.isRead) == "isRead" && fieldName(\.when) == "when" && fieldName(\.payload) == "payload")
        #expect(try fieldName(\.tags) == "tags" && fieldName(\.marks) == "marks" && fieldName(\.mood) == "mood")
        #expect(try fieldName(\.link) == "link" && fieldName(\.place) == "place" && fieldName(\.owner) == "owner")
        #expect(try fieldName(\.home.street) == "home__street")
        #expect(try fieldName(\.second?.street) == "second__street")
        #expect(try fieldName(\.second?.garden?.size) == "second__garden__size")
    }

    @Test func `an optional embedded object can be compared with nil`() throws {
        func expect(
            _ predicate: ObjectPredicate<Post>,
            _ field: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            try predicate.predicate.checkWellFormed()
            #expect(predicate.predicate.node == .compare(field: field, .equal, nil), sourceLocation: sourceLocation)
        }
        try expect(.isNil(\.second), "second")
        try expect(\.second == nil, "second")
        try expect(.isNil(\.third), "third")
        try expect(.isNil(\.sameHome), "second")
        try expect(.isNil(\.home.garden), "home__garden")
        try expect(.isNil(\.second?.garden), "second__garden")
        let computed: [ObjectPredicate<Post>] = [.isNil(\.knownHome), .isNil(\.eitherHome), .isNil(\.namedHome)]
        for predicate in computed {
            _ = try cloudError(.invalidArguments) { try predicate.predicate.checkWellFormed() }
        }
    }

    @Test func `a wrapper and a conversion are given no values that they may not take`() throws {
        try (\Wrapped.title == "a" && \Wrapped.other == "b" && \Wrapped.names == ["c"]).predicate.checkWellFormed()
    }
}
