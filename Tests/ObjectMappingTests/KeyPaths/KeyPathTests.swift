import CloudRecords
import Foundation
import ObjectMapping
import Observation
import Testing

private final class Street: CloudEmbeddedObject {
    var street = ""
    var number: Int?
    var post: Post?
}

private final class Post: CloudEmbeddedObject {
    var code = ""
    var isOpen = false
}

private enum Kind: String { case text, picture, place }
private enum Two: String { case yes, no }
private enum One: String { case only }
private enum Level: Int, Comparable {
    case low = 10
    case high = 20
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
}

@propertyWrapper private struct Rating: CloudPropertyWrapper {
    private var value = 1
    var wrappedValue: Int {
        get { value }
        set { value = min(max(newValue, 1), 5) }
    }
}

private class Base: CloudDataObject {
    var inherited = ""
    var name = ""
    private var hidden = ""
}

private class Open: Base {
    var title = ""
    var nickname: String?
    var flag = false
    var otherFlag = true
    var count = 0
    var tiny: Int8 = 0
    var ratio = 0.5
    var when = Date()
    var deadline: Date?
    var payload: Data?
    var identifier = UUID()
    var link: URL?
    var price: Decimal = 0
    var place: CloudLocation?
    var target: CloudReference?
    var owner: CloudRecordID?
    var picture: CloudAsset?
    var kind = Kind.text
    var otherKind: Kind?
    var two = Two.yes
    var otherTwo = Two.no
    var maybeTwo: Two?
    var level = Level.low
    var tags: [String] = []
    var kinds: [Kind] = []
    var numbers: Set<Int> = []
    var lazyStorage = 0
    lazy var lazyText = "lazy"
    @Rating var rating: Int
    @Rating var secondRating: Int
    var address = Street()
    var delivery: Street?
    var settings: [String: String] = [:]
    var one = One.only
    var renamed = ""

    var title2: String { title }
    var shouted: String { title.uppercased() }
    var constant: String { "constant" }
    var shown: String { flag ? title : "" }
    var fallback: String { nickname ?? name }
    var doubled: Int { count * 2 }
    var isLong: Bool { title.count > 3 }

    override class var fieldRules: [FieldRule] { [.rename("renamed", to: "other")] }
}

private final class Final: Base {
    var title = ""
    var nickname: String?
    var flag = false
    var kind = Kind.text
    var address = Street()
    var delivery: Street?
    var shown: String { flag ? title : "" }
    var shouted: String { title.uppercased() }
}

@Observable private final class Seen: CloudDataObject {
    var title = ""
    var likes: Int?
    var computed: String { title + "!" }
}

private final class Derived: CloudDataObject {
    var text = ""
    var number = 0
    var score = 0.0
    var lower: String { text.lowercased() }
    var trimmed: String { text.trimmingCharacters(in: .whitespaces) }
    var firstWord: String { String(text.prefix { $0 != " " }) }
    var clipped: Int { min(number, 5) }
    var distance: Int { number.magnitude > 100 ? 100 : number }
    var share: Double { min(max(score, 0), 1) }
    var price = Decimal(0)
    enum Priority: String, Comparable {
        case low, high
        static func < (left: Priority, right: Priority) -> Bool { left == .low && right == .high }
    }
    var priority: Priority?
}

@Suite struct DerivedPropertyTests {
    @Test func `a computed property that mostly gives a stored one is refused all the same`() throws {
        let paths: [ObjectPredicate<Derived>] = [
            \.lower == "a", \.trimmed == "a", \.firstWord == "a", \.clipped == 1, \.distance == 1, \.share == 1,
        ]
        for predicate in paths {
            #expect(throws: CloudError.self) { try predicate.predicate.checkWellFormed() }
        }
        try (\Derived.text == "a" && \Derived.number == 1 && \Derived.score == 1).predicate.checkWellFormed()
    }

    @Test func `an order that a store would take from text is refused`() throws {
        let predicates: [ObjectPredicate<Derived>] = [\.price > 9, \.priority > .low]
        for predicate in predicates {
            let error = #expect(throws: CloudError.self) { try predicate.predicate.checkWellFormed() }
            #expect(error?.message.contains("kept as text") == true)
        }
        let orders: [ObjectOrder<Derived>] = [
            .ascending(\.price), .ascending(\.priority), .descending(\.priority),
            .ascending(\.text).ascending(\.priority),
        ]
        for order in orders {
            let error = #expect(throws: CloudError.self) { try order.orderBy() }
            #expect(error?.message.contains("kept as text") == true)
        }
        try (\Derived.price == 9 && \Derived.priority != .low).predicate.checkWellFormed()
    }
}

@Suite struct KeyPathTests {
    private func fieldName<Root: CloudDataObject, Value>(_ keyPath: KeyPath<Root, Value>) throws -> String {
        let order = try ObjectOrder<Root>.ascending(keyPath).orderBy()
        guard case .field(let name, ascending: true)? = order.keys.first else { return "" }
        // The second time, the answer is one that was kept.
        #expect(try ObjectOrder<Root>.ascending(keyPath).orderBy() == order)
        return name
    }

