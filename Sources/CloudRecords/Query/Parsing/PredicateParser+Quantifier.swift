extension PredicateParser {
    /// Parses a comparison of a list's elements, with the token at the quantifier.
    ///
    /// A list of values may stand on the left side instead of the field: `ANY {1, 2} == likes` is `likes IN {1, 2}`.
    mutating func quantifiedComparison(
        _ keyword: PredicateKeyword,
        _ quantifier: CloudPredicate.Quantifier
    ) throws -> CloudPredicate.Node {
        let start = token
        try advance()
        let expectation = "a list field after \(keyword.rawValue)"
        let left = try operand(expectation)
        let listOperator = try comparisonOperator()
        let right = try operand()
        switch left.content {
        case .field(let field):
            if case .comparison = listOperator.kind, case .list = right.content {
                throw source.error(
                    at: right.position,
                    "expected a single value, since the elements of a list are no lists"
                )
            }
            return .quantified(quantifier, field: field, try node(left, listOperator, right))
        case .list(let elements):
            return try node(quantifier, elements, of: left, listOperator, right, at: start.position)
        case .distance(let field, _):
            return .quantified(quantifier, field: field, try node(left, listOperator, right))
        case .value, .itself, .allTokens:
            throw source.error(at: left.position, "expected \(expectation)")
        }
    }

    /// Makes the node of a quantifier over values, for the forms that have an equivalent without one.
    private func node(
        _ quantifier: CloudPredicate.Quantifier,
        _ elements: [CloudValue?],
        of left: PredicateOperand,
        _ valuesOperator: PredicateOperator,
        _ right: PredicateOperand,
        at position: Int
    ) throws -> CloudPredicate.Node {
        guard case .field(let field) = right.content else {
            throw source.error(at: right.position, "expected a field, since values stand on the other side")
        }
        guard valuesOperator.options.isEmpty else { throw unsupportedModifiers(at: valuesOperator.optionsPosition) }
        switch (quantifier, valuesOperator.kind) {
        case (.any, .comparison(.equal)):
            return .oneOf(field: field, elements)
        case (.none, .comparison(.equal)), (.all, .comparison(.notEqual)):
            return .not(.oneOf(field: field, elements))
        case (.any, .keyword(.in)), (.none, .keyword(.in)):
            let values = try elements.map { try nonNil($0, in: left) }
            return .quantified(quantifier, field: field, .oneOf(field: field, values))
        case (.all, .keyword(.in)):
            let nodes = try elements.map { element in
                let value = try nonNil(element, in: left)
                guard value.listValue == nil else {
                    throw source.error(at: left.position, "expected no lists in the list before IN")
                }
                return CloudPredicate.Node.contains(field: field, value)
            }
            return nodes.isEmpty ? .everything : nodes.count == 1 ? nodes[0] : .and(nodes)
        default:
            throw source.unsupported(
                "\(quantifier.rawValue) over values with \(valuesOperator.name)",
                at: position,
                remedy: "Write the comparisons one by one, with AND or OR between them."
            )
        }
    }
}
