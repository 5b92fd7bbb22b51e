import CloudRecords

/// The order of a query's results, written with key paths.
///
/// ```swift
/// let order: ObjectOrder<Message> = .ascending(\.from).descending(\.creationDate)
/// ```
///
/// A key path that leads to no mapped property makes the query throw that the order is used in.
public struct ObjectOrder<Root: CloudDataObject>: Sendable {
    /// The same order by field names, or why a key path has none.
    package let result: Result<OrderBy, CloudError>

    private init(_ result: Result<OrderBy, CloudError>) {
        self.result = result
    }

    /// Makes an order for one class of one that is written with field names.
    public init(_ order: OrderBy) {
        result = .success(order)
    }

    /// The same order by field names.
    /// - Throws: ``CloudError/Code/invalidArguments`` if a key path leads to no mapped property,
    ///   ``CloudError/Code/unsupported`` if a store can't order the property as its type does.
    public func orderBy() throws -> OrderBy {
        try result.get()
    }

    /// By a property, smallest first; nil comes first.
    public static func ascending<Value>(_ keyPath: KeyPath<Root, Value>) -> ObjectOrder {
        ObjectOrder(.recordName).adding(keyPath) { $0.ascending($1) }
    }

    /// By a property, largest first; nil comes last.
    public static func descending<Value>(_ keyPath: KeyPath<Root, Value>) -> ObjectOrder {
        ObjectOrder(.recordName).adding(keyPath) { $0.descending($1) }
    }

    /// This order, and among equals by another property, smallest first.
    public func ascending<Value>(_ keyPath: KeyPath<Root, Value>) -> ObjectOrder {
        adding(keyPath) { $0.ascending($1) }
    }

    /// This order, and among equals by another property, largest first.
    public func descending<Value>(_ keyPath: KeyPath<Root, Value>) -> ObjectOrder {
        adding(keyPath) { $0.descending($1) }
    }

    /// By the distance of a location from a place, nearest first; nil comes last.
    public static func distance<Value>(_ keyPath: KeyPath<Root, Value>, from place: CloudLocation) -> ObjectOrder {
        ObjectOrder(.recordName).adding(keyPath) { $0.distance($1, from: place) }
    }

    /// This order, and among equals by the distance of a location from a place, nearest first.
    public func distance<Value>(_ keyPath: KeyPath<Root, Value>, from place: CloudLocation) -> ObjectOrder {
        adding(keyPath) { $0.distance($1, from: place) }
    }

    private func adding<Value>(
        _ keyPath: KeyPath<Root, Value>,
        _ add: (OrderBy, String) -> OrderBy
    ) -> ObjectOrder {
        do {
            let field = try MappingPlan.plan(for: Root.self).field(for: keyPath)
            guard !field.isJSON else { throw field.onlyTestedForNil }
            try KeptOrder.checkSorting(by: Value.self, of: field.name)
            return ObjectOrder(.success(add(try orderBy(), field.name)))
        } catch {
            return ObjectOrder(.failure(CloudError(error)))
        }
    }
}
