import CloudRecords
import Foundation
import Testing

@Suite struct PredicateParserErrorTests {
    struct Mistake: Sendable, CustomTestStringConvertible {
        let format: String
        let position: Int
        /// A part of the message.
        let expectation: String

        init(_ format: String, _ position: Int, _ expectation: String) {
            self.format = format
            self.position = position
            self.expectation = expectation
        }

        var testDescription: String { format.debugDescription }
    }

    private func expect(_ error: CloudError, _ code: CloudError.Code, _ mistake: Mistake) {
        #expect(error.code == code, "\(error)")
        #expect(error.message.contains("at position \(mistake.position):"), "\(error)")
        #expect(error.message.contains(mistake.expectation), "\(error)")
        #expect(!error.remedy.isEmpty)
    }

    @Test(arguments: [
        Mistake("", 0, "expected a field name or a value, but it ends there"),
        Mistake("   ", 3, "but it ends there"),
        Mistake("a", 1, "expected an operator"),
        Mistake("a 1", 2, "expected an operator such as ==, < or IN, found 1"),
        Mistake("a ==", 4, "expected a field name or a value, but it ends there"),
        Mistake("a == == 1", 5, "found =="),
        Mistake("== 1", 0, "found =="),
        Mistake("a == 1 b == 2", 7, "expected AND, OR or the end, found b"),
        Mistake("a == 1 AND", 10, "but it ends there"),
        Mistake("a == 1 OR OR b == 2", 10, "found OR"),
        Mistake("a == 1 & b == 2", 7, #"found "&""#),
        Mistake("(a == 1", 7, #"expected AND, OR or ")""#),
        Mistake("a == 1)", 6, "found )"),
        Mistake("()", 1, "found )"),
        Mistake("NOT", 3, "but it ends there"),
        Mistake("a == 'x", 5, "expected a closing quote"),
        Mistake(#"a == 'x\'"#, 5, "expected a closing quote"),
        Mistake(#"a == 'x\q'"#, 7, #"expected one of \\"#),
        Mistake(#"a == 'x\u{110000}'"#, 7, "number of a Unicode scalar"),
        Mistake(#"a == '\u{D800}'"#, 6, "number of a Unicode scalar"),
        Mistake(#"a == '\u{}'"#, 6, "number of a Unicode scalar"),
        Mistake(#"a == '\u{0}'"#, 5, "NUL"),
        Mistake("a == 'x\0'", 5, "NUL"),
        Mistake("a == \0", 5, #"found "\0""#),
        Mistake("a == 1\u{B}\u{C}\u{A0}\u{2003}!", 10, "expected AND, OR or the end"),
        Mistake("a == 1x", 6, "expected the end of the number"),
        Mistake("a == 0x1F", 6, "expected the end of the number"),
        Mistake("a == 1.2.3", 8, "expected the end of the number"),
        Mistake("a == 9223372036854775808", 5, "expected an integer of 64 bits"),
        Mistake("a == -9223372036854775809", 5, "expected an integer of 64 bits"),
        Mistake("a == 1e999", 5, "expected a number in the range of Double"),
        Mistake("1 == 1", 0, "expected a field on one side"),
        Mistake("a < {1, 2}", 4, "lists have no order"),
        Mistake("a == {1, nil}", 5, "expected a value other than nil"),
        Mistake("a IN 5", 5, "expected a list"),
        Mistake("a IN 'abc'", 5, "expected a list"),
        Mistake("a IN nil", 5, "expected a list"),
        Mistake("a IN {1 2}", 8, #"expected "," or "}", found 2"#),
        Mistake("a IN {1,}", 8, "expected a value, found }"),
        Mistake("a IN {1", 7, #"expected "," or "}", but it ends there"#),
        Mistake("a == {{1}}", 5, "a list"),
        Mistake("a IN {b}", 6, "expected a single value as an element"),
        Mistake("{1} IN a", 0, "expected a single value to look for"),
        Mistake("nil IN a", 0, "other than nil"),
        Mistake("a BETWEEN {1}", 10, "expected a list of two values"),
        Mistake("a BETWEEN {1, 2, 3}", 10, "expected a list of two values"),
        Mistake("a BETWEEN 1", 10, "expected a list of two values"),
        Mistake("a BETWEEN {1, nil}", 10, "other than nil"),
        Mistake("a BEGINSWITH 1", 13, "expected text after BEGINSWITH"),
        Mistake("a BEGINSWITH nil", 13, "expected text"),
        Mistake("'a' BEGINSWITH b", 0, "expected a field before BEGINSWITH"),
        Mistake("a CONTAINS nil", 11, "other than nil"),
        Mistake("a CONTAINS {1}", 11, "expected a single value"),
        Mistake("'abc' CONTAINS a", 0, "expected a field before CONTAINS"),
        Mistake("self == 1", 5, "expected self CONTAINS 'words'"),
        Mistake("self CONTAINS 1", 14, "as text"),
        Mistake("self IN a", 0, "expected self CONTAINS"),
        Mistake("a TOKENMATCHES 'x'", 0, "allTokens TOKENMATCHES"),
        Mistake("allTokens TOKENMATCHES[q] 'x'", 23, "expected the modifiers cdl"),
        Mistake("allTokens TOKENMATCHES[] 'x'", 23, "expected the modifiers cdl"),
        Mistake("a ==[l] 'x'", 5, "expected the modifiers c, d or cd, found l"),
        Mistake("a BEGINSWITH[cdn] 'x'", 15, "expected the modifiers c, d or cd, found n"),
        Mistake("a LIKE [ dx ] 'x'", 10, "found x"),
        Mistake("a ==[cc] 'x'", 6, "expected each modifier once, found c"),
        Mistake("a ==[cdC] 'x'", 7, "expected each modifier once, found C"),
        Mistake("a ==[] 'x'", 5, "expected the modifiers c, d or cd, found ]"),
        Mistake("a ==[no] 'x'", 5, "expected the modifiers c, d or cd, found no"),
        Mistake("a ==[1] 'x'", 5, "expected the modifiers c, d or cd, found 1"),
        Mistake("a ==[c 'x'", 7, #"expected "]""#),
        Mistake("a ==[c", 6, #"expected "]", but it ends there"#),
        Mistake("a ==[c][d] 'x'", 7, "expected a field name or a value, found ["),
        Mistake("a ENDSWITH 1", 11, "expected text after ENDSWITH"),
        Mistake("a LIKE nil", 7, "expected text after LIKE"),
        Mistake("a LIKE {'x'}", 7, "expected text after LIKE"),
        Mistake("'a*' LIKE a", 0, "expected a field before LIKE"),
        Mistake("ANY", 3, "expected a list field after ANY, but it ends there"),
        Mistake("ANY tags", 8, "expected an operator"),
        Mistake("ANY 'x' IN tags", 4, "expected a list field after ANY"),
        Mistake("some 3 < marks", 5, "expected a list field after SOME"),
        Mistake("NONE self CONTAINS 'x'", 5, "expected a list field after NONE"),
        Mistake("ALL (tags == 'x')", 4, "expected a list field after ALL, found ("),
        Mistake("ANY ANY tags == 'x'", 4, "expected a list field after ANY, found ANY"),
        Mistake("ANY NOT tags == 'x'", 4, "expected a list field after ANY, found NOT"),
        Mistake("ANY tags == {'x'}", 12, "expected a single value, since the elements"),
        Mistake("ANY tags TOKENMATCHES 'x'", 4, "allTokens TOKENMATCHES"),
        Mistake("ANY {1, 2} == 3", 14, "expected a field, since values"),
        Mistake("ANY {1, nil} IN marks", 4, "other than nil"),
        Mistake("ALL {nil} IN marks", 4, "other than nil"),
        Mistake("a == {1, 'x'}", 5, "a list that mixes INT64 and STRING"),
        Mistake("a != {1, 2.5}", 5, "a list that mixes INT64 and DOUBLE"),
        Mistake("a > CAST('2024-01-01', 'NSDate')", 9, "expected a number of seconds since the start of 2001"),
        Mistake("a > CAST(nil, 'NSDate')", 9, "expected a number of seconds since the start of 2001"),
        Mistake("a > CAST()", 9, "expected a value to cast, found )"),
        Mistake("a > CAST(1)", 10, #"expected ",", found )"#),
        Mistake("a > CAST(1, NSDate)", 12, "expected the type, one of 'NSDate' '"),
        Mistake("a > CAST(1, 'NSDate'", 20, #"expected ")", but it ends there"#),
        Mistake("AND == 1", 0, "found AND"),
        Mistake("in == 1", 0, "expected a field name or a value, found in"),
        Mistake("_a == 1", 0, "does not start with an ASCII letter"),
        Mistake("näme == 1", 0, "other than ASCII letters"),
        Mistake("é == 1", 0, "does not start with an ASCII letter"),
        Mistake("#_a == 1", 0, "does not start with an ASCII letter"),
        Mistake("#1 == 1", 1, "expected a field name after #"),
        Mistake("# == 1", 1, "expected a field name after #"),
        Mistake("a == \u{2018}x\u{2019}", 5, "expected a field name, a value or an operator"),
        Mistake("a == ;", 5, "expected a field name, a value or an operator"),
        Mistake("distanceToLocation:fromLocation:(place, 5) < 5", 40, "expected a location"),
        Mistake("distanceToLocation:fromLocation:(5, 5) < 5", 33, "expected a location field"),
        Mistake("distanceToLocation:toLocation:(place, 5) < 5", 19, "expected fromLocation"),
    ]) func `what is wrong is named with its position`(mistake: Mistake) throws {
        expect(try cloudError { _ = try CloudPredicate(format: mistake.format) }, .invalidArguments, mistake)
    }

    @Test(arguments: [
        Mistake("a MATCHES '.*'", 2, "the operator MATCHES"),
        Mistake("ANY a matches[c] '.*'", 6, "the operator MATCHES"),
        Mistake("a IN[c] {'x'}", 4, "the modifiers [c]"),
        Mistake("'x' IN[cd] a", 6, "the modifiers [cd]"),
        Mistake("a BETWEEN [d] {'x', 'y'}", 10, "the modifiers [d]"),
        Mistake("{'x'} CONTAINS[c] a", 14, "the modifiers [c]"),
        Mistake("ANY {'x'} ==[c] a", 12, "the modifiers [c]"),
        Mistake("ALL {1, 2} == a", 0, "ALL over values with =="),
        Mistake("b == 1 AND SOME {1, 2} < a", 11, "ANY over values with <"),
        Mistake("NONE {'x'} CONTAINS a", 0, "NONE over values with CONTAINS"),
        Mistake("ANY tags == other", 9, "a comparison of two fields"),
        Mistake("ANY tags.name == 'x'", 4, #"the key path that starts with "tags""#),
        Mistake("ANY lower(tags) == 'x'", 4, #"the function "lower""#),
        Mistake("a > CAST(b, 'NSDate')", 9, #"CAST of the field "b""#),
        Mistake("a > CAST(1, 'NSNumber')", 12, #"CAST to the type "NSNumber""#),
        Mistake("a > #CAST(1, 'NSDate')", 4, #"the function "CAST""#),
        Mistake("a > CAST(1, 'NSDate') + 1", 22, "arithmetic with +"),
        Mistake("now() > a", 0, #"the function "now""#),
        Mistake("FUNCTION(a, 'b') == 1", 0, #"the function "FUNCTION""#),
        Mistake("SUBQUERY(a, $x, $x == 1).@count > 0", 0, #"the function "SUBQUERY""#),
        Mistake("add:to:(1, 2) == a", 0, #"the function "add""#),
        Mistake("distanceToLocation(place) < 5", 0, #"the function "distanceToLocation""#),
        Mistake("owner.name == 'x'", 0, #"the key path that starts with "owner""#),
        Mistake("tags.@count == 1", 0, #"the key path that starts with "tags""#),
        Mistake("tags[0] == 'x'", 0, #"an index into "tags""#),
        Mistake("a == b", 2, "a comparison of two fields"),
        Mistake("a IN b", 2, "a comparison of two fields"),
        Mistake("a + 1 == 2", 2, "arithmetic with +"),
        Mistake("a == 2 * 3", 7, "arithmetic with *"),
        Mistake("a == $x", 5, "the variable $x"),
        Mistake("distanceToLocation:fromLocation:(place, %@) > 5", 44, "a distance compared with >"),
    ]) func `constructs that are not supported are named with their position`(mistake: Mistake) throws {
        let place = CloudLocation(latitude: 1, longitude: 2)
        let error = try cloudError {
            _ = try CloudPredicate(
                format: mistake.format,
                argumentArray: mistake.format.contains("%@") ? [place] : []
            )
        }
        expect(error, .unsupported, mistake)
    }

    @Test func `a date as text is answered with the remedy`() throws {
        let error = try cloudError { _ = try CloudPredicate(format: "sent > CAST('2024-01-01', 'NSDate')") }
        #expect(error.remedy.contains("Pass a Date for %@"))
        let check = QueryCheck(subject: "class Message") { _ in .typed(.date) }
        let byType = try cloudError { try check.check(CloudQuery(recordType: "Message", predicate: "sent > '2024'")) }
        #expect(byType.code == .invalidArguments)
        #expect(byType.remedy.contains("Pass a Date for %@"))
    }

    @Test func `positions count characters`() throws {
        let family = "👨‍👩‍👧"
        let error = try cloudError { _ = try CloudPredicate(format: "a == '\(family)e\u{301}' ;") }
        #expect(error.message.contains("at position 10:"), "\(error)")
    }

    @Test func `a field named like a keyword is answered with the remedy`() throws {
        let error = try cloudError { _ = try CloudPredicate(format: "in == 1") }
        #expect(error.remedy.contains("#in"))
    }

    @Test func `a long format is cut short in the message`() throws {
        let format = "a == 1 AND " + String(repeating: "x", count: 1_000_000)
        #expect(try cloudError { _ = try CloudPredicate(format: format) }.message.count < 500)
    }
}
