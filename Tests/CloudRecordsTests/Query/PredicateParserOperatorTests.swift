import CloudRecords
import Foundation
import Testing

/// Text options, patterns, quantifiers and dates.
@Suite struct PredicateParserOperatorTests {
    typealias Example = PredicateParserTests.Example

    private static func parse(_ format: String) throws -> CloudPredicate.Node {
        try CloudPredicate(format: format).node
    }

    private static let modifiers: [(String, TextOptions)] = [
        ("[c]", .caseInsensitive), ("[C]", .caseInsensitive), ("[d]", .diacriticInsensitive),
        ("[cd]", [.caseInsensitive, .diacriticInsensitive]), ("[dc]", [.caseInsensitive, .diacriticInsensitive]),
        ("[Dc]", [.caseInsensitive, .diacriticInsensitive]), (" [ cd ] ", [.caseInsensitive, .diacriticInsensitive]),
        ("", []),
    ]

    @Test(arguments: modifiers)
    func `modifiers follow any operator that compares text`(modifiers: String, options: TextOptions) throws {
        let comparisons: [(String, CloudPredicate.Comparison)] = [
            ("=", .equal), ("==", .equal), ("!=", .notEqual), ("<>", .notEqual), ("<", .less), ("<=", .lessOrEqual),
            ("=<", .lessOrEqual), (">", .greater), (">=", .greaterOrEqual), ("=>", .greaterOrEqual),
        ]
        for (symbol, comparison) in comparisons {
            let node = CloudPredicate.Node.compare(field: "a", comparison, .string("x"), options)
            #expect(try Self.parse("a \(symbol)\(modifiers)'x'") == node)
            #expect(try Self.parse("ANY a\(symbol)\(modifiers)'x'") == .quantified(.any, field: "a", node))
        }
        #expect(try Self.parse("'x' <\(modifiers) a") == .compare(field: "a", .greater, .string("x"), options))
        #expect(try Self.parse("a BEGINSWITH\(modifiers)'x'") == .beginsWith(field: "a", "x", options))
        #expect(try Self.parse("a endswith\(modifiers)'x'") == .endsWith(field: "a", "x", options))
        #expect(try Self.parse("a Like\(modifiers)'x'") == .like(field: "a", "x", options))
        #expect(try Self.parse("a CONTAINS\(modifiers)'x'") == .contains(field: "a", .string("x"), options))
        #expect(try Self.parse("self CONTAINS\(modifiers)'x'") == .tokens("x"))
    }

