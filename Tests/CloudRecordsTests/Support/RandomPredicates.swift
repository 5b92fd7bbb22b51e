import CloudRecords
import Foundation

/// Makes predicates by chance, of the kind that can be written in text alone.
struct RandomPredicates {
    var generator: SeededGenerator

    static let fields = [
        "a", "likes", "x_1", "Z", "in", "AND", "self", "nil", "true", "any", "allTokens", "distanceToLocation",
        "creationDate", "size", "TOKENMATCHES", String(repeating: "f", count: 255),
    ]

    private static let textParts = [
        "'", "\"", "\\", "%", "%%", "%@", "%K", "%d", "\n", "\r", "\r\n", "\t", "\u{1}", "\u{7F}", " ", "a", "Zz", "0",
        "é", "e\u{301}", "\u{301}", "👨‍👩‍👧", "🇵🇹", "Пирог", "\\n", "\\u{41}", "{", "}", "(", ")", "[c]", "nil", "AND",
        "\u{FEFF}", "\u{2028}", "\u{10FFFF}", "ÿ", "\u{0}".replacingOccurrences(of: "\0", with: ""),
    ]

    mutating func node(depth: Int = 4) -> CloudPredicate.Node {
        switch depth > 0 ? Int.random(in: 0..<14, using: &generator) : Int.random(in: 3..<14, using: &generator) {
        case 0: .not(node(depth: depth - 1))
        case 1: .and((0..<Int.random(in: 2...4, using: &generator)).map { _ in node(depth: depth - 1) })
        case 2: .or((0..<Int.random(in: 2...4, using: &generator)).map { _ in node(depth: depth - 1) })
        case 3: Bool.random(using: &generator) ? .everything : .nothing
        case 4: .between(field: field(), value(), value())
        case 5: .oneOf(field: field(), (0..<Int.random(in: 0...4, using: &generator)).map { _ in optionalValue() })
        case 6: .beginsWith(field: field(), text())
        case 7: .contains(field: field(), value())
        case 8: .tokens(text())
        case 9: .compare(field: field(), comparisons.any(&generator), nil)
        case 10: .compare(field: field(), Bool.random(using: &generator) ? .equal : .notEqual, list())
        default: .compare(field: field(), comparisons.any(&generator), value())
        }
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
        switch Int.random(in: 0..<6, using: &generator) {
        case 0: .int64(Int64.random(in: .min ... .max, using: &generator))
        case 1: .int64([0, 1, -1, .min, .max].any(&generator))
        case 2: .double(finiteDouble())
        case 3: .double([0, -0.0, 1, 1e21, 1e-7, .leastNonzeroMagnitude, -.greatestFiniteMagnitude].any(&generator))
        default: .string(text())
        }
    }

    private mutating func list() -> CloudValue {
        .list((0..<Int.random(in: 0...3, using: &generator)).map { _ in value() })
    }

    private mutating func finiteDouble() -> Double {
        while true {
            let number = Double(bitPattern: generator.next())
            if number.isFinite { return number }
        }
    }
}
