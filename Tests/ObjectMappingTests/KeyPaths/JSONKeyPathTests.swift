import CloudRecords
import Foundation
import ObjectMapping
import Testing

private struct Place: Codable, Equatable {
    var x = 0
    var name = ""
    var when: Date?
    var link = URL(string: "https://example.org")
    var inner: [Place] = []
}

private struct Plain: Codable {
    var text = ""
}

/// Takes one word only, so that no sample of it can be made.
private struct Word: Codable, Equatable {
    init() {}
    init(from decoder: any Decoder) throws {
        guard try decoder.singleValueContainer().decode(String.self) == "word" else {
            throw CocoaError(.coderInvalidValue)
        }
    }
    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("word")
    }
}

private class Trip: CloudDataObject {
    enum Kind: String { case short, long }
    var text = ""
    var count = 0
    var kind = Kind.short
    var tags: [String] = []
    var place = Place()
    var maybePlace: Place?
    var otherPlace: Place?
    var plain: Plain?
    var settings: [String: Int] = [:]
    var maybeSettings: [String: Int]?
    var matrix: [[Int]]?
    var word: Word?
    var always: Place? { maybePlace ?? Place() }
    var upper: String { text.uppercased() }
}

@Suite struct JSONKeyPathTests {
    private func expect(
        _ predicate: ObjectPredicate<Trip>,
        _ format: String,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        #expect(predicate.predicate == (try CloudPredicate(format: format)), sourceLocation: sourceLocation)
    }

    private func refusal(
        _ predicate: ObjectPredicate<Trip>,
        _ code: CloudError.Code = .unsupported,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> CloudError {
        try cloudError(code, sourceLocation: sourceLocation) { try predicate.predicate.checkWellFormed() }
    }

    @Test func `an optional property that is kept as JSON can be tested for nil`() throws {
        try expect(.isNil(\.maybePlace), "maybePlace == nil")
        try expect(\.maybePlace == nil, "maybePlace == nil")
        try expect(\.otherPlace != nil, "otherPlace != nil")
        try expect(\.plain == nil, "plain == nil")
        try expect(\.plain != nil, "plain != nil")
        try expect(.isNil(\.maybeSettings), "maybeSettings == nil")
        try expect(\.matrix == nil, "matrix == nil")
    }

    @Test func `so it can in a Foundation predicate`() throws {
        #expect(
            try ObjectPredicate(#Predicate<Trip> { $0.maybePlace == nil }).predicate
                == (try CloudPredicate(format: "maybePlace == nil"))
        )
        #expect(
            try ObjectPredicate(#Predicate<Trip> { $0.otherPlace != nil }).predicate
                == (try CloudPredicate(format: "otherPlace != nil"))
        )
    }

    @Test func `its values can't be compared or sorted by, and the error names the field`() throws {
        let predicates: [(ObjectPredicate<Trip>, String)] = [
            (\.place == Place(), "place"), (\.maybePlace == Place(), "maybePlace"), (\.settings == [:], "settings"),
            (.contains(\.matrix, [1]), "matrix"), (.isIn(\.place, [Place()]), "place"), (\.place.x == 0, "place"),
        ]
        for (predicate, field) in predicates {
            let error = try refusal(predicate)
            #expect(error.message.contains("\(field) is kept as JSON"))
        }
        let order = try cloudError(.unsupported) { _ = try ObjectOrder<Trip>.ascending(\.place).orderBy() }
        #expect(order.message.contains("place is kept as JSON"))
        let inside = try cloudError(.unsupported) { _ = try ObjectPredicate(#Predicate<Trip> { $0.place.x == 0 }) }
        #expect(inside.message.contains("place is kept as JSON") && inside.field == "place")
    }

    @Test func `a type of which no sample can be made is named`() throws {
        let error = try refusal(.isNil(\.word))
        #expect(error.message.contains("Word") && error.message.contains("can only be tested for nil"))
        #expect(error.remedy.contains("word == nil"))
    }

    @Test func `a computed property is not taken for one kept as JSON`() throws {
        _ = try refusal(.isNil(\.always), .invalidArguments)
    }

    @Test func `the error of a part of a property names its field`() throws {
        #expect(try refusal(\.text.count > 3, .invalidArguments).message.contains("field text"))
        #expect(try refusal(\.upper == "A", .invalidArguments).message.contains("field text"))
        #expect(try refusal(\.kind.rawValue == "short", .invalidArguments).message.contains("field kind"))
        let name = try refusal(\.recordID.recordName == "a", .invalidArguments)
        #expect(name.message.contains("field recordID") && name.remedy.contains("recordID itself"))
    }

    @Test func `in a Foundation predicate it is unsupported, and names its field`() throws {
        func field(_ predicate: Predicate<Trip>) throws -> String? {
            try cloudError(.unsupported) { _ = try ObjectPredicate(predicate) }.field
        }
        #expect(try field(#Predicate { $0.tags.isEmpty }) == "tags")
        #expect(try field(#Predicate { $0.text.count > 3 }) == "text")
        #expect(try field(#Predicate { $0.recordID.recordName == "a" }) == "recordID")
        #expect(try field(#Predicate { $0.kind.rawValue == "short" }) == "kind")
    }
}
