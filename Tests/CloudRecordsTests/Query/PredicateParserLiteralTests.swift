import CloudRecords
import Foundation
import Testing

private enum Kind: String {
    case text, picture
}

private enum Level: Int {
    case low = 1
    case high
}

private enum Conforming: String, CloudValueConvertible {
    case one, two
}

/// Text that would do harm if it became part of a predicate.
private let hostileTexts = [
    "'", "\"", "' OR '1' == '1", "\" OR TRUEPREDICATE OR \"", "x' OR TRUEPREDICATE", "%@", "%K", "%d %%", "\\", "\\'",
    "\\\"", "a\\", ")", "') OR (a == '", "}", "nil", "TRUEPREDICATE", "#a", "\n", "--", "/*", ";", "_", "*", "?",
    "\u{301}", "\u{202E}", "\\(x)", "a == 1", "'; DROP TABLE Message; --", String(repeating: "'", count: 1_000),
]

@Suite struct PredicateParserLiteralTests {
    private func error(of predicate: CloudPredicate) throws -> CloudError {
        guard case .malformed = predicate.node else {
            Issue.record("\(predicate) is well formed")
            throw CancellationError()
        }
        return try cloudError { try predicate.checkWellFormed() }
    }

    @Test func `a literal without values is a predicate`() throws {
        let predicate: CloudPredicate = "likes > 3 AND text BEGINSWITH 'He'"
        #expect(try predicate == CloudPredicate(format: "likes > 3 AND text BEGINSWITH 'He'"))
        try predicate.checkWellFormed()
    }

