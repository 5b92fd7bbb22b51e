import CloudRecords
import Foundation
import Testing

private typealias Node = CloudPredicate.Node

@Suite struct PredicateParserTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let format: String
        let node: CloudPredicate.Node

        init(_ format: String, _ node: CloudPredicate.Node) {
            self.format = format
            self.node = node
        }

        var testDescription: String { format.debugDescription }
    }

    private static func parse(_ format: String) throws -> CloudPredicate.Node {
        try CloudPredicate(format: format).node
    }

    private static let a = Node.compare(field: "a", .equal, .int64(1))
    private static let b = Node.compare(field: "b", .equal, .int64(2))
    private static let c = Node.compare(field: "c", .equal, .int64(3))

    @Test(arguments: [
        Example("a = 1", .compare(field: "a", .equal, .int64(1))),
        Example("a == 1", .compare(field: "a", .equal, .int64(1))),
        Example("a==1", .compare(field: "a", .equal, .int64(1))),
        Example("\t a\n==\r\n1  ", .compare(field: "a", .equal, .int64(1))),
        Example("a != 1", .compare(field: "a", .notEqual, .int64(1))),
        Example("a <> 1", .compare(field: "a", .notEqual, .int64(1))),
        Example("a < 1", .compare(field: "a", .less, .int64(1))),
        Example("a <= 1", .compare(field: "a", .lessOrEqual, .int64(1))),
        Example("a =< 1", .compare(field: "a", .lessOrEqual, .int64(1))),
        Example("a > 1", .compare(field: "a", .greater, .int64(1))),
        Example("a >= 1", .compare(field: "a", .greaterOrEqual, .int64(1))),
        Example("a => 1", .compare(field: "a", .greaterOrEqual, .int64(1))),
        Example("1 = a", .compare(field: "a", .equal, .int64(1))),
        Example("1 != a", .compare(field: "a", .notEqual, .int64(1))),
        Example("1 < a", .compare(field: "a", .greater, .int64(1))),
        Example("1 <= a", .compare(field: "a", .greaterOrEqual, .int64(1))),
        Example("1 > a", .compare(field: "a", .less, .int64(1))),
        Example("1 => a", .compare(field: "a", .lessOrEqual, .int64(1))),
        Example("tags == {'x', 'y'}", .compare(field: "tags", .equal, .list([.string("x"), .string("y")]))),
        Example("tags != {}", .compare(field: "tags", .notEqual, .list([]))),
        Example("creationDate > 1", .compare(field: "creationDate", .greater, .int64(1))),
    ]) func `comparisons`(example: Example) throws {
        #expect(try Self.parse(example.format) == example.node)
    }

    @Test(arguments: [
        ("0", CloudValue.int64(0)), ("-0", .int64(0)), ("007", .int64(7)), ("-12", .int64(-12)),
        ("9223372036854775807", .int64(.max)), ("-9223372036854775808", .int64(.min)),
        ("1.5", .double(1.5)), ("-1.5", .double(-1.5)), (".5", .double(0.5)), ("-.5", .double(-0.5)),
        ("1e3", .double(1_000)), ("1E+3", .double(1_000)), ("25e-1", .double(2.5)), ("1.0", .double(1)),
        ("'x'", .string("x")), ("\"x\"", .string("x")), ("''", .string("")), ("'it\"s'", .string("it\"s")),
        ("\"it's\"", .string("it's")), (#"'it\'s'"#, .string("it's")), (#"'a\\b'"#, .string("a\\b")),
        (#"'\n\r\t\"'"#, .string("\n\r\t\"")), (#"'\u{1F600}\u{e9}'"#, .string("😀é")),
        ("'100%%'", .string("100%")), ("'100% sure'", .string("100% sure")), ("'%'", .string("%")),
        ("'\u{301}x'", .string("\u{301}x")), ("'a\nb'", .string("a\nb")), ("'👨‍👩‍👧 Пирог'", .string("👨‍👩‍👧 Пирог")),
        ("TRUE", .int64(1)), ("true", .int64(1)), ("Yes", .int64(1)), ("FALSE", .int64(0)), ("no", .int64(0)),
    ]) func `values`(text: String, value: CloudValue) throws {
        #expect(try Self.parse("a == \(text)") == .compare(field: "a", .equal, value))
        #expect(
            try Self.parse("\(text)==a AND TRUEPREDICATE") == .and([.compare(field: "a", .equal, value), .everything])
        )
    }

    @Test(arguments: ["nil", "NIL", "Nil", "null", "NULL"]) func `nil`(text: String) throws {
        #expect(try Self.parse("a == \(text)") == .compare(field: "a", .equal, nil))
        #expect(try Self.parse("a != \(text)") == .compare(field: "a", .notEqual, nil))
        #expect(try Self.parse("\(text) == a") == .compare(field: "a", .equal, nil))
        #expect(try Self.parse("a IN {1, \(text)}") == .oneOf(field: "a", [.int64(1), nil]))
    }

    @Test(arguments: [
        Example("a BETWEEN {1, 5}", .between(field: "a", .int64(1), .int64(5))),
        Example("a between{'x','y'}", .between(field: "a", .string("x"), .string("y"))),
        Example("a IN {1, 2, 3}", .oneOf(field: "a", [.int64(1), .int64(2), .int64(3)])),
        Example("a in {}", .oneOf(field: "a", [])),
        Example("{1, 2} CONTAINS a", .oneOf(field: "a", [.int64(1), .int64(2)])),
        Example("'x' IN tags", .contains(field: "tags", .string("x"))),
        Example("a BEGINSWITH 'He'", .beginsWith(field: "a", "He")),
        Example("a beginsWith ''", .beginsWith(field: "a", "")),
        Example("tags CONTAINS 'x'", .contains(field: "tags", .string("x"))),
        Example("numbers contains -1", .contains(field: "numbers", .int64(-1))),
        Example("TRUEPREDICATE", .everything),
        Example("truepredicate", .everything),
        Example("FalsePredicate", .nothing),
        Example("self CONTAINS 'hello world'", .tokens("hello world")),
        Example("SELF contains \"x\"", .tokens("x")),
        Example("allTokens TOKENMATCHES[cdl] 'hello world'", .tokens("hello world")),
        Example("allTokens tokenmatches [CDL] 'x'", .tokens("x")),
        Example("allTokens TOKENMATCHES 'x'", .tokens("x")),
    ]) func `operators with names`(example: Example) throws {
        #expect(try Self.parse(example.format) == example.node)
    }

    @Test(arguments: [
        Example("a == 1 AND b == 2", .and([a, b])),
        Example("a == 1 && b == 2 and c == 3", .and([a, b, c])),
        Example("a == 1 || b == 2 OR c == 3", .or([a, b, c])),
        Example("a == 1 OR b == 2 AND c == 3", .or([a, .and([b, c])])),
        Example("a == 1 AND b == 2 OR c == 3", .or([.and([a, b]), c])),
        Example("(a == 1 OR b == 2) AND c == 3", .and([.or([a, b]), c])),
        Example("(a == 1 AND b == 2) AND c == 3", .and([.and([a, b]), c])),
        Example("a == 1 AND (b == 2 AND c == 3)", .and([a, .and([b, c])])),
        Example("((a == 1))", a),
        Example("NOT a == 1", .not(a)),
        Example("!a == 1", .not(a)),
        Example("NOT a == 1 AND b == 2", .and([.not(a), b])),
        Example("NOT (a == 1 AND b == 2)", .not(.and([a, b]))),
        Example("NOT NOT a == 1", .not(.not(a))),
        Example("!!(a == 1)", .not(.not(a))),
        Example("a == 1 OR NOT b == 2", .or([a, .not(b)])),
        Example("a==1AND b==2".replacingOccurrences(of: "1AND", with: "1 AND"), .and([a, b])),
    ]) func `connectives`(example: Example) throws {
        #expect(try Self.parse(example.format) == example.node)
    }

    @Test(arguments: [
        "AND", "Or", "not", "in", "between", "BEGINSWITH", "endsWith", "contains", "like", "MATCHES", "tokenMatches",
        "any", "SOME", "all", "None", "self", "TRUEPREDICATE", "FalsePredicate", "nil", "NULL", "true", "YES", "false",
        "no", "allTokens", "distanceToLocation", "CAST", "plain",
    ]) func `a field with the name of a keyword is written with a number sign`(name: String) throws {
        #expect(try Self.parse("#\(name) == 1") == .compare(field: name, .equal, .int64(1)))
        #expect(try Self.parse("'x' IN #\(name)") == .contains(field: name, .string("x")))
        let element = Node.compare(field: name, .less, .int64(1))
        #expect(try Self.parse("NOT ANY #\(name)<1") == .not(.quantified(.any, field: name, element)))
    }

    @Test(arguments: [
        "size", "first", "last", "allTokens", "cast", "c", "cd", "anyone", "likes", "NSDate", "distanceToLocation",
        "andy", "inn", "order", "x1", "A_b",
    ])
    func `words that only look like keywords are fields`(name: String) throws {
        #expect(try Self.parse("\(name) == 1") == .compare(field: name, .equal, .int64(1)))
    }

    @Test func `distances are in metres, on either side`() throws {
        let place = CloudLocation(latitude: 52.1, longitude: 4.3)
        let node = Node.near(field: "place", place, metres: 5_000)
        for format in [
            "distanceToLocation:fromLocation:(place, %@) < 5000",
            "distanceToLocation:fromLocation:(place,%@)<5e3",
            "distanceToLocation:fromLocation:(%@, place) < 5000.0",
            "5000 > distanceToLocation:fromLocation:(place, %@)",
            "5000 > distanceToLocation : fromLocation : (#place, %@)",
        ] {
            #expect(try CloudPredicate(format: format, place).node == node)
        }
        let format = "distanceToLocation:fromLocation:(%K, %@) < %f"
        #expect(try CloudPredicate(format: format, "place", place, 5_000.0).node == node)
        #expect(try CloudPredicate(format: format, "place", place, 5_000).node == node)
        let metres = 5_000
        let literal: CloudPredicate = "distanceToLocation:fromLocation:(place, \(place)) < \(metres)"
        #expect(literal.node == node)
    }

    @Test(arguments: [5_000, 0, 0.1, -1, 1e300, Double.greatestFiniteMagnitude])
    func `a distance of at most so much includes that very distance`(metres: Double) throws {
        let place = CloudLocation(latitude: 52.1, longitude: 4.3)
        // What is at most a number is less than the next one.
        let node = Node.near(field: "place", place, metres: min(metres.nextUp, .greatestFiniteMagnitude))
        for format in [
            "distanceToLocation:fromLocation:(place, %@) <= %f", "distanceToLocation:fromLocation:(place, %@) =< %f",
        ] {
            let predicate = try CloudPredicate(format: format, place, metres)
            #expect(predicate.node == node)
            try predicate.checkWellFormed()
            #expect(try CloudPredicate(format: predicate.description) == predicate)
        }
        let flipped = "%f >= distanceToLocation:fromLocation:(place, %@)"
        #expect(try CloudPredicate(format: flipped, metres, place).node == node)
    }

    @Test func `operators combine predicates as a format does`() throws {
        let (a, b, c) = (CloudPredicate(Self.a), CloudPredicate(Self.b), CloudPredicate(Self.c))
        #expect(try (a && b && c) == CloudPredicate(format: "a == 1 AND b == 2 AND c == 3"))
        #expect(try (a || b && c) == CloudPredicate(format: "a == 1 OR b == 2 AND c == 3"))
        #expect(try (!a || b || c) == CloudPredicate(format: "NOT a == 1 OR b == 2 OR c == 3"))
        #expect(try CloudPredicate.all == CloudPredicate(format: "TRUEPREDICATE"))
        #expect(try CloudPredicate.none == CloudPredicate(format: "FALSEPREDICATE"))
    }

    // MARK: Depth

    @Test func `a hundred levels of parentheses and NOT are read and more are refused`() throws {
        func parenthesised(_ depth: Int) -> String {
            String(repeating: "(", count: depth) + "a == 1" + String(repeating: ")", count: depth)
        }
        #expect(try Self.parse(parenthesised(100)) == Self.a)
        _ = try Self.parse(String(repeating: "NOT ", count: 100) + "a == 1")
        _ = try Self.parse(String(repeating: "!(", count: 50) + "a == 1" + String(repeating: ")", count: 50))
        for format in [
            parenthesised(101),
            parenthesised(100_000),
            String(repeating: "NOT ", count: 101) + "a == 1",
            String(repeating: "!", count: 100_000),
            String(repeating: "!(", count: 100_000),
            "a IN " + String(repeating: "{", count: 100_000),
            "ANY " + String(repeating: "{", count: 100_000),
            "a > " + String(repeating: "CAST(", count: 100_000),
            String(repeating: "distanceToLocation:fromLocation:(", count: 20_000),
        ] {
            let error = try cloudError { _ = try Self.parse(format) }
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("100 levels"))
            #expect(error.message.count < 500)
        }
    }

    @Test func `levels that are closed again don't count`() throws {
        let group = String(repeating: "(", count: 90) + "a == 1" + String(repeating: ")", count: 90)
        let node = try Self.parse(Array(repeating: group, count: 10).joined(separator: " AND "))
        #expect(node == .and(Array(repeating: Self.a, count: 10)))
    }

    @Test func `a chain may be as long as it likes`() throws {
        let node = try Self.parse(Array(repeating: "a == 1", count: 10_000).joined(separator: " OR "))
        #expect(node == .or(Array(repeating: Self.a, count: 10_000)))
    }

    @Test func `braces in braces can't exhaust the stack`() throws {
        let error = try cloudError { _ = try Self.parse("a IN " + String(repeating: "{", count: 1_000_000)) }
        #expect(error.message.contains("at position 109: expected no more than 100 levels"), "\(error.message)")
    }
}
