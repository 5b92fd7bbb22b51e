import CloudRecords
import Foundation

extension ObjectPredicate {
    /// Makes a predicate of Foundation's `#Predicate`.
    ///
    /// ```swift
    /// let popular = try ObjectPredicate(#Predicate<Message> { $0.from == me && ($0.likes ?? 0) > 3 })
    /// ```
    ///
    /// The expression is walked and not evaluated, so that the store can look for the objects with an index. It may
    /// compare properties with values, and use `&&`, `||`, `!`, `contains`, `starts(with:)`, ranges, `== nil`, and
    /// `??` beside a comparison.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` naming the expression that can't be looked for,
    ///   ``CloudError/Code/invalidArguments`` for a property that is not kept in a field.
    public init(_ predicate: Predicate<Root>) throws {
        let context = PredicateWalk(rootType: Root.self, plan: try MappingPlan.plan(for: Root.self))
        self.init(CloudPredicate(try context.node(of: predicate.expression)))
    }
}

/// Walks the expression of a Foundation predicate.
private struct PredicateWalk {
    let rootType: CloudDataObject.Type
    let plan: MappingPlan

    /// The condition that a Bool expression is.
    func node(of expression: Any) throws -> CloudPredicate.Node {
        if let expression = expression as? any ConditionExpression { return try expression.node(in: self) }
        // A property of type Bool stands for itself, and a value too.
        if let operand = expression as? any OperandExpression {
            switch try operand.operand(in: self) {
            case .field(let field): return .compare(field: field.name, .equal, try field.value(of: true))
            case .value(let value as Bool): return value ? .everything : .nothing
            case .value, .root: break
            }
        }
        throw unsupported(expression)
    }

    func operand(of expression: Any) throws -> PredicateOperandValue {
        guard let expression = expression as? any OperandExpression else { throw unsupported(expression) }
        return try expression.operand(in: self)
    }

    /// A comparison of a property with a value, whichever stands on the left.
    ///
    /// - Parameter holds: Compares two values; nil if they are not of the types that are compared.
    func compare(
        _ left: Any,
        _ comparison: CloudPredicate.Comparison,
        _ right: Any,
        flipped: CloudPredicate.Comparison,
        holds: (Any, Any) -> Bool?
    ) throws -> CloudPredicate.Node {
        if let coalesced = left as? any CoalescingExpression {
            let (property, fallback) = try coalesced.parts(in: self)
            return try coalesce(property, comparison, right) { holds(fallback, $0) }
        }
        if let coalesced = right as? any CoalescingExpression {
            let (property, fallback) = try coalesced.parts(in: self)
            return try coalesce(property, flipped, left) { holds($0, fallback) }
        }
        switch (try operand(of: left), try operand(of: right)) {
        case (.field(let field), .value(let value)):
            return .compare(field: field.name, comparison, try field.value(of: value))
        case (.value(let value), .field(let field)):
            return .compare(field: field.name, flipped, try field.value(of: value))
        default:
            throw CloudError(
                .unsupported,
                "A predicate can't compare two properties or two values with each other.",
                remedy: "Compare one property with one value."
            )
        }
    }

    /// A comparison of a property that has a value for nil: nil meets it if that value does.
    private func coalesce(
        _ property: KeyPathField,
        _ comparison: CloudPredicate.Comparison,
        _ other: Any,
        fallbackHolds: (Any) -> Bool?
    ) throws -> CloudPredicate.Node {
        guard case .value(let value) = try operand(of: other), let holds = fallbackHolds(value) else {
            throw unsupported(other)
        }
        let isNil = CloudPredicate.Node.compare(field: property.name, .equal, nil)
        let isMet = CloudPredicate.Node.compare(field: property.name, comparison, try property.value(of: value))
        return holds ? .or([isNil, isMet]) : .and([.not(isNil), isMet])
    }

    func unsupported(_ expression: Any) -> CloudError {
        let name = String(describing: type(of: expression)).prefix { $0 != "<" }
        return CloudError(
            .unsupported,
            "The expression \(name) of a #Predicate can't be looked for in a store.",
            remedy: "Compare properties with values, or filter the results yourself."
        )
    }
}

/// What stands on one side of a comparison.
private enum PredicateOperandValue {
    /// The object itself.
    case root
    case field(KeyPathField)
    case value(Any)
}

/// An expression that is a condition.
private protocol ConditionExpression {
    func node(in walk: PredicateWalk) throws -> CloudPredicate.Node
}

/// An expression that is a property or a value.
private protocol OperandExpression {
    func operand(in walk: PredicateWalk) throws -> PredicateOperandValue
}

/// A property with a value for nil.
private protocol CoalescingExpression {
    func parts(in walk: PredicateWalk) throws -> (property: KeyPathField, fallback: Any)
}

// MARK: Connectives

extension PredicateExpressions.Conjunction: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        .and([try walk.node(of: lhs), try walk.node(of: rhs)])
    }
}

extension PredicateExpressions.Disjunction: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        .or([try walk.node(of: lhs), try walk.node(of: rhs)])
    }
}

extension PredicateExpressions.Negation: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        .not(try walk.node(of: wrapped))
    }
}

// MARK: Comparisons

extension PredicateExpressions.Equal: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        try walk.compare(lhs, .equal, rhs, flipped: .equal) { left, right in
            guard let left = left as? LHS.Output, let right = right as? RHS.Output else { return nil }
            return left == right
        }
    }
}

extension PredicateExpressions.NotEqual: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        try walk.compare(lhs, .notEqual, rhs, flipped: .notEqual) { left, right in
            guard let left = left as? LHS.Output, let right = right as? RHS.Output else { return nil }
            return left != right
        }
    }
}

