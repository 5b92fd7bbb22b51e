import Foundation

/// Tests that all have to hold of a record.
struct Conjunction: Sendable {
    /// The most frequent ones, which are values and need no closures; they come first.
    var comparisons: [DirectComparison] = []
    var others: [PredicateCompiler.RecordTest] = []

    @inline(__always)
    func holds(
        _ record: CloudRecord,
        _ fields: FieldPositions.NumberedFields,
        _ element: FieldState
    ) -> Bool {
        for comparison in comparisons where !comparison.holds(fields) { return false }
        for test in others where !test(record, fields, element) { return false }
        return true
    }
}

/// The comparison of a field with a number, a date or exact text.
struct DirectComparison: Sendable {
    private enum Constant: Sendable {
        case int64(Int64)
        case double(Double)
        case date(Date)
        case text(String)
    }

    private let number: Int
    private let comparison: CloudPredicate.Comparison
    private let constant: Constant

    /// Fails for another value.
    init?(number: Int, _ comparison: CloudPredicate.Comparison, _ value: CloudValue) {
        switch value {
        case .int64(let value): constant = .int64(value)
        case .double(let value): constant = .double(value)
        case .date(let value): constant = .date(value)
        case .string(let value): constant = .text(value)
        default: return nil
        }
        self.number = number
        self.comparison = comparison
    }

    @inline(__always)
    func holds(_ fields: FieldPositions.NumberedFields) -> Bool {
        // What is absent differs from every value, and has no order.
        guard let position = fields.position(of: number) else { return comparison == .notEqual }
        return switch constant {
        case .int64(let value): ValueTest.isTrue(fields.states[position], comparison, value)
        case .double(let value): ValueTest.isTrue(fields.states[position], comparison, value)
        case .date(let value): ValueTest.isTrue(fields.states[position], comparison, value)
        case .text(let value): ValueTest.isTrue(fields.states[position], comparison, value)
        }
    }
}
