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
    /// compare properties with values, and use `&&`, `||`, `!`, `? :`, `contains`, `starts(with:)`, ranges, `isEmpty` of
    /// text, `== nil`, optional chaining, and `??` with a constant. What does not
    /// depend on the object is calculated once.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` naming the expression or field that can't be looked for,
    ///   ``CloudError/Code/invalidArguments`` for a property that is not kept in a field, and for a calculated value that
    ///   does not fit into its type.
    public init(_ predicate: Predicate<Root>) throws {
        let walk = PredicateWalk(rootType: Root.self, plan: try MappingPlan.plan(for: Root.self))
        self.init(CloudPredicate(try walk.node(of: predicate.expression)))
    }
}
