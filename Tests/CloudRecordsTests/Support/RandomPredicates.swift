import CloudRecords
import Foundation

/// Makes predicates by chance, with all values that can be written in text.
struct RandomPredicates {
    var generator: SeededGenerator

    static let fields = [
        "a", "likes", "x_1", "Z", "in", "AND", "self", "nil", "true", "any", "allTokens", "distanceToLocation",
        "creationDate", "size", "TOKENMATCHES", "like", "NONE", "CAST", "cd", String(repeating: "f", count: 255),
    ]

    private static let textParts = [
        "'", "\"", "\\", "%", "%%", "%@", "%K", "%d", "\n", "\r", "\r\n", "\t", "\u{1}", "\u{7F}", " ", "a", "Zz", "0",
        "é", "e\u{301}", "\u{301}", "👨‍👩‍👧", "🇵🇹", "Пирог", "\\n", "\\u{41}", "{", "}", "(", ")", "[c]", "nil", "AND", "*",
        "?",
        "\u{FEFF}", "\u{2028}", "\u{10FFFF}", "ÿ", "\u{0}".replacingOccurrences(of: "\0", with: ""),
    ]

    mutating func node(depth: Int = 4) -> CloudPredicate.Node {
        switch Int.random(in: (depth > 0 ? 0 : 3)..<11, using: &generator) {
        case 0: .not(node(depth: depth - 1))
        case 1: .and((0..<Int.random(in: 2...4, using: &generator)).map { _ in node(depth: depth - 1) })
        case 2: .or((0..<Int.random(in: 2...4, using: &generator)).map { _ in node(depth: depth - 1) })
        case 3: Bool.random(using: &generator) ? .everything : .nothing
        case 4: .tokens(text())
        case 5: .compare(field: field(), Bool.random(using: &generator) ? .equal : .notEqual, list(), options())
        case 6: quantified()
        case 7: .near(field: field(), location(), metres: number())
        default: comparison(field())
        }
    }

    private mutating func quantified() -> CloudPredicate.Node {
        let quantifiers: [CloudPredicate.Quantifier] = [.any, .all, .none]
        let field = field()
        return .quantified(quantifiers.any(&generator), field: field, comparison(field))
    }

    /// A comparison that can stand below a quantifier too.
    private mutating func comparison(_ field: String) -> CloudPredicate.Node {
        switch Int.random(in: 0..<10, using: &generator) {
        case 0: .between(field: field, value(), value())
        case 1: .oneOf(field: field, (0..<Int.random(in: 0...4, using: &generator)).map { _ in optionalValue() })
        case 2: .beginsWith(field: field, text(), options())
        case 3: .endsWith(field: field, text(), options())
        case 4: .like(field: field, text(), options())
        case 5: .contains(field: field, value(), options())
        case 6: .compare(field: field, comparisons.any(&generator), nil, options())
        default: .compare(field: field, comparisons.any(&generator), value(), options())
        }
    }

    private mutating func options() -> TextOptions {
        TextOptions(rawValue: [0, 0, 0, 1, 2, 3].any(&generator))
    }

    private let comparisons: [CloudPredicate.Comparison] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]

    private mutating func field() -> String {
        Self.fields.any(&generator)
    }

    mutating func text() -> String {
        (0..<Int.random(in: 0...6, using: &generator)).map { _ in Self.textParts.any(&generator) }.joined()
    }

    private mutating func optionalValue() -> CloudValue? {
        Int.random(in: 0..<4, using: &generator) == 0 ? nil : value()
    }

    private mutating func value() -> CloudValue {
        value(ofKind: Int.random(in: 0..<Self.kindCount, using: &generator))
    }

    private static let kindCount = 7

    private mutating func value(ofKind kind: Int) -> CloudValue {
        switch kind {
        case 0: .int64(Bool.random(using: &generator) ? integer() : [0, 1, -1, .min, .max].any(&generator))
        case 1: .double(number())
        case 2: .date(Date(timeIntervalSinceReferenceDate: number()))
        case 3:
            .bytes(
                Data(
                    (0..<Int.random(in: 0...9, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    }
                )
            )
        case 4: .location(location())
        case 5: .reference(reference())
        default: .string(text())
        }
    }

    private mutating func location() -> CloudLocation {
        var location = CloudLocation(
            latitude: degrees(upTo: 90),
            longitude: degrees(upTo: 180)
        )
        if Bool.random(using: &generator) { location.altitude = number() }
        if Bool.random(using: &generator) { location.horizontalAccuracy = number() }
        if Bool.random(using: &generator) { location.speed = number() }
        if Bool.random(using: &generator) { location.timestamp = Date(timeIntervalSinceReferenceDate: number()) }
        return location
    }

    private mutating func degrees(upTo limit: Double) -> Double {
        if Bool.random(using: &generator) { return Double.random(in: -limit...limit, using: &generator) }
        return [0, -0.0, limit, -limit, 1e-7, .leastNonzeroMagnitude].any(&generator)
    }

    private mutating func reference() -> CloudReference {
        let zones: [CloudZoneID] = [
            .default, CloudZoneID(name()), CloudZoneID(name(), ownerName: name()),
            CloudZoneID(CloudZoneID.defaultZoneName, ownerName: name()),
        ]
        return CloudReference(
            recordID: CloudRecordID(name(), zone: zones.any(&generator)),
            action: Bool.random(using: &generator) ? .none : .deleteSelf
        )
    }

    /// A name that a record, a zone or a user can have.
    private mutating func name() -> String {
        let parts = ["a", "'", "\"", "\\", "%", "%@", "{", "}", ",", " ", "in", " of ", "0", "Z", "_"]
        return "n" + (0..<Int.random(in: 0...6, using: &generator)).map { _ in parts.any(&generator) }.joined() + "."
    }

    private mutating func integer() -> Int64 {
        Int64.random(in: .min ... .max, using: &generator)
    }

    private mutating func number() -> Double {
        if Bool.random(using: &generator) { return finiteDouble() }
        return [0, -0.0, 1, 1e21, 1e-7, .leastNonzeroMagnitude, -.greatestFiniteMagnitude].any(&generator)
    }

    private mutating func list() -> CloudValue {
        let kind = Int.random(in: 0..<Self.kindCount, using: &generator)
        return .list((0..<Int.random(in: 0...3, using: &generator)).map { _ in value(ofKind: kind) })
    }

    private mutating func finiteDouble() -> Double {
        while true {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { return number }
        }
    }
}
