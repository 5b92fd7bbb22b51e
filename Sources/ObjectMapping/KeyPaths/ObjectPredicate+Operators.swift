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

    /// Matches objects whose text contains another one.
    public static func contains(
        _ keyPath: KeyPath<Root, String>,
        _ text: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .contains(field: $0.name, .string(text), options) }
    }

    /// Matches objects whose text contains another one; nil never does.
    public static func contains(
        _ keyPath: KeyPath<Root, String?>,
        _ text: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .contains(field: $0.name, .string(text), options) }
    }

    /// Matches objects whose text begins with another one.
    public static func hasPrefix(
        _ keyPath: KeyPath<Root, String>,
        _ prefix: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .beginsWith(field: $0.name, prefix, options) }
    }

    /// Matches objects whose text begins with another one; nil never does.
    public static func hasPrefix(
        _ keyPath: KeyPath<Root, String?>,
        _ prefix: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .beginsWith(field: $0.name, prefix, options) }
    }

    /// Matches objects whose text ends with another one.
    public static func hasSuffix(
        _ keyPath: KeyPath<Root, String>,
        _ suffix: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .endsWith(field: $0.name, suffix, options) }
    }

    /// Matches objects whose text ends with another one; nil never does.
    public static func hasSuffix(
        _ keyPath: KeyPath<Root, String?>,
        _ suffix: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .endsWith(field: $0.name, suffix, options) }
    }

    /// Matches objects whose text has the shape of a pattern: `*` stands for any text, `?` for one Unicode scalar.
    public static func like(
        _ keyPath: KeyPath<Root, String>,
        _ pattern: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .like(field: $0.name, pattern, options) }
    }

    /// Matches objects whose text equals another one when case or diacritics are ignored.
    public static func equals(
        _ keyPath: KeyPath<Root, String>,
        _ text: String,
        ignoring options: TextOptions
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .compare(field: $0.name, .equal, .string(text), options) }
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

    /// Matches objects whose property is nil; it may be one that holds an embedded object.
    public static func isNil<Value>(_ keyPath: KeyPath<Root, Value?>) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .compare(field: $0.name, .equal, nil) }
    }

    /// Matches objects that lie closer to a place than a distance in metres.
    public static func near(
        _ keyPath: KeyPath<Root, CloudLocation>,
        _ place: CloudLocation,
        within metres: Double
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .near(field: $0.name, place, metres: metres) }
    }

    /// Matches objects that lie closer to a place than a distance in metres; nil never does.
    public static func near(
        _ keyPath: KeyPath<Root, CloudLocation?>,
        _ place: CloudLocation,
        within metres: Double
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .near(field: $0.name, place, metres: metres) }
    }

    /// Matches objects that contain all of some words, each in any of their text fields, regardless of case and
    /// diacritics. Lists of text are not searched.
    public static func tokens(_ words: String) -> ObjectPredicate {
        ObjectPredicate(CloudPredicate(.tokens(words)))
    }
}

extension KeyPathField {
    /// The field's value for a value of the property's type; nil for null.
    func value(of value: Any) throws -> CloudValue? {
        switch try state(of: value) {
        case .value(let value)?: return value
        case .null?: return nil
        case .absent?, nil:
            throw CloudError(
                .invalidArguments,
                "Field \(name) can't be compared with \(value).",
                remedy: "Use a value of the property's type.",
                field: name
            )
        }
    }

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
}