    @Test func `key paths of an open class lead to their fields`() throws {
        #expect(try fieldName(\Open.inherited) == "inherited")
        #expect(try fieldName(\Open.name) == "name")
        #expect(try fieldName(\Open.title) == "title")
        #expect(try fieldName(\Open.nickname) == "nickname")
        #expect(try fieldName(\Open.flag) == "flag")
        #expect(try fieldName(\Open.otherFlag) == "otherFlag")
        #expect(try fieldName(\Open.count) == "count")
        #expect(try fieldName(\Open.tiny) == "tiny")
        #expect(try fieldName(\Open.ratio) == "ratio")
        #expect(try fieldName(\Open.when) == "when")
        #expect(try fieldName(\Open.deadline) == "deadline")
        #expect(try fieldName(\Open.payload) == "payload")
        #expect(try fieldName(\Open.identifier) == "identifier")
        #expect(try fieldName(\Open.link) == "link")
        // A decimal is kept as text, which has another order: it can be compared, but not sorted by.
        #expect((\Open.price == 1).predicate == (try CloudPredicate(format: "price == '1'")))
        #expect(try fieldName(\Open.place) == "place")
        #expect(try fieldName(\Open.target) == "target")
        #expect(try fieldName(\Open.owner) == "owner")
        #expect(try fieldName(\Open.picture) == "picture")
        #expect(try fieldName(\Open.renamed) == "other")
        #expect(try fieldName(\Open.title2) == "title", "a computed property that is always the same as a stored one")
    }

    @Test func `key paths to enums, lists, wrapped and lazy properties lead to their fields`() throws {
        #expect(try fieldName(\Open.kind) == "kind")
        #expect(try fieldName(\Open.otherKind) == "otherKind")
        #expect(try fieldName(\Open.two) == "two")
        #expect(try fieldName(\Open.otherTwo) == "otherTwo")
        #expect(try fieldName(\Open.maybeTwo) == "maybeTwo")
        #expect(try fieldName(\Open.level) == "level")
        #expect(try fieldName(\Open.tags) == "tags")
        #expect(try fieldName(\Open.kinds) == "kinds")
        #expect(try fieldName(\Open.numbers) == "numbers")
        #expect(try fieldName(\Open.lazyText) == "lazyText")
        #expect(try fieldName(\Open.rating) == "rating")
        #expect(try fieldName(\Open.secondRating) == "secondRating")
    }

    @Test func `key paths go through embedded objects`() throws {
        #expect(try fieldName(\Open.address.street) == "address__street")
        #expect(try fieldName(\Open.address.number) == "address__number")
        #expect(try fieldName(\Open.delivery?.street) == "delivery__street")
        #expect(try fieldName(\Open.delivery?.number) == "delivery__number")
        #expect(try fieldName(\Open.delivery?.post?.code) == "delivery__post__code")
        #expect(try fieldName(\Open.address.post?.isOpen) == "address__post__isOpen")
        #expect(try fieldName(\Final.address.street) == "address__street")
        #expect(try fieldName(\Final.delivery?.post?.code) == "delivery__post__code")
    }

    @Test func `key paths of final and Observable classes lead to their fields`() throws {
        #expect(try fieldName(\Final.inherited) == "inherited")
        #expect(try fieldName(\Final.title) == "title")
        #expect(try fieldName(\Final.nickname) == "nickname")
        #expect(try fieldName(\Final.flag) == "flag")
        #expect(try fieldName(\Final.kind) == "kind")
        #expect(try fieldName(\Seen.title) == "title")
        #expect(try fieldName(\Seen.likes) == "likes")
    }

    @Test func `key paths to system fields lead to them`() throws {
        #expect(try fieldName(\Open.recordID) == "recordID")
        #expect(try fieldName(\Open.creationDate) == "creationDate")
        #expect(try fieldName(\Open.modificationDate) == "modificationDate")
        #expect(try fieldName(\Open.creatorUserRecordID) == "creatorUserRecordID")
        #expect(try fieldName(\Open.lastModifiedUserRecordID) == "lastModifiedUserRecordID")
        #expect(try fieldName(\Open.recordChangeTag) == "recordChangeTag")
        #expect(try fieldName(\Final.creationDate) == "creationDate")
    }

    @Test func `computed properties and those without known values are refused`() throws {
        func expectRefusal<Root: CloudDataObject, Value>(
            _ keyPath: KeyPath<Root, Value>,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let error = try cloudError(.invalidArguments, sourceLocation: sourceLocation) {
                _ = try ObjectOrder<Root>.ascending(keyPath).orderBy()
            }
            #expect(error.message.contains(Root.recordType), sourceLocation: sourceLocation)
            #expect(throws: CloudError.self, sourceLocation: sourceLocation) {
                try ObjectOrder<Root>.descending(keyPath).ascending(\.recordID).orderBy()
            }
        }
        try expectRefusal(\Open.shouted)
        try expectRefusal(\Open.constant)
        try expectRefusal(\Open.shown)
        try expectRefusal(\Open.fallback)
        try expectRefusal(\Open.doubled)
        try expectRefusal(\Open.isLong)
        try expectRefusal(\Open.recordType)
        try expectRefusal(\Open.description)
        try expectRefusal(\Open.one)
        try expectRefusal(\Open.title.count)
        try expectRefusal(\Open.address)
        try expectRefusal(\Open.tags[0])
        try expectRefusal(\Final.shown)
        try expectRefusal(\Final.shouted)
        try expectRefusal(\Seen.computed)
        try expectRefusal(\Open.self)
    }

    @Test func `each of 70 properties of one type is told apart`() throws {
        for (index, keyPath) in Wide.keyPaths.enumerated() {
            #expect(try fieldName(keyPath) == "p\(index)")
        }
        #expect(Wide.keyPaths.count == 70)
    }

    @Test func `a key path is resolved without changing any object in use`() throws {
        let object = Open()
        object.title = "mine"
        _ = try fieldName(\Open.title)
        #expect(object.title == "mine")
    }

    @Test func `key paths are resolved by many tasks at once`() async throws {
        try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    guard case .field(let name, _)? = try ObjectOrder<Wide>.ascending(\.p33).orderBy().keys.first
                    else { return "" }
                    return name
                }
            }
            for try await name in group { #expect(name == "p33") }
        }
    }
}
