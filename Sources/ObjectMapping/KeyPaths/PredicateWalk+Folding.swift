import CloudRecords
import Foundation

/// Arithmetic, which is checked before it is done: an overflow would end the process.
protocol CheckedExpression {
    /// Whether the result fits into its type, if the operands are constants.
    func fits(in walk: PredicateWalk) throws -> Bool
}

extension PredicateWalk {
    /// The value of an expression that does not depend on the object; nil if it does.
    func constant(of expression: Any) throws -> Any? {
        if let expression = expression as? any ValueExpression { return try expression.value(in: self) }
        guard let expression = expression as? any PredicateExpression else { return nil }
        if let checked = expression as? any CheckedExpression, try !checked.fits(in: self) {
            throw CloudError(
                .invalidArguments,
                "A #Predicate calculates a value that does not fit into its type.",
                remedy: "Calculate the value before the predicate, in a type that holds it."
            )
        }
        return evaluate(expression)
    }

    /// The condition that an expression is whose operands are all constants; nil if one is none.
    func node(folding expression: any PredicateExpression, of operands: Any...) throws -> CloudPredicate.Node? {
        for operand in operands {
            guard try constant(of: operand) != nil else { return nil }
        }
        return (evaluate(expression) as? Bool).map { $0 ? .everything : .nothing }
    }

    /// Evaluates an expression without an object; what needs one throws.
    private func evaluate<Expression: PredicateExpression>(_ expression: Expression) -> Any? {
        guard let value = try? expression.evaluate(PredicateBindings()) as Any else { return nil }
        return .some(value)
    }
}

extension PredicateExpressions.UnaryMinus: CheckedExpression {
    func fits(in walk: PredicateWalk) throws -> Bool {
        guard let value = try walk.constant(of: wrapped) as? any FixedWidthInteger else { return true }
        return value.negationFits
    }
}

extension PredicateExpressions.Arithmetic: CheckedExpression {
    func fits(in walk: PredicateWalk) throws -> Bool {
        let (left, right) = (try walk.constant(of: lhs), try walk.constant(of: rhs))
        guard let left = left as? any FixedWidthInteger, let right else { return true }
        switch op {
        case .add: return left.additionFits(right)
        case .subtract: return left.subtractionFits(right)
        case .multiply: return left.multiplicationFits(right)
        @unknown default: return true
        }
    }
}

extension PredicateExpressions.IntDivision: CheckedExpression {
    func fits(in walk: PredicateWalk) throws -> Bool {
        let (left, right) = (try walk.constant(of: lhs), try walk.constant(of: rhs))
        guard let left = left as? any FixedWidthInteger, let right else { return true }
        return left.divisionFits(right)
    }
}

extension PredicateExpressions.IntRemainder: CheckedExpression {
    func fits(in walk: PredicateWalk) throws -> Bool {
        let (left, right) = (try walk.constant(of: lhs), try walk.constant(of: rhs))
        guard let left = left as? any FixedWidthInteger, let right else { return true }
        return left.divisionFits(right)
    }
}

extension FixedWidthInteger {
    fileprivate var negationFits: Bool { !Self.zero.subtractingReportingOverflow(self).overflow }

    fileprivate func additionFits(_ other: Any) -> Bool {
        (other as? Self).map { !addingReportingOverflow($0).overflow } ?? true
    }

    fileprivate func subtractionFits(_ other: Any) -> Bool {
        (other as? Self).map { !subtractingReportingOverflow($0).overflow } ?? true
    }

    fileprivate func multiplicationFits(_ other: Any) -> Bool {
        (other as? Self).map { !multipliedReportingOverflow(by: $0).overflow } ?? true
    }

    /// False for zero too.
    fileprivate func divisionFits(_ other: Any) -> Bool {
        (other as? Self).map { !dividedReportingOverflow(by: $0).overflow } ?? true
    }
}
