import CloudRecords
import Foundation
import Testing

/// Whatever the text, the parser answers with a predicate or a CloudError.
@Suite struct PredicateParserFuzzTests {
    private static let words = [
        "a", "likes", "AND", "or", "NOT", "IN", "BETWEEN", "BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "MATCHES",
        "ANY",
        "some", "ALL", "NONE", "[c]", "[d]", "[cd]", "[DC]", "[", "]", "cd", "l", "{'x', 'y'}", "{1, 2}", "CAST(",
        "CAST(1, 'NSDate')", "'NSDate'", "'a*?'", "self", "nil", "TRUE", "allTokens", "TOKENMATCHES", "[cdl]",
        "TRUEPREDICATE", "distanceToLocation:fromLocation:(", "#", "==",
        "=", "!=", "<", ">=", "&&", "||", "!", "(", ")", "{", "}", ",", ":", ".", "+", "-", "*", "/", "%@", "%K", "%d",
        "%f", "%%", "%", "'", "\"", "'x'", "\\", "\\u{", "1", "-2", ".5", "1e9", "e", "$", "@", "é", "\u{301}", "👨‍👩‍👧",
        "\0",
        " ", "\n", "_",
    ]

    private func arguments(_ generator: inout SeededGenerator) -> [(any CloudValueConvertible)?] {
        let pool: [(any CloudValueConvertible)?] = [
            "x", "name", "'", 1, -1, 1.5, Double.nan, nil, [1, 2], ["a"], Date(),
            CloudLocation(latitude: 1, longitude: 2),
            CloudRecordID("r"), UInt64.max, Data([1]), true,
        ]
        return (0..<Int.random(in: 0...4, using: &generator)).map { _ in pool.any(&generator) }
    }

    /// Parses text as a format and as a literal, and checks what comes back.
    private func check(_ text: String, seed: UInt64, _ generator: inout SeededGenerator) throws {
        do {
            let predicate = try CloudPredicate(format: text, argumentArray: arguments(&generator))
            try predicate.checkWellFormed()
            // What has no arguments has no values in angle brackets, which a format can't spell.
            let description = predicate.description
            if !text.contains("%") || !description.contains("<") {
                try #require(
                    try CloudPredicate(format: description) == predicate,
                    "seed \(seed): \(text.debugDescription)"
                )
            }
        } catch {
            let error = try #require(error as? CloudError, "seed \(seed): \(text.debugDescription)")
            try #require(
                error.code == .invalidArguments || error.code == .unsupported,
                "seed \(seed): \(text.debugDescription)"
            )
            try #require(error.message.contains("at position "), "seed \(seed): \(text.debugDescription)")
        }
        let literal = CloudPredicate(stringLiteral: text)
        _ = literal.description
        try #require(try throughJSON(literal) == literal, "seed \(seed): \(text.debugDescription)")
    }

    @Test(arguments: SeededGenerator.seeds) func `random bytes`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            try check(String(decoding: bytes, as: UTF8.self), seed: seed, &generator)
            let printable = bytes.map { 0x20 + $0 % 0x5F }
            try check(String(decoding: printable, as: UTF8.self), seed: seed, &generator)
        }
    }

    @Test(arguments: SeededGenerator.seeds) func `random words of the language`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let words = (0..<Int.random(in: 1...12, using: &generator)).map { _ in Self.words.any(&generator) }
            let separator = Bool.random(using: &generator) ? " " : ""
            try check(words.joined(separator: separator), seed: seed, &generator)
        }
    }

    @Test(arguments: SeededGenerator.seeds) func `mutated predicates`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var random = RandomPredicates(generator: SeededGenerator(seed: seed &+ 1_000))
        for _ in 0..<500 {
            var text = Array(CloudPredicate(random.node(depth: 2)).description.unicodeScalars)
            for _ in 0..<Int.random(in: 1...3, using: &generator) { mutate(&text, &generator) }
            var scalars = String.UnicodeScalarView()
            scalars.append(contentsOf: text)
            try check(String(scalars), seed: seed, &generator)
        }
    }

    private func mutate(_ text: inout [Unicode.Scalar], _ generator: inout SeededGenerator) {
        let position = Int.random(in: 0...text.count, using: &generator)
        let end = min(text.count, position + Int.random(in: 0...5, using: &generator))
        switch Int.random(in: 0..<4, using: &generator) {
        case 0: text.removeSubrange(position..<end)
        case 1: text.insert(contentsOf: Self.words.any(&generator).unicodeScalars, at: position)
        case 2: text.insert(contentsOf: text[position..<end], at: Int.random(in: 0...text.count, using: &generator))
        default: text.removeLast(text.count - position)
        }
    }
}
