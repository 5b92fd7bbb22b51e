import CloudRecords
import Foundation
import Testing

private enum Priority: String {
    case high, mid
}

private enum Conforming: String, CloudValueConvertible {
    case high, mid
}

private enum Level: Int {
    case low, high
}

/// Named by text, and kept as a number that sorts.
private enum Ranked: String, CloudValueConvertible {
    case low, high

    func toCloudValue() -> CloudValue? { .int64(self == .low ? 0 : 1) }
}

/// Values that are kept as text sort as text: 10 before 9, and `high` before `mid`.
@Suite struct PredicateParserOrderTests {
    private static let literals: [(predicate: CloudPredicate, field: String, type: String)] = {
        let decimal: Decimal = 9
        let optional: Decimal? = 9
        return [
            ("price > \(decimal)", "price", "Decimal"), ("\(decimal) <= price", "price", "Decimal"),
            ("price < \(optional)", "price", "Decimal"), ("ANY prices >= \(decimal)", "prices", "Decimal"),
            ("price BETWEEN {\(decimal), \(optional)}", "price", "Decimal"),
            ("price BETWEEN \([decimal, decimal])", "price", "Decimal"),
            ("a == 1 AND NOT (b == 2 OR prio < \(Priority.mid))", "prio", "Priority"),
            ("prio > \(Optional(Priority.mid))", "prio", "Priority"),
            ("prio >= \(Conforming.mid)", "prio", "Conforming"),
            ("prio BETWEEN \([Priority.high, .mid])", "prio", "Priority"),
            ("prio BETWEEN \([Conforming.high, .mid])", "prio", "Conforming"),
            ("prio BETWEEN {\(Priority.high), \(Priority.mid)}", "prio", "Priority"),
        ]
    }()

    private func expectRefusal(_ error: CloudError, _ field: String, _ type: String) {
        #expect(error.code == .unsupported)
        #expect(error.message == "Field \(field) is kept as text, so a store can't order it as the type \(type) does.")
        #expect(error.remedy.contains("=="))
    }

    @Test(arguments: literals.indices) func `an interpolated value that is kept as text has no order`(number: Int)
        throws
    {
        let (predicate, field, type) = Self.literals[number]
        expectRefusal(try cloudError { try predicate.checkWellFormed() }, field, type)
    }

    @Test func `an argument that is kept as text has no order`() throws {
        let decimal: Decimal = 9
        let formats: [(String, [any CloudValueConvertible])] = [
            ("price > %@", [decimal]), ("%@ >= price", [decimal]), ("price BETWEEN {%@, %@}", [decimal, decimal]),
            ("price BETWEEN %@", [[decimal, decimal]]), ("ALL price < %@", [decimal]),
        ]
        for (format, arguments) in formats {
            let error = try cloudError { _ = try CloudPredicate(format: format, argumentArray: arguments) }
            expectRefusal(error, "price", "Decimal")
            #expect(error.field == "price")
        }
    }

    @Test func `enums among the arguments have no order either`() throws {
        let error = try cloudError { _ = try CloudPredicate(format: "prio < %@", Conforming.mid) }
        expectRefusal(error, "prio", "Conforming")
    }

    @Test func `equality, sets and values that do sort are as before`() throws {
        let decimal: Decimal = 9
        for predicate: CloudPredicate in [
            "price == \(decimal)", "price != \(decimal)", "price IN \([decimal])", "price IN {\(decimal), nil}",
            "prio == \(Priority.mid)", "prio IN \([Priority.mid])", "tags CONTAINS \(Priority.mid)",
            "text BEGINSWITH \(Conforming.high)", "level > \(Level.low)", "level > \(Ranked.low)", "name < \("text")",
            "ANY prices == \(decimal)",
        ] {
            try predicate.checkWellFormed()
        }
        let format = try CloudPredicate(format: "price == %@ AND level > %@", decimal, Ranked.low)
        try format.checkWellFormed()
    }
}
