import CloudRecords
import Foundation
import SQLStore
import SQLiteStore
import Testing

@Suite("Large predicates")
struct LargePredicates {
    private static func store(_ records: [CloudRecord]) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    @Test("Thirty thousand terms of AND and of OR are one query")
    func manyTerms() async throws {
        let store = try await Self.store((0..<4).map { item("\($0)", ["n": .int64($0), "t": .string("t\($0)")]) })
        let numbers = Array(Int64(2)..<30_002)
        let equal = numbers.map { CloudPredicate.Node.compare(field: "n", .equal, .int64($0)) }
        #expect(try await store.matches(.or(equal)) == ["2", "3"])
        #expect(try await store.matches(.not(.or(equal))) == ["0", "1"])
        let different = numbers.map { CloudPredicate.Node.compare(field: "n", .notEqual, .int64($0)) }
        #expect(try await store.matches(.and(different)) == ["0", "1"])
        let ranges = numbers.prefix(10_000).map { CloudPredicate.Node.compare(field: "n", .less, .int64($0)) }
        #expect(try await store.matches(.and(ranges)) == ["0", "1"])
        let prefixes = numbers.prefix(10_000).map { CloudPredicate.Node.beginsWith(field: "t", "t\($0)") }
        #expect(try await store.matches(.or(prefixes)) == ["2", "3"])
        let pairs = numbers.prefix(10_000).map {
            CloudPredicate.Node.oneOf(field: "n", [.int64($0), .int64(-$0)])
        }
        #expect(try await store.matches(.or(pairs)) == ["2", "3"])
    }

    @Test("Each value of a long IN is compared exactly, whatever its type")
    func exactLists() async throws {
        let doubles: [Double] = [
            0.1, -0.0, 1.0 / 3, .leastNonzeroMagnitude, .leastNormalMagnitude.nextDown, .greatestFiniteMagnitude,
            0x1p53,
            8.41e21, 9.5e-5, 123456789.123456789, 1e23, 6.02214076e23, 4.35, 0.30000000000000004, -1e-7,
        ]
        let records = doubles.enumerated().map { index, number in
            item(
                "\(index + 10)",
                [
                    "d": .double(number), "at": .date(Date(timeIntervalSinceReferenceDate: number)),
                    "b": .bytes(Data("\(number)".utf8)), "l": .list([.double(number)]),
                ]
            )
        }
        let store = try await Self.store(records)
        let names = records.map(\.recordID.recordName)
        func check(_ field: String, _ value: (Double) -> CloudValue) async throws {
            let isIn = CloudPredicate.Node.oneOf(field: field, doubles.map(value) + [value(77), value(78)])
            #expect(try await store.matches(isIn) == names)
            #expect(try await store.matches(.not(isIn)) == [])
            let neighbours = doubles.flatMap { [value($0.nextUp), value($0.nextDown)] }
            let expected = names.indices.filter { index in
                doubles.contains { $0.nextUp == doubles[index] || $0.nextDown == doubles[index] }
            }.map { names[$0] }
            let finite = neighbours.filter { value in
                if case .double(let number) = value { number.isFinite } else { true }
            }
            #expect(try await store.matches(.oneOf(field: field, finite)) == expected)
        }
        try await check("d") { .double($0) }
        try await check("at") { .date(Date(timeIntervalSinceReferenceDate: $0.isFinite ? $0 : 1)) }
        let bytes = doubles.map { CloudValue.bytes(Data("\($0)".utf8)) }
        #expect(try await store.matches(.oneOf(field: "b", bytes + [.bytes(Data())])) == names)
        #expect(try await store.matches(.oneOf(field: "b", bytes.map { _ in .bytes(Data("0".utf8)) })) == [])
        let element = CloudPredicate.Node.oneOf(field: "l", doubles.map { .double($0) } + [.double(77)])
        #expect(try await store.matches(.quantified(.any, field: "l", element)) == names)
        // Integers among the doubles, and doubles among the integers.
        let mixed = doubles.map { CloudValue.double($0) } + [.int64(1 << 53), .int64(1 << 53 + 1)]
        #expect(try await store.matches(.oneOf(field: "d", mixed)) == names)
    }

    @Test("IN takes more values than a statement may have", arguments: ["d", "at", "b", "n", "t", "recordID", "user"])
    func longLists(field: String) async throws {
        let store = try await Self.store(
            (0..<3).map { number in
                item(
                    "\(number)",
                    [
                        "d": .double(Double(number) + 0.5),
                        "at": .date(Date(timeIntervalSinceReferenceDate: Double(number))),
                        "b": .bytes(Data("\(number)".utf8)), "n": .int64(Int64(number)), "t": .string("\(number)"),
                    ]
                )
            }
        )
        let count = store.driver.dialect.maximumParameters + 10
        let name = field == "user" ? "creatorUserRecordID" : field
        let values = (1..<count).map { number -> CloudValue in
            switch field {
            case "d": .double(Double(number) + 0.5)
            case "at": .date(Date(timeIntervalSinceReferenceDate: Double(number)))
            case "b": .bytes(Data("\(number)".utf8))
            case "n": .int64(Int64(number))
            case "t": .string("\(number)")
            default: .reference(CloudReference(recordID: CloudRecordID("\(number)")))
            }
        }
        #expect(try await store.matches(.oneOf(field: name, values)) == (field == "user" ? [] : ["1", "2"]))
    }

