import Foundation

/// The tests of a field's value, one for each operator. No operator apart from `!=` matches null, or a value of a type
/// that it is not for.
enum ValueTest {
    typealias Test = @Sendable (FieldState) -> Bool

    static func compare(
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?,
        _ options: TextOptions
    ) -> Test {
        switch value {
        case nil:
            switch comparison {
            case .equal: return { $0.value == nil }
            case .notEqual: return { $0.value != nil }
            default: return { _ in false }
            }
        case .int64(let number)?: return { isTrue($0, comparison, number) }
        case .double(let number)?: return { isTrue($0, comparison, number) }
        case .date(let date)?: return { isTrue($0, comparison, date) }
        case .string(let text)? where options.isEmpty: return { isTrue($0, comparison, text) }
        case .string(let text)?:
            let text = TextFolding.folded(text, options)
            return { state in
                guard case .value(.string(let own)) = state else { return comparison == .notEqual }
                return isTrue(.value(.string(TextFolding.folded(own, options))), comparison, text)
            }
        case let value?:
            return { state in
                guard case .value(let own) = state else { return comparison == .notEqual }
                return comparison.holds(.between(own, value))
            }
        }
    }

    // MARK: Comparisons without a closure

    @inline(__always)
    static func isTrue(_ state: FieldState, _ comparison: CloudPredicate.Comparison, _ number: Int64) -> Bool {
        switch state {
        case .value(.int64(let own)): comparison.holds(own, number)
        case .value(.double(let own)): comparison.holds(ValueRelation.between(number, own).reversed)
        default: comparison == .notEqual
        }
    }

    @inline(__always)
    static func isTrue(_ state: FieldState, _ comparison: CloudPredicate.Comparison, _ number: Double) -> Bool {
        switch state {
        case .value(.double(let own)): comparison.holds(own, number)
        case .value(.int64(let own)): comparison.holds(.between(own, number))
        default: comparison == .notEqual
        }
    }

    @inline(__always)
    static func isTrue(_ state: FieldState, _ comparison: CloudPredicate.Comparison, _ date: Date) -> Bool {
        guard case .value(.date(let own)) = state else { return comparison == .notEqual }
        return comparison.holds(own.timeIntervalSinceReferenceDate, date.timeIntervalSinceReferenceDate)
    }

    @inline(__always)
    static func isTrue(_ state: FieldState, _ comparison: CloudPredicate.Comparison, _ text: String) -> Bool {
        guard case .value(.string(let own)) = state else { return comparison == .notEqual }
        switch comparison {
        case .equal: return TextBytes.areEqual(own, text)
        case .notEqual: return !TextBytes.areEqual(own, text)
        default: return comparison.holds(.between(own, text))
        }
    }

    /// Whether the value is one of several; nil among them stands for null.
    static func oneOf(_ values: [CloudValue?]) -> Test {
        let hasNull = values.contains { $0 == nil }
        let constants = ValueSet(values.compactMap(\.self))
        return { state in
            guard case .value(let own) = state else { return hasNull }
            return constants.contains(own)
        }
    }

    /// Whether something holds of the value's text and another text, both folded.
    static func text(
        _ options: TextOptions,
        _ text: String,
        _ holds: @escaping @Sendable (_ own: String, _ text: String) -> Bool
    ) -> Test {
        let text = TextFolding.folded(text, options)
        return { state in
            guard case .value(.string(let own)) = state else { return false }
            return holds(TextFolding.folded(own, options), text)
        }
    }

    static func like(_ pattern: LikePattern) -> Test {
        { state in
            guard case .value(.string(let own)) = state else { return false }
            return pattern.matches(own)
        }
    }

    /// Whether a list has the value as an element, or a text the text as a part.
    static func contains(_ value: CloudValue, _ options: TextOptions) -> Test {
        let isElement = compare(.equal, value, options)
        let isPart: Test? =
            if case .string(let text) = value { self.text(options, text, TextBytes.contains) } else { nil }
        return { state in
            switch state {
            case .value(.list(let elements)): elements.contains { isElement(.value($0)) }
            case .value(.string): isPart?(state) ?? false
            default: false
            }
        }
    }

    static func near(_ place: CloudLocation, _ metres: Double) -> Test {
        { state in
            guard case .value(.location(let location)) = state else { return false }
            return location.distance(to: place) < metres
        }
    }
}

/// Values among which one is looked for, sorted where they can be.
private struct ValueSet: Sendable {
    /// Ascending, of types that have an order and compare with each other.
    private var texts: [CloudValue] = []
    private var numbers: [CloudValue] = []
    private var others: [CloudValue] = []

    init(_ values: [CloudValue]) {
        for value in values {
            switch value {
            case .string: texts.append(value)
            case .int64: numbers.append(value)
            case .double(let number): if !number.isNaN { numbers.append(value) }
            default: others.append(value)
            }
        }
        texts.sort { ValueRelation.between($0, $1) == .less }
        numbers.sort { ValueRelation.between($0, $1) == .less }
    }

    func contains(_ value: CloudValue) -> Bool {
        switch value {
        case .string: contains(value, in: texts)
        case .int64, .double: contains(value, in: numbers)
        default: others.contains { ValueRelation.between($0, value) == .equal }
        }
    }

    private func contains(_ value: CloudValue, in sorted: [CloudValue]) -> Bool {
        var range = 0..<sorted.count
        while !range.isEmpty {
            let middle = (range.lowerBound + range.upperBound) / 2
            switch ValueRelation.between(sorted[middle], value) {
            case .equal: return true
            case .less: range = (middle + 1)..<range.upperBound
            case .greater: range = range.lowerBound..<middle
            case .different: return false
            }
        }
        return false
    }
}
