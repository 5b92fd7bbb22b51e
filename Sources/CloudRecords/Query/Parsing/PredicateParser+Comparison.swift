extension PredicateParser {
    /// Parses two operands with an operator between them.
    mutating func comparison() throws -> CloudPredicate.Node {
        let left = try operand()
        let comparisonOperator = try comparisonOperator()
        return try node(left, comparisonOperator, try operand())
    }

    /// Makes the node of a comparison.
    func node(
        _ left: PredicateOperand,
        _ comparisonOperator: PredicateOperator,
        _ right: PredicateOperand
    ) throws -> CloudPredicate.Node {
        try checkOrder(left, comparisonOperator, right)
        return switch comparisonOperator.kind {
        case .comparison(let comparison): try node(left, comparison, right, comparisonOperator)
        case .keyword(let keyword): try node(left, keyword, right, comparisonOperator)
        }
    }

    /// Throws if values are to be ordered that don't sort as they are kept.
    private func checkOrder(
        _ left: PredicateOperand,
        _ comparisonOperator: PredicateOperator,
        _ right: PredicateOperand
    ) throws {
        guard comparisonOperator.isOrder, let type = left.unsortedType ?? right.unsortedType else { return }
        switch (left.content, right.content) {
        case (.field(let field), _), (_, .field(let field)): throw type.error(orderOf: field)
        default: break
        }
    }

    // MARK: Comparisons by symbol

    private func node(
        _ left: PredicateOperand,
        _ comparison: CloudPredicate.Comparison,
        _ right: PredicateOperand,
        _ comparisonOperator: PredicateOperator
    ) throws -> CloudPredicate.Node {
        let position = comparisonOperator.position
        let options = comparisonOperator.options
        switch (left.content, right.content) {
        case (.field, .field):
            throw source.unsupported("a comparison of two fields", at: position, remedy: oneFieldRemedy)
        case (.field(let field), _):
            return .compare(field: field, comparison, try comparedValue(right, comparison), options)
        case (_, .field(let field)):
            return .compare(field: field, comparison.flipped, try comparedValue(left, comparison), options)
        case (.distance, _) where !options.isEmpty, (_, .distance) where !options.isEmpty:
            throw source.error(at: comparisonOperator.optionsPosition, "expected a number of metres")
        case (.distance(let field, let place), _):
            return .near(field: field, place, metres: try metres(right, comparison, at: position))
        case (_, .distance(let field, let place)):
            return .near(field: field, place, metres: try metres(left, comparison.flipped, at: position))
        case (.itself, _), (.allTokens, _):
            throw expectedTokenSearch(at: position)
        default:
            throw source.error(at: left.position, "expected a field on one side of the comparison")
        }
    }

    private func comparedValue(
        _ operand: PredicateOperand,
        _ comparison: CloudPredicate.Comparison
    ) throws -> CloudValue? {
        switch operand.content {
        case .value(let value):
            return value
        case .list(let elements):
            guard comparison == .equal || comparison == .notEqual else {
                throw source.error(at: operand.position, "expected a single value, since lists have no order")
            }
            return try list(elements, in: operand)
        case .field, .distance, .itself, .allTokens:
            throw source.error(at: operand.position, "expected a value")
        }
    }

    private func metres(
        _ operand: PredicateOperand,
        _ comparison: CloudPredicate.Comparison,
        at position: Int
    ) throws -> Double {
        guard comparison == .less || comparison == .lessOrEqual else {
            throw source.unsupported("a distance compared with \(comparison.rawValue)", at: position)
        }
        let metres =
            switch operand.content {
            case .value(.double(let number)): number
            case .value(.int64(let number)): Double(number)
            default: throw source.error(at: operand.position, "expected a number of metres")
            }
        // What is at most a number is less than the next one. No distance is as large as the last of them.
        return comparison == .lessOrEqual ? min(metres.nextUp, .greatestFiniteMagnitude) : metres
    }

    // MARK: Comparisons by keyword

    private func node(
        _ left: PredicateOperand,
        _ keyword: PredicateKeyword,
        _ right: PredicateOperand,
        _ comparisonOperator: PredicateOperator
    ) throws -> CloudPredicate.Node {
        let options = comparisonOperator.options
        switch (keyword, left.content, right.content) {
        case (_, .field, .field):
            throw source.unsupported(
                "a comparison of two fields",
                at: comparisonOperator.position,
                remedy: oneFieldRemedy
            )
        case (.contains, .itself, .value(.string(let words))):
            return .tokens(words)
        case (.tokenMatches, .allTokens, .value(.string(let words))):
            return .tokens(words)
        case (.contains, .itself, _), (.tokenMatches, .allTokens, _):
            throw source.error(at: right.position, "expected the words to search for, as text")
        case (.tokenMatches, _, _), (_, .itself, _), (_, .allTokens, _):
            throw expectedTokenSearch(at: left.position)
        case (.in, .value(let value), .field(let field)):
            return .contains(field: field, try nonNil(value, in: left))
        case (.contains, .list, .field) where !options.isEmpty:
            throw unsupportedModifiers(at: comparisonOperator.optionsPosition)
        case (.contains, .list(let elements), .field(let field)):
            return .oneOf(field: field, elements)
        case (_, .field(let field), _):
            return try node(field: field, keyword, right, options)
        case (.in, .list, .field):
            throw source.error(at: left.position, "expected a single value to look for in the list")
        default:
            throw source.error(at: left.position, "expected a field before \(keyword.rawValue)")
        }
    }

    private func node(
        field: String,
        _ keyword: PredicateKeyword,
        _ right: PredicateOperand,
        _ options: TextOptions
    ) throws -> CloudPredicate.Node {
        switch (keyword, right.content) {
        case (.in, .list(let elements)):
            return .oneOf(field: field, elements)
        case (.in, _):
            throw source.error(at: right.position, "expected a list such as {1, 2} after IN")
        case (.between, .list(let elements)) where elements.count == 2:
            return .between(field: field, try nonNil(elements[0], in: right), try nonNil(elements[1], in: right))
        case (.between, _):
            throw source.error(at: right.position, "expected a list of two values, {low, high}, after BETWEEN")
        case (.beginsWith, .value(.string(let text))):
            return .beginsWith(field: field, text, options)
        case (.endsWith, .value(.string(let text))):
            return .endsWith(field: field, text, options)
        case (.like, .value(.string(let pattern))):
            return .like(field: field, pattern, options)
        case (.beginsWith, _), (.endsWith, _), (.like, _):
            throw source.error(at: right.position, "expected text after \(keyword.rawValue)")
        case (.contains, .value(let value)):
            return .contains(field: field, try nonNil(value, in: right), options)
        default:
            throw source.error(at: right.position, "expected a single value after \(keyword.rawValue)")
        }
    }

    // MARK: Errors

    /// A list that a field can hold.
    func list(_ elements: [CloudValue?], in operand: PredicateOperand) throws -> CloudValue {
        let list = CloudValue.list(try elements.map { try nonNil($0, in: operand) })
        if let violation = ValueRule.violation(of: list) {
            throw source.error(at: operand.position, "the value \(violation.reason)", remedy: violation.remedy)
        }
        return list
    }

    func nonNil(_ value: CloudValue?, in operand: PredicateOperand) throws -> CloudValue {
        guard let value else {
            throw source.error(
                at: operand.position,
                "expected a value other than nil",
                remedy: "Compare with nil by == or !=."
            )
        }
        return value
    }

    private func expectedTokenSearch(at position: Int) -> CloudError {
        source.error(
            at: position,
            "expected self CONTAINS 'words' or allTokens TOKENMATCHES[cdl] 'words'",
            remedy: "self and allTokens stand for the words of a record and can only be searched."
        )
    }

    private var oneFieldRemedy: String {
        "Compare a field with a value; text stands in quotes."
    }
}

extension CloudPredicate.Comparison {
    /// The comparison that means the same with its sides exchanged.
    fileprivate var flipped: CloudPredicate.Comparison {
        switch self {
        case .equal: .equal
        case .notEqual: .notEqual
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }
}
