import CloudRecords
import Foundation
import Testing

/// What a decoded predicate may be, and what any predicate may be.
@Suite struct PredicateParserCodingTests {
    typealias Node = CloudPredicate.Node

    private func decode(_ json: String) throws -> CloudPredicate {
        try JSONDecoder().decode(CloudPredicate.self, from: Data(json.utf8))
    }

    @Test func `predicates survive JSON`() throws {
        let predicate = try CloudPredicate(
            format: """
                (a == nil OR b IN {1, nil} OR c BETWEEN {1, 2.5}) AND NOT d BEGINSWITH 'x' AND self CONTAINS 'y' \
                AND e ENDSWITH[c] 'x' AND f LIKE[cd] 'x*' AND ALL g CONTAINS[d] 'x' AND h == {1, 2} AND i == %@
                """,
            CloudLocation(latitude: 1, longitude: 2)
        )
        #expect(try throughJSON(predicate) == predicate)
        #expect(try throughJSON(CloudPredicate.all) == .all)
    }

    @Test(arguments: SeededGenerator.seeds) func `random predicates survive JSON`(seed: UInt64) throws {
        var random = RandomPredicates(generator: SeededGenerator(seed: seed))
        for _ in 0..<100 {
            let predicate = CloudPredicate(random.node())
            try predicate.checkWellFormed()
            let decoded = try throughJSON(predicate)
            try #require(decoded == predicate, "seed \(seed): \(predicate)")
            try #require(
                decoded.description.utf8.elementsEqual(predicate.description.utf8),
                "seed \(seed): \(predicate)"
            )
        }
    }

    @Test(arguments: [
        Node.compare(field: "a b", .equal, .int64(1)), .between(field: "a'", .int64(1), .int64(2)),
        .oneOf(field: "", []), .beginsWith(field: "_a", "x"), .endsWith(field: "ä", "x"), .like(field: "a.b", "x"),
        .contains(field: "1", .int64(1)), .near(field: "a)", CloudLocation(latitude: 1, longitude: 2), metres: 1),
        .quantified(.any, field: "a;", .compare(field: "a;", .equal, nil)),
    ]) func `illegal names are refused`(node: Node) throws {
        for node in [node, .not(.and([.everything, .or([.nothing, node])]))] {
            let predicate = CloudPredicate(node)
            let error = try cloudError { try predicate.checkWellFormed() }
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("names the field"), "\(error)")
            #expect(try cloudError { _ = try throughJSON(predicate) }.code == .invalidArguments)
        }
    }

    @Test(arguments: [
        Node.compare(field: "a", .equal, .string("x\0")),
        .compare(field: "a", .equal, .list([.int64(1), .string("x")])),
        .compare(field: "a", .equal, .list([.list([])])), .contains(field: "a", .list([.list([.int64(1)])])),
        .between(field: "a", .string("\0"), .string("x")), .between(field: "a", .string("x"), .string("\0")),
        .oneOf(field: "a", [nil, .string("\0")]), .beginsWith(field: "a", "\0"), .endsWith(field: "a", "\0"),
        .like(field: "a", "\0"), .tokens("a\0b"),
        .compare(field: "a", .equal, .reference(CloudReference(recordID: CloudRecordID("")))),
        .compare(field: "a", .equal, .location(CloudLocation(latitude: 91, longitude: 0))),
        .near(field: "a", CloudLocation(latitude: 1, longitude: 200), metres: 1),
        .compare(field: "a", .equal, .string("x"), TextOptions(rawValue: 4)),
        .quantified(.all, field: "a", .beginsWith(field: "a", "\0")),
        .quantified(.all, field: "a", .compare(field: "b", .equal, .int64(1))),
        .quantified(.all, field: "a", .and([.everything, .compare(field: "b", .equal, .int64(1))])),
        .quantified(.all, field: "a", .tokens("x")), .quantified(.all, field: "a", .not(.tokens("x"))),
        .quantified(.all, field: "a", .not(.quantified(.any, field: "a", .compare(field: "a", .equal, nil)))),
    ]) func `illegal values are refused`(node: Node) throws {
        for node in [node, .not(.or([.everything, .and([.nothing, node])]))] {
            let predicate = CloudPredicate(node)
            let error = try cloudError { try predicate.checkWellFormed() }
            #expect(error.code == .invalidArguments)
            #expect(!error.remedy.isEmpty)
            #expect(try cloudError { _ = try throughJSON(predicate) }.code == .invalidArguments)
        }
    }

    @Test(arguments: [Double.nan, .infinity]) func `numbers that are none are refused`(number: Double) throws {
        let place = CloudLocation(latitude: 1, longitude: 2)
        let nodes: [Node] = [
            .compare(field: "a", .less, .double(number)), .near(field: "a", place, metres: number),
            .oneOf(field: "a", [.date(Date(timeIntervalSinceReferenceDate: number))]),
        ]
        for node in nodes {
            #expect(try cloudError { try CloudPredicate(node).checkWellFormed() }.code == .invalidArguments)
        }
    }

    // MARK: What can be written

    @Test(arguments: [
        Node.and([]), .or([]), .and([.compare(field: "a", .equal, .int64(1))]), .or([.everything]),
        .quantified(.any, field: "a", .everything), .quantified(.none, field: "a", .nothing),
        .quantified(.any, field: "a", .not(.compare(field: "a", .equal, .int64(1)))),
        .quantified(
            .all,
            field: "a",
            .or([.compare(field: "a", .equal, .int64(1)), .compare(field: "a", .equal, .int64(2))])
        ),
        .quantified(.all, field: "a", .compare(field: "a", .equal, .list([.int64(1)]))),
        .compare(field: "a", .less, .list([.int64(1)])), .contains(field: "a", .list([.int64(1)])),
    ]) func `a decoded predicate that no format can be is refused`(node: Node) throws {
        for node in [node, .not(.or([.everything, .and([.nothing, node])]))] {
            let predicate = CloudPredicate(node)
            let error = try cloudError { _ = try throughJSON(predicate) }
            #expect(error.code == .invalidArguments)
            #expect(!error.remedy.isEmpty)
        }
    }

    @Test(arguments: [
        Node.oneOf(field: "tags", [.list([.string("a"), .string("b")]), .list([]), nil]),
        .not(.oneOf(field: "tags", [.list([.int64(1)])])),
        .between(field: "a", .list([]), .list([.int64(1)])),
        .quantified(.any, field: "l", .near(field: "l", CloudLocation(latitude: 1, longitude: 2), metres: 5)),
        .quantified(.none, field: "l", .near(field: "l", CloudLocation(latitude: 1, longitude: 2), metres: 0.1)),
    ]) func `a decoded predicate is printed as a format that is equal to it`(node: Node) throws {
        let predicate = try throughJSON(CloudPredicate(node))
        #expect(predicate.node == node)
        #expect(try CloudPredicate(format: predicate.description) == predicate)
    }

    // MARK: Depth

    @Test func `a predicate may have as many levels as SQL can take, and no more`() throws {
        var predicate: CloudPredicate = "a == 1"
        for _ in 0..<CloudPredicate.maximumDepth { predicate = !predicate }
        try predicate.checkWellFormed()
        #expect(try throughJSON(predicate) == predicate)
        #expect(try cloudError { try (!predicate).checkWellFormed() }.message.contains("50 levels"))
        #expect(throws: CloudError.self) { try (predicate && .all).checkWellFormed() }
        #expect(throws: CloudError.self) { try (.all || predicate).checkWellFormed() }
        #expect(throws: CloudError.self) { try CloudPredicate(.not(predicate.node)).checkWellFormed() }
    }

    @Test func `no depth can exhaust the stack`() throws {
        var negated: CloudPredicate = "a == 1"
        for _ in 0..<1_000_000 { negated = !negated }
        #expect(try cloudError { try negated.checkWellFormed() }.code == .invalidArguments)
        var alternating: CloudPredicate = "a == 1"
        for _ in 0..<10_000 { alternating = (alternating && .all) || .none }
        #expect(throws: CloudError.self) { try alternating.checkWellFormed() }
        #expect(!alternating.description.isEmpty)
    }

    @Test func `a long chain is one level`() throws {
        var chain: CloudPredicate = "a == 1"
        for number in 0..<3_000 { chain = chain || "b == \(number)" }
        try chain.checkWellFormed()
        #expect(try throughJSON(chain) == chain)
    }

    @Test func `decoded depth is bounded`() throws {
        func negated(_ depth: Int) -> String {
            "[" + (["{\"everything\":{}}"] + Array(repeating: "{\"not\":{}}", count: depth)).joined(separator: ",")
                + "]"
        }
        try decode(negated(CloudPredicate.maximumDepth)).checkWellFormed()
        for depth in [CloudPredicate.maximumDepth + 1, 100_000] {
            let error = try cloudError { _ = try decode(negated(depth)) }
            #expect(error.code == .invalidArguments)
            #expect(error.message.contains("50 levels"))
        }
    }

    @Test func `decoded lists in lists are refused before they are gone into`() throws {
        let lists = String(repeating: #"{"list":{"_0":["#, count: 100) + String(repeating: "]}}", count: 100)
        let json = #"[{"contains":{"field":"a","_1":"# + lists + #","_2":0}}]"#
        let error = try cloudError { _ = try decode(json) }
        #expect(error.message.contains("list of lists"), "\(error)")
    }

    @Test(arguments: [
        "[]", #"[{"everything":{}},{"nothing":{}}]"#, #"[{"not":{}}]"#, #"[{"everything":{}},{"and":{"_0":2}}]"#,
        #"[{"everything":{}},{"and":{"_0":-1}}]"#, #"[{"or":{"_0":9223372036854775807}}]"#,
        #"[{"quantified":{"_0":"ANY","field":"a"}}]"#, #"[{"what":{}}]"#, "{}", "[1]",
    ]) func `data that is no predicate is refused`(json: String) {
        #expect(throws: DecodingError.self) { try decode(json) }
    }
}
