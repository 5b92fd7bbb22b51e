import CloudRecords

/// A condition on the objects of a class, written with key paths.
///
/// ```swift
/// let popular: ObjectPredicate<Message> = \.from == me && \.likes > 3
/// ```
///
/// Operators can't throw: when a key path leads to no mapped property, or a value can't be kept in its field,
/// the error comes from the query that the predicate is used in.
public struct ObjectPredicate<Root: CloudDataObject>: Sendable, Hashable {
    /// The same condition on the records of the class.
    public let predicate: CloudPredicate

    /// Makes a predicate for one class of one that is written otherwise.
    public init(_ predicate: CloudPredicate) {
        self.predicate = predicate
    }

    /// Matches every object.
    public static var all: ObjectPredicate { ObjectPredicate(.all) }

    /// Matches no object.
    public static var none: ObjectPredicate { ObjectPredicate(CloudPredicate(.nothing)) }

    /// Matches what both predicates match.
    public static func && (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate(left.predicate && right.predicate)
    }

    /// Matches what at least one of the predicates matches.
    public static func || (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate(left.predicate || right.predicate)
    }

    /// Matches what all of the predicates match, see ``CloudPredicate/all(_:)``.
    public static func all(_ predicates: some Sequence<ObjectPredicate>) -> ObjectPredicate {
        ObjectPredicate(.all(predicates.map(\.predicate)))
    }

    /// Matches what at least one of the predicates matches, see ``CloudPredicate/any(_:)``.
    public static func any(_ predicates: some Sequence<ObjectPredicate>) -> ObjectPredicate {
        ObjectPredicate(.any(predicates.map(\.predicate)))
    }

    /// Matches what the predicate does not match.
    public static prefix func ! (predicate: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate(!predicate.predicate)
    }
}

extension CloudPredicate {
    /// Makes a predicate on records of one on the objects of a class.
    public init<Root: CloudDataObject>(_ predicate: ObjectPredicate<Root>) {
        self = predicate.predicate
    }
}

extension ObjectPredicate {
    /// Compares the field that a key path leads to with a value.
    init<Value>(_ keyPath: KeyPath<Root, Value>, _ comparison: CloudPredicate.Comparison, _ value: Any) {
        self.init(keyPath) { field in
            if comparison.isOrder { try KeptOrder.check(Value.self, of: field.name) }
            return .compare(field: field.name, comparison, try field.value(of: value))
        }
    }

    /// Makes a condition on the field that a key path leads to.
    init<Value>(_ keyPath: KeyPath<Root, Value>, node: (KeyPathField) throws -> CloudPredicate.Node) {
        do {
            self.init(CloudPredicate(try node(try MappingPlan.plan(for: Root.self).field(for: keyPath))))
        } catch {
            let error = CloudError(error)
            self.init(CloudPredicate(.malformed(message: error.message, remedy: error.remedy, code: error.code)))
        }
    }
}