    @Test func `interpolated values are bound`() throws {
        let me = "me"
        let predicate: CloudPredicate = "from == \(me) AND likes > \(3)"
        #expect(try predicate == CloudPredicate(format: "from == %@ AND likes > %d", me, 3))
        let date = Date(timeIntervalSinceReferenceDate: 1)
        let id = CloudRecordID("u")
        let others: CloudPredicate = "\(date) < sent AND \(true) == isRead AND to == \(id) AND size > \(1.5)"
        #expect(
            try others
                == CloudPredicate(format: "sent > %@ AND isRead == %@ AND to == %@ AND size > %@", date, true, id, 1.5)
        )
    }

    @Test func `enums need no conformance, and one with a conformance works too`() {
        let equal: CloudPredicate = "kind == \(Kind.picture)"
        #expect(equal.node == .compare(field: "kind", .equal, .string("picture")))
        let level: CloudPredicate = "level >= \(Level.high)"
        #expect(level.node == .compare(field: "level", .greaterOrEqual, .int64(2)))
        let conforming: CloudPredicate = "kind == \(Conforming.two)"
        #expect(conforming.node == .compare(field: "kind", .equal, .string("two")))
    }

    @Test func `optionals are null when they are nil`() {
        let text: String? = nil
        let kind: Kind? = nil
        let conforming: Conforming? = nil
        let predicates: [CloudPredicate] = ["a == \(text)", "a == \(kind)", "a == \(conforming)", "a == \(Int?.none)"]
        for predicate in predicates { #expect(predicate.node == .compare(field: "a", .equal, nil)) }
        let present: Kind? = .text
        let some: CloudPredicate = "a == \(present)"
        #expect(some.node == .compare(field: "a", .equal, .string("text")))
        let presentConforming: Conforming? = .one
        let other: CloudPredicate = "a == \(presentConforming)"
        #expect(other.node == .compare(field: "a", .equal, .string("one")))
    }

    @Test func `arrays and sets are lists`() {
        let numbers: CloudPredicate = "a IN \([1, 2])"
        #expect(numbers.node == .oneOf(field: "a", [.int64(1), .int64(2)]))
        let kinds: CloudPredicate = "a IN \([Kind.text, .picture])"
        #expect(kinds.node == .oneOf(field: "a", [.string("text"), .string("picture")]))
        let conforming: CloudPredicate = "a IN \([Conforming.one])"
        #expect(conforming.node == .oneOf(field: "a", [.string("one")]))
        let set: CloudPredicate = "a IN \(Set(["b", "a"]))"
        #expect(set.node == .oneOf(field: "a", [.string("a"), .string("b")]))
        let between: CloudPredicate = "a BETWEEN \([1, 5])"
        #expect(between.node == .between(field: "a", .int64(1), .int64(5)))
        let inBraces: CloudPredicate = "a IN {\(1), \("x"), nil}"
        #expect(inBraces.node == .oneOf(field: "a", [.int64(1), .string("x"), nil]))
    }

    @Test func `nil among several values stands for null in every spelling`() throws {
        let numbers: [Int?] = [1, nil]
        let expected = CloudPredicate.Node.oneOf(field: "a", [.int64(1), nil])
        let literal: CloudPredicate = "a IN \(numbers)"
        #expect(literal.node == expected)
        #expect(try CloudPredicate(format: "a IN %@", numbers).node == expected)
        #expect(try CloudPredicate(format: "a IN {1, nil}").node == expected)
        let set: CloudPredicate = "a IN \(Set<Int?>([2, nil, 1]))"
        #expect(set.node == .oneOf(field: "a", [nil, .int64(1), .int64(2)]))
        let kinds: CloudPredicate = "a IN \([Kind.text, nil])"
        #expect(kinds.node == .oneOf(field: "a", [.string("text"), nil]))
        let optional: CloudPredicate = "a IN \(numbers as [Int?]?)"
        #expect(optional.node == expected)
        let full: [Int?] = [1, 2]
        let withoutNil: CloudPredicate = "a IN \(full) AND a == \(full)"
        #expect(
            withoutNil.node
                == .and([
                    .oneOf(field: "a", [.int64(1), .int64(2)]),
                    .compare(field: "a", .equal, .list([.int64(1), .int64(2)])),
                ])
        )
    }

    @Test func `a list with nil stands nowhere but after IN`() throws {
        let numbers: [Int?] = [1, nil]
        for predicate: CloudPredicate in ["a == \(numbers)", "a BETWEEN \(numbers)", "a CONTAINS \(numbers)"] {
            #expect(try error(of: predicate).code == .invalidArguments)
        }
        #expect(throws: CloudError.self) { try CloudPredicate(format: "a > %d", numbers) }
        let hostile: [String?] = ["\0", nil]
        #expect(throws: CloudError.self) { try CloudPredicate(format: "a IN %@", hostile) }
    }

    @Test func `field names can be interpolated and are checked`() throws {
        let name = "likes"
        let predicate: CloudPredicate = "\(field: name) > \(3)"
        #expect(predicate.node == .compare(field: "likes", .greater, .int64(3)))
        let keyword: CloudPredicate = "\(field: "in") > \(3)"
        #expect(keyword.node == .compare(field: "in", .greater, .int64(3)))
        for hostile in hostileTexts + ["", "a b", "_a", "ä"] where hostile != "nil" && hostile != "TRUEPREDICATE" {
            let predicate: CloudPredicate = "x == 1 AND \(field: hostile) > \(3)"
            let error = try error(of: predicate)
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("at position 11: expected a field name"), "\(error)")
        }
    }

    @Test(arguments: hostileTexts) func `whatever a value holds, it stays a value`(text: String) throws {
        let literal: CloudPredicate =
            "a == \(text) AND b BEGINSWITH \(text) AND self CONTAINS \(text) AND c IN \([text])"
        let expected = CloudPredicate.Node.and([
            .compare(field: "a", .equal, .string(text)), .beginsWith(field: "b", text), .tokens(text),
            .oneOf(field: "c", [.string(text)]),
        ])
        #expect(literal.node == expected)
        let format = "a == %@ AND b BEGINSWITH %@ AND self CONTAINS %@ AND c IN %@"
        #expect(try CloudPredicate(format: format, text, text, text, [text]).node == expected)
        #expect(try CloudPredicate(format: literal.description).node == expected)
    }

    @Test(arguments: hostileTexts) func `a value inside quotes is an error and never text`(text: String) throws {
        let single: CloudPredicate = "name == '\(text)'"
        #expect(try error(of: single).message.contains("at position 9: a value can't be interpolated inside quotes"))
        let double: CloudPredicate = "name == \"a\(text)\""
        #expect(try error(of: double).message.contains("at position 10: a value can't be interpolated inside quotes"))
        let fieldName: CloudPredicate = "name == '\(field: "a")'"
        #expect(try error(of: fieldName).message.contains("inside quotes"))
    }

    @Test func `a malformed literal says where and what was expected`() throws {
        let predicate: CloudPredicate = "from == \("me") likes > 3"
        let error = try error(of: predicate)
        #expect(error.code == .invalidArguments)
        #expect(error.message.contains("from == %@ likes > 3"), "\(error)")
        #expect(error.message.contains("at position 11: expected AND, OR or the end, found likes"), "\(error)")
    }

    @Test func `an unsupported construct in a literal is reported as such`() throws {
        let error = try error(of: "name MATCHES 'x*'")
        #expect(error.code == .unsupported)
        #expect(error.message.contains("at position 5: the operator MATCHES"), "\(error)")
    }

    @Test(arguments: ["a == %@", "%K == 1", "a == %d", "a == %", "a == '%@'"])
    func `specifiers mean nothing in a literal`(text: String) throws {
        let error = try error(of: CloudPredicate(stringLiteral: text))
        #expect(error.code == .invalidArguments)
    }

    @Test func `specifiers beside interpolated values take none of them`() throws {
        let predicate: CloudPredicate = "a == \(1) AND b == %@"
        #expect(try error(of: predicate).message.contains("at position 17: a literal has no arguments"))
    }

    @Test func `values that no field can hold make the literal malformed`() throws {
        #expect(try error(of: "a == \(Double.nan)").message.contains("at position 5: the value is a number"))
        #expect(try error(of: "a == \(UInt64.max)").message.contains("at position 5: the value can't be used"))
        #expect(try error(of: "a == \("x\0")").message.contains("NUL"))
        #expect(try error(of: "a == \([1, nil])").message.contains("nil"))
    }

    @Test func `a malformed literal is found wherever it stands in a tree`() throws {
        let malformed: CloudPredicate = "a =="
        let fine: CloudPredicate = "a == 1"
        for predicate in [malformed && fine, fine || malformed, !malformed, !(fine && (fine || !malformed))] {
            #expect(throws: CloudError.self) { try predicate.checkWellFormed() }
            #expect(throws: CloudError.self) { try throughJSON(predicate).checkWellFormed() }
        }
        try (fine && !fine).checkWellFormed()
    }
}
