import CloudRecords
import Foundation

/// Where an expression leads, from the object on.
struct PredicatePath {
    /// Nil for the object itself.
    let keyPath: AnyKeyPath?
    /// Whether it goes on from an optional property that was unwrapped.
    let isChained: Bool
}

/// An expression that is the object or one of its properties.
protocol PathExpression {
    func path(in walk: PredicateWalk) throws -> PredicatePath

    /// The text of which the expression is `isEmpty`.
    var textTestedForEmptiness: Any? { get }

    /// What the expression goes on from; nil for the object itself.
    var start: Any? { get }
}

extension PathExpression {
    var textTestedForEmptiness: Any? { nil }
    var start: Any? { nil }
}

extension PredicateWalk {
    /// The field of a property. Of a property of what a field holds, the error names the field.
    func field(for path: AnyKeyPath, of expression: any PathExpression) throws -> KeyPathField {
        do {
            return try plan.field(for: path, of: rootType)
        } catch {
            guard let start = expression.start as? any PathExpression, let outer = try start.path(in: self).keyPath,
                let field = try? plan.field(for: outer, of: rootType)
            else { throw error }
            guard !field.isJSON else { throw field.onlyTestedForNil }
            throw CloudError(
                .unsupported,
                "A #Predicate can't look for a part or property of field \(field.name) that is not kept in a field of its own.",
                remedy: field.remedyForParts,
                field: field.name
            )
        }
    }
}

/// An expression of optional chaining.
protocol ChainingExpression: PathExpression {
    /// The condition that it is; nil if it is a property.
    func condition(in walk: PredicateWalk) throws -> PredicateWalk.Condition?
}

extension PredicateExpressions.Variable: PathExpression {
    func path(in walk: PredicateWalk) throws -> PredicatePath {
        let keyPath = walk.property(of: key)
        return PredicatePath(keyPath: keyPath, isChained: keyPath != nil)
    }
}

extension PredicateExpressions.KeyPath: PathExpression {
    func path(in walk: PredicateWalk) throws -> PredicatePath {
        guard let start = root as? any PathExpression else { throw walk.unsupported(self) }
        let path = try start.path(in: walk)
        guard let outer = path.keyPath else { return PredicatePath(keyPath: keyPath, isChained: false) }
        guard let whole = outer.appending(path: path.isChained ? chaining(keyPath) : keyPath) else {
            throw walk.unsupported(self)
        }
        return PredicatePath(keyPath: whole, isChained: path.isChained)
    }

    var start: Any? { root }

    var textTestedForEmptiness: Any? {
        keyPath as AnyKeyPath == \String.isEmpty ? root : nil
    }
}

extension PredicateExpressions.OptionalFlatMap: ChainingExpression {
    var start: Any? { wrapped }

    func path(in walk: PredicateWalk) throws -> PredicatePath {
        let (inner, _) = try unwrapped(in: walk)
        guard let transform = transform as? any PathExpression else { throw walk.unsupported(self) }
        return try transform.path(in: inner)
    }

    func condition(in walk: PredicateWalk) throws -> PredicateWalk.Condition? {
        let (inner, path) = try unwrapped(in: walk)
        guard let condition = try inner.condition(of: transform) else { return nil }
        let property = try walk.plan.field(for: path, of: walk.rootType)
        let isNil = property.isNil
        return PredicateWalk.Condition(
            holds: condition.holds.neverMatchesNull(of: property.name)
                ? condition.holds : .and([.not(isNil), condition.holds]),
            isNil: condition.isNil.map { .or([isNil, $0]) } ?? isNil
        )
    }

    private func unwrapped(in walk: PredicateWalk) throws -> (PredicateWalk, AnyKeyPath) {
        guard let wrapped = wrapped as? any PathExpression, let path = try wrapped.path(in: walk).keyPath else {
            throw walk.unsupported(self)
        }
        return (walk.unwrapping(path, as: variable.key), path)
    }
}

// MARK: Key paths of optional chaining

/// The key path of `?.` and a property; nil in nil is nil once.
private func chaining<Base, Value>(_ keyPath: KeyPath<Base, Value>) -> AnyKeyPath {
    if let type = Value.self as? any ChainedOptional.Type, let chained = type.chaining(keyPath) { return chained }
    return \Base?.[through: keyPath]
}

private protocol ChainedOptional {
    static func chaining<Base>(_ keyPath: PartialKeyPath<Base>) -> AnyKeyPath?
}

extension Optional: ChainedOptional {
    fileprivate static func chaining<Base>(_ keyPath: PartialKeyPath<Base>) -> AnyKeyPath? {
        (keyPath as? KeyPath<Base, Wrapped?>).map { \Base?.[throughOptional: $0] }
    }

    fileprivate subscript<Value>(through keyPath: KeyPath<Wrapped, Value>) -> Value? {
        map { $0[keyPath: keyPath] }
    }

    fileprivate subscript<Value>(throughOptional keyPath: KeyPath<Wrapped, Value?>) -> Value? {
        flatMap { $0[keyPath: keyPath] }
    }
}
