import CloudRecords
import Foundation

/// An expression that is a constant.
protocol ValueExpression {
    func value(in walk: PredicateWalk) throws -> Any
}

/// A property with something else in the place of nil.
protocol CoalescingExpression {
    var sides: (optional: Any, fallback: Any) { get }
}

extension CoalescingExpression {
    /// The property, and the constant in the place of nil.
    func parts(in walk: PredicateWalk) throws -> (property: KeyPathField, fallback: Any) {
        guard case .field(let field) = try walk.operand(of: sides.optional),
            let fallback = try walk.constant(of: sides.fallback)
        else { throw walk.unsupported(self) }
        return (field, fallback)
    }
}

extension PredicateExpressions.NilCoalesce: CoalescingExpression {
    var sides: (optional: Any, fallback: Any) { (lhs, rhs) }
}

extension PredicateExpressions.Value: ValueExpression {
    func value(in walk: PredicateWalk) throws -> Any { value }
}

extension PredicateExpressions.NilLiteral: ValueExpression {
    func value(in walk: PredicateWalk) throws -> Any { Output.none as Any }
}

extension PredicateExpressions.ClosedRange: ValueExpression {
    func value(in walk: PredicateWalk) throws -> Any {
        guard let low = try walk.constant(of: lower), let high = try walk.constant(of: upper) else {
            throw walk.unsupported(self)
        }
        return PredicateBounds(low: (.greaterOrEqual, low), high: (.lessOrEqual, high))
    }
}

extension PredicateExpressions.Range: ValueExpression {
    func value(in walk: PredicateWalk) throws -> Any {
        guard let low = try walk.constant(of: lower), let high = try walk.constant(of: upper) else {
            throw walk.unsupported(self)
        }
        return PredicateBounds(low: (.greaterOrEqual, low), high: (.less, high))
    }
}

/// The ends of a range of a type that is not known, as comparisons.
struct PredicateBounds {
    var low: (comparison: CloudPredicate.Comparison, end: Any)?
    var high: (comparison: CloudPredicate.Comparison, end: Any)?

    /// That a field lies between the ends.
    func node(of field: KeyPathField) throws -> CloudPredicate.Node {
        let ends = try [low, high].compactMap(\.self).map { ($0.comparison, try field.value(of: $0.end)) }
        if ends.count == 2, ends[1].0 == .lessOrEqual, let low = ends[0].1, let high = ends[1].1 {
            return .between(field: field.name, low, high)
        }
        let nodes = ends.map { CloudPredicate.Node.compare(field: field.name, $0.0, $0.1) }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }
}

/// A range that is a constant.
protocol RangeConstant {
    var bounds: PredicateBounds { get }
}

extension PredicateBounds: RangeConstant {
    var bounds: PredicateBounds { self }
}

extension ClosedRange: RangeConstant {
    var bounds: PredicateBounds {
        PredicateBounds(low: (.greaterOrEqual, lowerBound), high: (.lessOrEqual, upperBound))
    }
}

extension Range: RangeConstant {
    var bounds: PredicateBounds { PredicateBounds(low: (.greaterOrEqual, lowerBound), high: (.less, upperBound)) }
}

extension PartialRangeFrom: RangeConstant {
    var bounds: PredicateBounds { PredicateBounds(low: (.greaterOrEqual, lowerBound)) }
}

extension PartialRangeUpTo: RangeConstant {
    var bounds: PredicateBounds { PredicateBounds(high: (.less, upperBound)) }
}

extension PartialRangeThrough: RangeConstant {
    var bounds: PredicateBounds { PredicateBounds(high: (.lessOrEqual, upperBound)) }
}
