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

    /// Matches what both predicates match.
    public static func && (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate(left.predicate && right.predicate)
    }

    /// Matches what at least one of the predicates matches.
    public static func || (left: ObjectPredicate, right: ObjectPredicate) -> ObjectPredicate {
        ObjectPredicate(left.predicate || right.predicate)
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
            if comparison != .equal, comparison != .notEqual { try KeptOrder.check(Value.self, of: field.name) }
            return switch try field.state(of: value) {
            case .value(let value)?: .compare(field: field.name, comparison, value)
            case .null?: .compare(field: field.name, comparison, nil)
            case .absent?, nil:
                throw CloudError(
                    .invalidArguments,
                    "Field \(field.name) can't be compared with \(value).",
                    remedy: "Use a value of the property's type."
                )
            }
        }
    }

    /// Makes a condition on the field that a key path leads to.
    private init<Value>(_ keyPath: KeyPath<Root, Value>, node: (KeyPathField) throws -> CloudPredicate.Node) {
        do {
            self.init(CloudPredicate(try node(try MappingPlan.plan(for: Root.self).field(for: keyPath))))
        } catch {
            let error = CloudError(error)
            self.init(CloudPredicate(.malformed(message: error.message, remedy: error.remedy, code: error.code)))
        }
    }
}

/// Matches objects whose property equals the value; a nil value matches nil.
public func == <Root: CloudDataObject, Value: Equatable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .equal, value)
}

/// Matches objects whose property differs from the value, those with nil included.
public func != <Root: CloudDataObject, Value: Equatable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .notEqual, value)
}

/// Matches objects whose property is less than the value.
public func < <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .less, value)
}

/// Matches objects whose property is the value or less.
public func <= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .lessOrEqual, value)
}

/// Matches objects whose property is greater than the value.
public func > <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greater, value)
}

/// Matches objects whose property is the value or greater.
public func >= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greaterOrEqual, value)
}

/// Matches objects whose property is less than the value; nil never is.
public func < <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .less, value)
}

/// Matches objects whose property is the value or less; nil never is.
public func <= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .lessOrEqual, value)
}

/// Matches objects whose property is greater than the value; nil never is.
public func > <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greater, value)
}

/// Matches objects whose property is the value or greater; nil never is.
public func >= <Root: CloudDataObject, Value: Comparable>(
    keyPath: KeyPath<Root, Value?>,
    value: Value
) -> ObjectPredicate<Root> {
    ObjectPredicate(keyPath, .greaterOrEqual, value)
}