    @Test("An OR of more prefixes than a statement may have values is one query, and finds what each of them finds")
    func manyPrefixes() async throws {
        let texts = [
            "", "a", "é", "e\u{301}x", "👩‍👩‍👧 family", "日本語", "a\nb", "%_", "'\"\\", "\u{10FFFF}z", "zzz", "𝄞", "A",
        ]
        let fields = texts.map { ["t": CloudValue?.some(.string($0))] } + [["t": nil], [:]]
        let records = fields.enumerated().map { index, fields in item("n\(index)", fields) }
        let store = try await Self.store(records)
        let scalars = texts.flatMap { Array($0.unicodeScalars) }
        func prefix(_ count: Int, of text: String) -> String {
            String(String.UnicodeScalarView(text.unicodeScalars.prefix(count)))
        }
        for left in [Array(texts[0...4]), Array(texts[5...]), Array(texts[1...6])] {
            var nodes = (0..<100).map { number in
                CloudPredicate.Node.beginsWith(field: "t", "\(scalars[number % scalars.count])-\(number)")
            }
            for text in left {
                nodes.append(.beginsWith(field: "t", prefix(2, of: text)))
                for count in 1...4 where text.unicodeScalars.count >= count {
                    nodes += (0..<17).map { _ in .beginsWith(field: "t", prefix(count, of: text)) }
                }
            }
            nodes.append(.beginsWith(field: "t", "a", .caseInsensitive))
            let test = try CompiledPredicate(CloudPredicate(.or(nodes)))
            let expected = records.filter(test.matches).map(\.recordID.recordName)
            #expect(try await store.matches(.or(nodes)) == expected.sorted())
            #expect(try await store.matches(.not(.or(nodes))).count == records.count - expected.count)
            #expect(expected.count > left.count - 2)
        }
        // Each would be two values.
        let many = (0...store.driver.dialect.maximumParameters / 2).map { number in
            CloudPredicate.Node.beginsWith(field: "t", number == 7 ? "zz" : "no \(number)")
        }
        #expect(try await store.matches(.or(many)) == ["n10"])
    }

    @Test("More comparisons than the engine has parameters are refused with their number and the limit")
    func tooManyValues() async throws {
        let store = try await Self.store([item("a", ["n": .int64(1)])])
        let limit = store.driver.dialect.maximumParameters
        let terms = (0..<limit).map { CloudPredicate.Node.compare(field: "n", .less, .int64(Int64($0))) }
        let error = try await error { _ = try await store.matches(.or(terms)) }
        #expect(error.code == .limitExceeded)
        // One more for the size of the page.
        #expect(error.message.contains("\(limit + 1)") && error.message.contains("\(limit)"))
    }

    @Test("Trees run up to the depth that is allowed, on whichever side they are deep")
    func depth() async throws {
        let store = try await Self.store([item("a", ["n": .int64(1)])])
        let isOne = CloudPredicate(.compare(field: "n", .equal, .int64(1)))
        let isNotSeven = CloudPredicate(.compare(field: "n", .notEqual, .int64(7)))
        var right = isOne
        var middle = isOne
        for level in 0..<CloudPredicate.maximumDepth {
            right = level.isMultiple(of: 2) ? isNotSeven || right : isNotSeven && right
            let nodes = [isNotSeven.node, middle.node, isNotSeven.node]
            middle = CloudPredicate(level.isMultiple(of: 2) ? .or(nodes) : .and(nodes))
        }
        // Two deep ones side by side on each level.
        var both = isOne
        var single = isNotSeven
        for level in 0..<CloudPredicate.maximumDepth {
            both = level.isMultiple(of: 2) ? single || both : single && both
            single = level.isMultiple(of: 2) ? isOne || single : isNotSeven && single
        }
        for predicate in [right, middle, both] { #expect(try await store.matches(predicate.node) == ["a"]) }
    }

    @Test("What is too much for the engine's parser is refused as such")
    func tooDeep() async throws {
        let store = try await Self.store([item("a", ["n": .int64(1)])])
        var predicate = CloudPredicate(.compare(field: "n", .equal, .int64(1)))
        for level in 0..<CloudPredicate.maximumDepth {
            let others = (0..<300).map { CloudPredicate.Node.compare(field: "n", .notEqual, .int64(Int64($0 + 2))) }
            predicate = CloudPredicate(
                level.isMultiple(of: 2) ? .or([predicate.node] + others) : .and([predicate.node] + others)
            )
        }
        #expect(try await error { _ = try await store.matches(predicate.node) }.code == .limitExceeded)
    }
}