    @Test(arguments: [
        (#"a LIKE 'x*'"#, "x*"), (#"a LIKE '50\\*'"#, #"50\*"#), (#"a LIKE '\\?\\\\'"#, #"\?\\"#),
        (#"a LIKE '100%%*'"#, "100%*"), (#"a LIKE 'it\'s'"#, "it's"), ("a LIKE ''", ""),
    ]) func `patterns`(format: String, pattern: String) throws {
        #expect(try Self.parse(format) == .like(field: "a", pattern))
        #expect(try CloudPredicate(format: "a LIKE %@", pattern).node == .like(field: "a", pattern))
        let literal: CloudPredicate = "a LIKE \(pattern)"
        #expect(literal.node == .like(field: "a", pattern))
    }

    @Test(arguments: [
        ("ANY", CloudPredicate.Quantifier.any), ("some", .any), ("All", .all), ("NONE", .none),
    ]) func `quantifiers precede any operator`(word: String, quantifier: CloudPredicate.Quantifier) throws {
        let elements: [(String, CloudPredicate.Node)] = [
            ("tags == 'x'", .compare(field: "tags", .equal, .string("x"))),
            ("tags != nil", .compare(field: "tags", .notEqual, nil)),
            ("tags >= -1", .compare(field: "tags", .greaterOrEqual, .int64(-1))),
            ("tags BETWEEN {1, 2}", .between(field: "tags", .int64(1), .int64(2))),
            ("tags IN {'x', 'y'}", .oneOf(field: "tags", [.string("x"), .string("y")])),
            ("tags BEGINSWITH 'x'", .beginsWith(field: "tags", "x")),
            ("tags ENDSWITH[d] 'x'", .endsWith(field: "tags", "x", .diacriticInsensitive)),
            ("tags LIKE 'x*'", .like(field: "tags", "x*")),
            ("tags CONTAINS[c] 'x'", .contains(field: "tags", .string("x"), .caseInsensitive)),
            (
                "tags < CAST(1, 'NSDate')",
                .compare(field: "tags", .less, .date(Date(timeIntervalSinceReferenceDate: 1)))
            ),
        ]
        for (format, element) in elements {
            let node = CloudPredicate.Node.quantified(quantifier, field: "tags", element)
            #expect(try Self.parse("\(word) \(format)") == node)
            #expect(try Self.parse("NOT \(word) \(format)") == .not(node))
            #expect(try Self.parse("(\(word) \(format)) AND TRUEPREDICATE") == .and([node, .everything]))
        }
        #expect(
            try CloudPredicate(format: "\(word) %K IN %@", "tags", ["x"]).node
                == .quantified(quantifier, field: "tags", .oneOf(field: "tags", [.string("x")]))
        )
    }

    @Test(arguments: [
        Example("ANY {1, 2} = a", .oneOf(field: "a", [.int64(1), .int64(2)])),
        Example("SOME {1, nil} == a", .oneOf(field: "a", [.int64(1), nil])),
        Example("NONE {1, 2} == a", .not(.oneOf(field: "a", [.int64(1), .int64(2)]))),
        Example("ALL {1, 2} != a", .not(.oneOf(field: "a", [.int64(1), .int64(2)]))),
        Example("NOT ANY {1} = a", .not(.oneOf(field: "a", [.int64(1)]))),
        Example("ANY {1, 2} IN a", .quantified(.any, field: "a", .oneOf(field: "a", [.int64(1), .int64(2)]))),
        Example("NONE {'x'} IN a", .quantified(.none, field: "a", .oneOf(field: "a", [.string("x")]))),
        Example("ALL {1, 2} IN a", .and([.contains(field: "a", .int64(1)), .contains(field: "a", .int64(2))])),
        Example("ALL {1} IN a", .contains(field: "a", .int64(1))),
        Example("ALL {} IN a", .everything),
        Example("ANY {} = a", .oneOf(field: "a", [])),
    ]) func `values may stand after a quantifier where that has an equivalent`(example: Example) throws {
        #expect(try Self.parse(example.format) == example.node)
    }

    @Test func `a list may be an argument after a quantifier`() throws {
        let node = CloudPredicate.Node.oneOf(field: "a", [.int64(1), .int64(2)])
        #expect(try CloudPredicate(format: "ANY %@ = a", [1, 2]).node == node)
        let literal: CloudPredicate = "ANY \([1, 2]) IN \(field: "a")"
        #expect(literal.node == .quantified(.any, field: "a", node))
    }

    @Test(arguments: [
        ("CAST(1, 'NSDate')", 1.0), ("cast(-1.5,\"NSDate\")", -1.5), ("Cast ( 7e8 , 'NSDate' )", 7e8),
    ]) func `a number is cast to a date`(text: String, seconds: Double) throws {
        let date = CloudValue.date(Date(timeIntervalSinceReferenceDate: seconds))
        #expect(try Self.parse("a >= \(text)") == .compare(field: "a", .greaterOrEqual, date))
        #expect(try Self.parse("\(text) >= a") == .compare(field: "a", .lessOrEqual, date))
        #expect(try Self.parse("a BETWEEN {\(text), \(text)}") == .between(field: "a", date, date))
        #expect(try Self.parse("\(text) IN a") == .contains(field: "a", date))
        #expect(
            try CloudPredicate(format: "a >= CAST(%@, %@)", seconds, "NSDate").node
                == .compare(field: "a", .greaterOrEqual, date)
        )
        #expect(
            try CloudPredicate(format: "a >= CAST(%f, 'NSDate')", seconds).node
                == .compare(field: "a", .greaterOrEqual, date)
        )
    }

    @Test func `a list of lists after IN is a set of lists`() throws {
        let lists: [CloudValue?] = [.list([.string("a"), .string("b")]), .list([])]
        let node = CloudPredicate.Node.oneOf(field: "tags", lists)
        #expect(try Self.parse("tags IN {{'a', 'b'}, {}}") == node)
        #expect(try CloudPredicate(format: "tags IN %@", [["a", "b"], []]).node == node)
        #expect(try CloudPredicate(format: "tags IN {%@, %@}", ["a", "b"], [String]()).node == node)
        let literal: CloudPredicate = "tags IN \([["a", "b"], []])"
        #expect(literal.node == node)
        let sets: CloudPredicate = "tags IN \(Set([["a", "b"]]))"
        #expect(sets.node == .oneOf(field: "tags", [lists[0]]))
        for format in ["tags IN {{'a', {'b'}}}", "tags IN {{'a', 1}}", "tags IN {{nil}}", "tags == {{'a'}}"] {
            #expect(try cloudError { _ = try CloudPredicate(format: format) }.code == .invalidArguments)
        }
        #expect(throws: CloudError.self) { _ = try CloudPredicate(format: "tags == %@", [["a"]]) }
    }
}
