import CloudRecords

extension ObjectPredicate {
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

    /// Matches objects whose text has the shape of a pattern: `*` stands for any text, `?` for one Unicode scalar.
    /// Nil never has it.
    public static func like(
        _ keyPath: KeyPath<Root, String?>,
        _ pattern: String,
        ignoring options: TextOptions = []
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .like(field: $0.name, pattern, options) }
    }

    /// Matches objects whose text equals another one when case or diacritics are ignored; nil never
    /// does.
    public static func equals(
        _ keyPath: KeyPath<Root, String?>,
        _ text: String,
        ignoring options: TextOptions
    ) -> ObjectPredicate {
        ObjectPredicate(keyPath) { .compare(field: $0.name, .equal, .string(text), options) }
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
        case .value(let value)?:
            guard !isJSON else { throw onlyTestedForNil }
            return value
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

    /// The error of comparing values that are kept as JSON.
    var onlyTestedForNil: CloudError {
        CloudError(
            .unsupported,
            "Field \(name) is kept as JSON, and a property kept as JSON can only be tested for nil: equal values may be "
                + "kept as different text.",
            remedy:
                "Keep what is to be compared or sorted by in a property of its own, or filter the results yourself.",
            field: name
        )
    }
}
