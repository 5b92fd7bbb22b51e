import CloudRecords

extension ObjectPredicate {
    /// Matches objects whose list has an element.
    public static func contains<Element: Equatable>(
        _ keyPath: KeyPath<Root, [Element]>,
        _ element: Element
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.containing([element]) }
    }

    /// Matches objects whose set has an element.
    public static func contains<Element: Hashable>(
        _ keyPath: KeyPath<Root, Set<Element>>,
        _ element: Element
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.containing(Set([element])) }
    }

    /// Matches objects whose list has an element; nil has none.
    public static func contains<Element: Equatable>(
        _ keyPath: KeyPath<Root, [Element]?>,
        _ element: Element
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.containing([element]) }
    }

    /// Matches objects whose set has an element; nil has none.
    public static func contains<Element: Hashable>(
        _ keyPath: KeyPath<Root, Set<Element>?>,
        _ element: Element
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.containing(Set([element])) }
    }

    /// Matches objects whose property is one of some values. A nil among the values matches nil.
    public static func isIn<Value: Equatable>(
        _ keyPath: KeyPath<Root, Value>,
        _ values: [Value]
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in .oneOf(field: field.name, try values.map { try field.value(of: $0) }) }
    }

    /// Matches objects whose property lies in a range, both ends included.
    public static func between<Value: Comparable>(
        _ keyPath: KeyPath<Root, Value>,
        _ range: ClosedRange<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            try KeptOrder.check(Value.self, of: field.name)
            return try field.between(range)
        }
    }

    /// Matches objects whose property lies in a range, both ends included; nil never does.
    public static func between<Value: Comparable>(
        _ keyPath: KeyPath<Root, Value?>,
        _ range: ClosedRange<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            try KeptOrder.check(Value.self, of: field.name)
            return try field.between(range)
        }
    }

    /// Matches objects whose property is one of some values. A nil among the values matches nil.
    public static func isIn<Value: Hashable>(
        _ keyPath: KeyPath<Root, Value>,
        _ values: Set<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.isOne(of: values) }
    }

    /// Matches objects whose property is one of some values; nil never is.
    public static func isIn<Value: Hashable>(
        _ keyPath: KeyPath<Root, Value?>,
        _ values: Set<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { try $0.isOne(of: values) }
    }

    /// Matches objects whose property lies in a range without its upper end.
    public static func between<Value: Comparable>(
        _ keyPath: KeyPath<Root, Value>,
        _ range: Range<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            try KeptOrder.check(Value.self, of: field.name)
            return try range.bounds.node(of: field)
        }
    }

    /// Matches objects whose property lies in a range without its upper end; nil never does.
    public static func between<Value: Comparable>(
        _ keyPath: KeyPath<Root, Value?>,
        _ range: Range<Value>
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { field in
            try KeptOrder.check(Value.self, of: field.name)
            return try range.bounds.node(of: field)
        }
    }
}

extension KeyPathField {
    /// Membership of the only element of a list.
    func containing(_ list: Any) throws -> CloudPredicate.Node {
        guard case .list(let elements)? = try value(of: list), let element = elements.first else {
            throw CloudError(
                .unsupported,
                "Field \(name) is not kept as a list, so its elements can't be looked for.",
                remedy: "Give the property a type whose elements are single values.",
                field: name
            )
        }
        return .contains(field: name, element)
    }

    func between<Value>(_ range: ClosedRange<Value>) throws -> CloudPredicate.Node {
        guard let low = try value(of: range.lowerBound), let high = try value(of: range.upperBound) else {
            return .nothing
        }
        return .between(field: name, low, high)
    }

    /// Membership of a set, in an order that does not change.
    fileprivate func isOne<Value: Hashable>(of values: Set<Value>) throws -> CloudPredicate.Node {
        let values = try values.map { try value(of: $0) }
        let sorted: [CloudValue?] = values.compactMap(\.self).sorted { $0.precedes($1) }
        return .oneOf(field: name, values.contains(nil) ? sorted + [nil] : sorted)
    }
}
