import CloudRecords
import Testing

/// Predicates with tens of thousands of terms: what takes a time that grows with the square of them would not end.
@Suite struct LongPredicateTests {
    private static let count = 40_000

    @Test(arguments: ["OR", "AND"]) func `a chain is parsed, printed, checked and evaluated`(connective: String) throws
    {
        // Each term has a field of its own, and a value.
        let format = (0..<Self.count).map { "f\($0) == \($0)" }.joined(separator: " \(connective) ")
        let predicate = try CloudPredicate(format: format)
        #expect(predicate.description == format)
        try predicate.checkWellFormed()
        let check = QueryCheck(subject: "a test") { _ in .typed(.int64) }
        try check.check(CloudQuery(recordType: "T", predicate: predicate))
        var record = CloudRecord(recordType: "T")
        record["f\(Self.count - 1)"] = .int64(Int64(Self.count - 1))
        #expect(try CompiledPredicate(predicate).matches(record) == (connective == "OR"))
    }

    @Test func `a literal binds as many values`() throws {
        var interpolation = CloudPredicate.StringInterpolation(literalCapacity: 0, interpolationCount: Self.count)
        for number in 0..<Self.count {
            interpolation.appendLiteral(number == 0 ? "a == " : " OR a == ")
            interpolation.appendInterpolation(number)
        }
        let terms = (0..<Self.count).map { CloudPredicate(.compare(field: "a", .equal, .int64(Int64($0)))) }
        #expect(CloudPredicate(stringInterpolation: interpolation) == .any(terms))
    }

    @Test func `any and all equal the chains of operators`() throws {
        let terms: [CloudPredicate] = ["a == 1", "b == 2", "c == 3 AND d == 4", "e == 5 OR f == 6", "NOT g == 7"]
        #expect(CloudPredicate.any(terms) == (terms[0] || terms[1] || terms[2] || terms[3] || terms[4]))
        #expect(CloudPredicate.all(terms) == (terms[0] && terms[1] && terms[2] && terms[3] && terms[4]))
        #expect(CloudPredicate.any([]) == .none && CloudPredicate.all([]) == .all)
        #expect(CloudPredicate.any(terms.prefix(1)) == terms[0] && CloudPredicate.all(terms.prefix(1)) == terms[0])
        #expect(CloudPredicate.any(terms.lazy.map { !$0 }).description.hasPrefix("(NOT a == 1) OR"))
    }

    @Test func `any and all are one level, and what is too deep throws when it is used`() throws {
        var deepest: CloudPredicate = "a == 1"
        for _ in 0..<49 { deepest = !deepest }
        try CloudPredicate.any([deepest, "b == 2"]).checkWellFormed()
        try CloudPredicate.any([.any([deepest, "b == 2"]), "c == 3"]).checkWellFormed()
        let tooDeep = CloudPredicate.all([.any([deepest, "b == 2"]), "c == 3"])
        #expect(throws: CloudError.self) { try tooDeep.checkWellFormed() }
    }
}
