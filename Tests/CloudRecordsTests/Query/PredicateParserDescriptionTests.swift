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

    @Test(arguments: [
        (CloudValue.bytes(Data([1, 2, 3])), "CAST('AQID', 'BYTES')"),
        (.bytes(Data()), "CAST('', 'BYTES')"),
        (.location(CloudLocation(latitude: 52.1, longitude: 4.3)), "CAST('52.1,4.3', 'LOCATION')"),
        (
            .location(CloudLocation(latitude: -0.1, longitude: 1e-7, altitude: 3)),
            "CAST('-0.1,1e-07,3.0,0.0,-1.0,-1.0,-1.0', 'LOCATION')"
        ),
        (
            .location(
                CloudLocation(
                    latitude: 1,
                    longitude: 2,
                    timestamp: Date(timeIntervalSinceReferenceDate: 0.1)
                )
            ),
            "CAST('1.0,2.0,0.0,0.0,-1.0,-1.0,-1.0,0.1', 'LOCATION')"
        ),
        (.reference(CloudReference(recordID: CloudRecordID("it's"))), "CAST('it\\'s', 'REFERENCE')"),
        (
            .reference(CloudReference(recordID: CloudRecordID("u", zone: CloudZoneID("z")))),
            "CAST({'u', 'z'}, 'REFERENCE')"
        ),
        (
            .reference(
                CloudReference(
                    recordID: CloudRecordID("u", zone: CloudZoneID("z", ownerName: "_o")),
                    action: .deleteSelf
                )
            ),
            "CAST({'u', 'z', '_o'}, 'REFERENCE_DELETE_SELF')"
        ),
    ]) func `bytes, locations and references are printed by CAST and read again`(
        value: CloudValue,
        spelling: String
    ) throws {
        let nodes: [(CloudPredicate.Node, String)] = [
            (.compare(field: "a", .equal, value), "a == \(spelling)"),
            (.oneOf(field: "a", [nil, value]), "a IN {nil, \(spelling)}"),
            (.compare(field: "a", .notEqual, .list([value, value])), "a != {\(spelling), \(spelling)}"),
            (.contains(field: "a", value), "a CONTAINS \(spelling)"),
        ]
        for (node, description) in nodes {
            #expect(CloudPredicate(node).description == description)
            #expect(try CloudPredicate(format: description).node == node)
        }
    }

    @Test func `a distance is printed with its place and read again`() throws {
        let place = CloudLocation(latitude: 52.1, longitude: 4.3)
        let near: CloudPredicate = "distanceToLocation:fromLocation:(place, \(place)) < 5000"
        #expect(
            near.description
                == "distanceToLocation:fromLocation:(place, CAST('52.1,4.3', 'LOCATION')) < 5000.0"
        )
        #expect(try CloudPredicate(format: near.description) == near)
    }

    @Test func `an asset, which no predicate can compare, is shown in angle brackets`() throws {
        let asset = CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/picture"))
        #expect(try CloudPredicate(format: "a == %@", asset).description == "a == <asset picture>")
    }

    @Test(arguments: [
        ("a == CAST('?', 'BYTES')", 10, "bytes as base64 text"),
        ("a == CAST(1, 'BYTES')", 10, "bytes as base64 text"),
        ("a == CAST('1', 'LOCATION')", 10, "latitude,longitude"),
        ("a == CAST('1,x', 'LOCATION')", 10, "latitude,longitude"),
        ("a == CAST('1,2,3', 'LOCATION')", 10, "latitude,longitude"),
        ("a == CAST('91,2', 'LOCATION')", 10, "outside the globe"),
        ("a == CAST('1,2,nan,0,0,0,0', 'LOCATION')", 10, "not a number"),
        ("a == CAST({'a'}, 'REFERENCE')", 10, "a record's name"),
        ("a == CAST({'a', nil}, 'REFERENCE')", 10, "a record's name"),
        ("a == CAST(nil, 'REFERENCE')", 10, "a record's name"),
        ("a == CAST('', 'REFERENCE')", 10, "refers to a record whose name"),
        ("a == CAST('x', 'NSDate')", 10, "seconds since the start of 2001"),
        ("a == CAST('x', 'ASSET')", 15, "CAST to the type"),
        ("a == CAST('x', 'reference')", 15, "CAST to the type"),
        ("a == CAST('x')", 13, "expected \",\""),
        ("a == CAST('x', 1)", 15, "'REFERENCE'"),
        ("a == CAST('x', 'BYTES'", 22, "expected \")\""),
    ]) func `a wrong CAST is an error with its position`(format: String, position: Int, problem: String) {
        let error = #expect(throws: CloudError.self) { try CloudPredicate(format: format) }
        #expect(error?.message.contains("at position \(position):") == true, "\(error as Any)")
        #expect(error?.message.contains(problem) == true, "\(error as Any)")
    }

    @Test func `the deepest predicate is read again, with the deepest values in it`() throws {
        let reference = CloudReference(recordID: CloudRecordID("u", zone: CloudZoneID("z")))
        var predicate = CloudPredicate(.oneOf(field: "a", [.list([.reference(reference)])]))
        for _ in 0..<CloudPredicate.maximumDepth { predicate = !predicate }
        #expect(try CloudPredicate(format: predicate.description) == predicate)
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
