import CloudRecords
import Foundation

/// An expression that is a condition.
protocol ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node
}

// MARK: Connectives

extension PredicateExpressions.Conjunction: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        // A chain is one node, as it is with key paths.
        (CloudPredicate(try walk.node(of: lhs)) && CloudPredicate(try walk.node(of: rhs))).node
    }
}

extension PredicateExpressions.Disjunction: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        (CloudPredicate(try walk.node(of: lhs)) || CloudPredicate(try walk.node(of: rhs))).node
    }
}

extension PredicateExpressions.Negation: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        .not(try walk.node(of: wrapped))
    }
}

extension PredicateExpressions.Conditional: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        guard Output.self == Bool.self else { throw walk.unsupported(self) }
        let test = try walk.node(of: test)
        return .or([.and([test, try walk.node(of: trueBranch)]), .and([.not(test), try walk.node(of: falseBranch)])])
    }
}

// MARK: Comparisons

extension PredicateExpressions.Equal: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: lhs, rhs) { return constant }
        return try walk.compare(lhs, .equal, rhs, flipped: .equal, of: LHS.Output.self)
    }
}

extension PredicateExpressions.NotEqual: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: lhs, rhs) { return constant }
        return try walk.compare(lhs, .notEqual, rhs, flipped: .notEqual, of: LHS.Output.self)
    }
}

extension PredicateExpressions.Comparison: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: lhs, rhs) { return constant }
        let (comparison, flipped): (CloudPredicate.Comparison, CloudPredicate.Comparison)
        switch op {
        case .lessThan: (comparison, flipped) = (.less, .greater)
        case .lessThanOrEqual: (comparison, flipped) = (.lessOrEqual, .greaterOrEqual)
        case .greaterThan: (comparison, flipped) = (.greater, .less)
        case .greaterThanOrEqual: (comparison, flipped) = (.greaterOrEqual, .lessOrEqual)
        @unknown default: throw walk.unsupported(self)
        }
        return try walk.compare(lhs, comparison, rhs, flipped: flipped, of: LHS.Output.self)
    }
}

extension PredicateExpressions.RangeExpressionContains: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        guard let range = try walk.constant(of: self.range) as? any RangeConstant else { throw walk.unsupported(self) }
        return try walk.test(element) { field in
            try KeptOrder.check(Element.Output.self, of: field.name)
            return try range.bounds.node(of: field)
        }
    }
}

// MARK: Membership and prefixes

extension PredicateExpressions.SequenceContains: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: element, sequence) { return constant }
        if let values = try walk.constant(of: sequence) {
            guard let values = values as? any Sequence else { throw walk.unsupported(self) }
            return try walk.test(element) { field in
                .oneOf(field: field.name, try values.map { try field.value(of: $0) })
            }
        }
        guard let element = try walk.constant(of: element) as? LHS.Output.Element else { throw walk.unsupported(self) }
        return try walk.test(sequence) { field in
            // The element alone has no codec; as the only one of a list it has the field's.
            if LHS.Output.self != [LHS.Output.Element].self, let hashable = element as? any Hashable {
                return try field.containing(set(of: hashable))
            }
            return try field.containing([element])
        }
    }
}

private func set<Element: Hashable>(of element: Element) -> Any {
    Set([element])
}

extension PredicateExpressions.CollectionContainsCollection: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: base, other) { return constant }
        guard let text = try walk.constant(of: other) as? String else { throw walk.unsupported(self) }
        return try walk.test(base) { .contains(field: $0.name, .string(text)) }
    }
}

extension PredicateExpressions.SequenceStartsWith: ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        if let constant = try walk.node(folding: self, of: base, prefix) { return constant }
        guard let text = try walk.constant(of: prefix) as? String else { throw walk.unsupported(self) }
        return try walk.test(base) { .beginsWith(field: $0.name, text) }
    }
}
