import CloudRecords
import Foundation
import Testing

@Suite struct PredicateParserDescriptionTests {
    @Test(arguments: [
        ("a = 1 && b<>'x'", "a == 1 AND b != 'x'"),
        ("(a == 1)", "a == 1"),
        ("a == 1 OR b == 2 AND NOT c == 3", "a == 1 OR (b == 2 AND (NOT c == 3))"),
        ("NOT (a == nil OR b == NULL)", "NOT (a == nil OR b == nil)"),
        ("1.0 < a", "a > 1.0"),
        ("a == TRUE", "a == 1"),
        ("#in IN {1, 'x', nil}", "#in IN {1, 'x', nil}"),
        ("a BETWEEN {1,2}", "a BETWEEN {1, 2}"),
        ("a BEGINSWITH \"it's 100%\"", #"a BEGINSWITH 'it\'s 100%%'"#),
        ("tags contains 'a\nb'", #"tags CONTAINS 'a\nb'"#),
        ("allTokens TOKENMATCHES[cdl] 'x y'", "self CONTAINS 'x y'"),
        ("a=[C]'x' OR a<>[dc]'y'", "a ==[c] 'x' OR a !=[cd] 'y'"),
        ("a endswith [d] \"x\"", "a ENDSWITH[d] 'x'"),
        (#"a like[c] 'it\'s 50\\*'"#, #"a LIKE[c] 'it\'s 50\\*'"#),
        ("some tags contains[c] 'x'", "ANY tags CONTAINS[c] 'x'"),
        ("NOT ALL #any BETWEEN {1, 2}", "NOT ALL #any BETWEEN {1, 2}"),
        ("none tags in {'a'} and a = 1", "NONE tags IN {'a'} AND a == 1"),
        ("{1, 2} CONTAINS a", "a IN {1, 2}"),
        ("any {1, nil} = a", "a IN {1, nil}"),
        ("a > cast(1, 'NSDate')", "a > CAST(1.0, 'NSDate')"),
        ("a == {CAST(-0.5, \"NSDate\")}", "a == {CAST(-0.5, 'NSDate')}"),
        ("truepredicate AND falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
    ]) func `a description is the predicate in its plainest form`(format: String, description: String) throws {
        let predicate = try CloudPredicate(format: format)
        #expect(predicate.description == description)
        #expect(try CloudPredicate(format: description) == predicate)
    }

    @Test(arguments: [
        0, -0.0, 0.1, 700_000_000.123456, 1e300, -1e300, .leastNonzeroMagnitude, 63_113_904_000,
    ]) func `dates are printed to the last bit`(seconds: Double) throws {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        let predicate: CloudPredicate = "sent < \(date) AND sent IN \([date])"
        #expect(predicate.description == "sent < CAST(\(seconds), 'NSDate') AND sent IN {CAST(\(seconds), 'NSDate')}")
        #expect(try CloudPredicate(format: predicate.description) == predicate)
    }

    @Test func `values that have no spelling are shown in angle brackets`() throws {
        let place = CloudLocation(latitude: 52.1, longitude: 4.3)
        let arguments: [(any CloudValueConvertible, String)] = [
            (Data(count: 3), "<3 bytes>"),
            (place, "<52.1, 4.3>"),
            (CloudRecordID("u", zone: CloudZoneID("z")), "<u in z>"),
            (CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/picture")), "<asset picture>"),
        ]
        for (argument, description) in arguments {
            #expect(try CloudPredicate(format: "a == %@", argument).description == "a == \(description)")
        }
        let near: CloudPredicate = "distanceToLocation:fromLocation:(place, \(place)) < 5000"
        #expect(near.description == "distanceToLocation:fromLocation:(place, <52.1, 4.3>) < 5000.0")
    }

    @Test func `a malformed literal is described by its error`() {
        let predicate: CloudPredicate = "a =="
        #expect(predicate.description.contains("at position 4"))
    }

    @Test func `the deepest predicate can be printed, compared and put away`() {
        var predicate: CloudPredicate = "a == 1"
        for _ in 0..<CloudPredicate.maximumDepth { predicate = !predicate }
        #expect(predicate.description.hasPrefix("NOT (NOT (NOT ("))
        #expect(
            predicate.description.hasSuffix(
                "(NOT a == 1" + String(repeating: ")", count: CloudPredicate.maximumDepth - 1)
            )
        )
        #expect(predicate == predicate && predicate.hashValue == predicate.hashValue)
    }

    @Test(arguments: SeededGenerator.seeds)
    func `a description parses back to an equal predicate`(seed: UInt64) throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<500 {
            let predicate = CloudPredicate(random.node())
            let parsed = try CloudPredicate(format: predicate.description)
            try #require(parsed == predicate, "seed \(seed): \(predicate)")
            // Strings are equal by canonical equivalence; the texts have to be the same in bytes.
            try #require(
                parsed.description.utf8.elementsEqual(predicate.description.utf8),
                "seed \(seed): \(predicate)"
            )
            let literal = CloudPredicate(stringLiteral: predicate.description)
            try #require(literal == predicate, "seed \(seed): \(predicate)")
        }
    }
}