extension PredicateExpressions.Comparison: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        func compare(
            _ comparison: CloudPredicate.Comparison,
            flipped: CloudPredicate.Comparison,
            _ isMet: (LHS.Output, RHS.Output) -> Bool
        ) throws -> CloudPredicate.Node {
            try walk.compare(lhs, comparison, rhs, flipped: flipped) { left, right in
                guard let left = left as? LHS.Output, let right = right as? RHS.Output else { return nil }
                return isMet(left, right)
            }
        }
        switch op {
        case .lessThan: return try compare(.less, flipped: .greater, <)
        case .lessThanOrEqual: return try compare(.lessOrEqual, flipped: .greaterOrEqual, <=)
        case .greaterThan: return try compare(.greater, flipped: .less, >)
        case .greaterThanOrEqual: return try compare(.greaterOrEqual, flipped: .lessOrEqual, >=)
        @unknown default: throw walk.unsupported(self)
        }
    }
}

extension PredicateExpressions.NilCoalesce: CoalescingExpression {
    fileprivate func parts(in walk: PredicateWalk) throws -> (property: KeyPathField, fallback: Any) {
        guard case .field(let field) = try walk.operand(of: lhs), case .value(let value) = try walk.operand(of: rhs)
        else { throw walk.unsupported(self) }
        return (field, value)
    }
}

extension PredicateExpressions.ClosedRange: OperandExpression {
    fileprivate func operand(in walk: PredicateWalk) throws -> PredicateOperandValue {
        guard case .value(let low) = try walk.operand(of: lower), case .value(let high) = try walk.operand(of: upper)
        else { throw walk.unsupported(self) }
        return .value(PredicateRange(low: low, high: high))
    }
}

/// The ends of a closed range of a type that is not known.
private struct PredicateRange {
    let low: Any
    let high: Any
}

extension PredicateExpressions.RangeExpressionContains: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        guard case .value(let range) = try walk.operand(of: self.range),
            case .field(let field) = try walk.operand(of: element)
        else { throw walk.unsupported(self) }
        let ends: (Any, Any)
        switch range {
        case let range as PredicateRange: ends = (range.low, range.high)
        case let range as any ClosedRangeValue: ends = range.ends
        default: throw walk.unsupported(self)
        }
        guard let low = try field.value(of: ends.0), let high = try field.value(of: ends.1) else { return .nothing }
        return .between(field: field.name, low, high)
    }
}

private protocol ClosedRangeValue {
    var ends: (Any, Any) { get }
}

extension ClosedRange: ClosedRangeValue {
    fileprivate var ends: (Any, Any) { (lowerBound, upperBound) }
}

// MARK: Membership and prefixes

extension PredicateExpressions.SequenceContains: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        switch (try walk.operand(of: sequence), try walk.operand(of: element)) {
        case (.field(let field), .value(let value)):
            // The element alone has no codec; as the only one of a list it has the field's.
            guard let element = value as? LHS.Output.Element else { throw walk.unsupported(self) }
            if LHS.Output.self != [LHS.Output.Element].self, let hashable = element as? any Hashable {
                return try field.containing(set(of: hashable))
            }
            return try field.containing([element])
        case (.value(let values), .field(let field)):
            guard let values = values as? any Sequence else { throw walk.unsupported(self) }
            return .oneOf(field: field.name, try values.map { try field.value(of: $0) })
        default:
            throw walk.unsupported(self)
        }
    }
}

private func set<Element: Hashable>(of element: Element) -> Any {
    Set([element])
}

extension PredicateExpressions.CollectionContainsCollection: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        guard case .field(let field) = try walk.operand(of: base),
            case .value(let text as String) = try walk.operand(of: other)
        else { throw walk.unsupported(self) }
        return .contains(field: field.name, .string(text))
    }
}

extension PredicateExpressions.SequenceStartsWith: ConditionExpression {
    fileprivate func node(in walk: PredicateWalk) throws -> CloudPredicate.Node {
        guard case .field(let field) = try walk.operand(of: base),
            case .value(let text as String) = try walk.operand(of: prefix)
        else { throw walk.unsupported(self) }
        return .beginsWith(field: field.name, text)
    }
}

// MARK: Operands

extension PredicateExpressions.Variable: OperandExpression {
    fileprivate func operand(in walk: PredicateWalk) throws -> PredicateOperandValue { .root }
}

extension PredicateExpressions.Value: OperandExpression {
    fileprivate func operand(in walk: PredicateWalk) throws -> PredicateOperandValue { .value(value) }
}

extension PredicateExpressions.NilLiteral: OperandExpression {
    fileprivate func operand(in walk: PredicateWalk) throws -> PredicateOperandValue {
        .value(Output.none as Any)
    }
}

extension PredicateExpressions.KeyPath: OperandExpression {
    fileprivate func operand(in walk: PredicateWalk) throws -> PredicateOperandValue {
        let path = try fullPath(in: walk)
        return .field(try walk.plan.field(for: path, of: walk.rootType))
    }
}

/// A key path that starts at the object, perhaps through others.
private protocol KeyPathExpression {
    func fullPath(in walk: PredicateWalk) throws -> AnyKeyPath
}

extension PredicateExpressions.KeyPath: KeyPathExpression {
    fileprivate func fullPath(in walk: PredicateWalk) throws -> AnyKeyPath {
        guard let outer = root as? any KeyPathExpression else {
            guard case .root = try walk.operand(of: root) else { throw walk.unsupported(self) }
            return keyPath
        }
        guard let path = try outer.fullPath(in: walk).appending(path: keyPath) else { throw walk.unsupported(self) }
        return path
    }
}
