import CloudRecords
import Foundation
import Testing

@Suite struct PredicateDescriptionTests {
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
        ("truepredicate AND falsepredicate", "TRUEPREDICATE AND FALSEPREDICATE"),
    ]) func `a description is the predicate in its plainest form`(format: String, description: String) throws {
        let predicate = try CloudPredicate(format: format)
        #expect(predicate.description == description)
        #expect(try CloudPredicate(format: description) == predicate)
    }

    @Test func `values that have no spelling are shown in angle brackets`() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.5)
        let place = CloudLocation(latitude: 52.1, longitude: 4.3)
        let arguments: [(any CloudValueConvertible, String)] = [
            (date, "<2023-11-14T22:13:20.500Z>"),
            (Date(timeIntervalSince1970: 1e300), "<1e+300 seconds after 1970>"),
            (Date(timeIntervalSince1970: -1e300), "<-1e+300 seconds after 1970>"),
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
