extension CloudPredicate: ExpressibleByStringInterpolation {
    /// Makes a predicate from a literal without values in it.
    ///
    /// The language is that of ``init(format:_:)``. A literal that is not a predicate makes one that throws
    /// its error, with the position and what was expected, when it is used in a query.
    public init(stringLiteral value: String) {
        self.init(literal: PredicateSource(value, arguments: .bound([:])))
    }

    /// Makes a predicate from a literal with values in it, which are bound and never become part of its text.
    ///
    /// The language is that of ``init(format:_:)``, with an interpolation where a format has a specifier. In the
    /// error of a literal that is not a predicate, `%@` and `%K` stand where values and fields were interpolated,
    /// and positions count them as these two characters.
    public init(stringInterpolation: StringInterpolation) {
        self.init(
            literal: PredicateSource(stringInterpolation.text, arguments: .bound(stringInterpolation.arguments))
        )
    }

    private init(literal source: PredicateSource) {
        do {
            self.init(try PredicateParser.parse(source))
        } catch {
            let error = CloudError(error)
            self.init(.malformed(message: error.message, remedy: error.remedy, code: error.code))
        }
    }

    /// Collects the text and the values of a predicate's literal.
    ///
    /// ```swift
    /// let predicate: CloudPredicate = "from == \(me) AND kind == \(Kind.text) AND \(field: name) > \(3)"
    /// ```
    ///
    /// Values are what a field can hold: see ``CloudValueConvertible``. Enums over such values need no conformance.
    /// An optional that is nil is null. An array or a set belongs after `IN`, where a nil
    /// in it matches null.
    public struct StringInterpolation: StringInterpolationProtocol {
        var text = ""
        var arguments: [Int: PredicateSource.BoundArgument] = [:]
        // The length of the text in scalars, kept so that appending stays linear.
        private var length = 0

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + 2 * interpolationCount)
            arguments.reserveCapacity(interpolationCount)
        }

        public mutating func appendLiteral(_ literal: String) {
            text += literal
            length += literal.unicodeScalars.count
        }

        /// Binds a value, an array or a set.
        public mutating func appendInterpolation(_ value: some CloudValueConvertible) {
            bind(value, of: type(of: value))
        }

        // An overload of its own, since the compiler warns of optionals in an interpolation that doesn't ask for them.

        /// Binds a value, or null.
        public mutating func appendInterpolation(_ value: (some CloudValueConvertible)?) {
            bind(value, of: type(of: value))
        }

        // Disfavoured, so that an enum which does conform to CloudValueConvertible has one best overload.

        /// Binds the raw value of an enum.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value)
        where Value.RawValue: CloudValueConvertible {
            bind(value.rawValue, of: Value.self)
        }

        /// Binds the raw value of an enum, or null.
        @_disfavoredOverload
        public mutating func appendInterpolation<Value: RawRepresentable>(_ value: Value?)
        where Value.RawValue: CloudValueConvertible {
            bind(value?.rawValue, of: Value.self)
        }

        /// Binds the raw values of an array or a set of enums.
        @_disfavoredOverload
        public mutating func appendInterpolation<Values: Collection>(_ values: Values)
        where Values.Element: RawRepresentable, Values.Element.RawValue: CloudValueConvertible {
            bind(values.map(\.rawValue), of: Values.Element.self)
        }

        /// Binds the raw values of an array or a set of enums, nil among them.
        @_disfavoredOverload
        public mutating func appendInterpolation<Values: Collection, Value: RawRepresentable>(_ values: Values)
        where Values.Element == Value?, Value.RawValue: CloudValueConvertible {
            bind(values.map { $0?.rawValue }, of: Value.self)
        }

        /// Puts in the name of a field, which may come from outside: what is not a field's name makes the
        /// predicate malformed.
        public mutating func appendInterpolation(field name: String) {
            append(.field(name), as: "%K")
        }

        /// Binds a value that stands for one of a type, or for several in a collection.
        private mutating func bind(_ value: some CloudValueConvertible, of type: Any.Type) {
            let bound = Result { try PredicateSource.BoundValue(value) }.mapError { CloudError($0) }
            append(.value(bound, UnsortedType(type)), as: "%@")
        }

        private mutating func append(_ argument: PredicateSource.BoundArgument, as placeholder: String) {
            arguments[length] = argument
            appendLiteral(placeholder)
        }
    }
}
