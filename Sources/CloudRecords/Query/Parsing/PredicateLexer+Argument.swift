extension PredicateLexer {
    /// What a specifier of a format stands for.
    struct Specifier {
        enum Meaning {
            case value, field, integer, double
        }

        /// The specifier without its percent sign.
        let text: String
        let meaning: Meaning
    }

    // Longest first, so that %lld is not read as an unknown %l.
    private static let specifiers: [Specifier] =
        ["lld", "lli", "llu", "ld", "li", "lu", "d", "i", "u"].map { Specifier(text: $0, meaning: .integer) }
        + ["lf", "f"].map { Specifier(text: $0, meaning: .double) }
        + [Specifier(text: "@", meaning: .value), Specifier(text: "K", meaning: .field)]

    /// The specifier at a percent sign.
    func specifier(at position: Int) -> Specifier? {
        let rest = source.scalars.dropFirst(position + 1)
        return Self.specifiers.first { rest.starts(with: $0.text.unicodeScalars) }
    }

    /// Whether a value was interpolated at the position.
    func isBound(_ position: Int) -> Bool {
        if case .bound(let arguments) = source.arguments { arguments[position] != nil } else { false }
    }

    /// Reads a specifier with its argument, or an interpolated value, with the position at the percent sign.
    mutating func argument() throws -> PredicateToken.Kind {
        let start = position
        switch source.arguments {
        case .bound(let arguments):
            guard let argument = arguments[start] else {
                throw source.error(
                    at: start,
                    "a literal has no arguments, so % means nothing here",
                    remedy: "Interpolate the value, or use CloudPredicate(format:)."
                )
            }
            position += 2
            return try token(for: argument, at: start)
        case .listed(let arguments):
            guard let specifier = specifier(at: start) else {
                throw source.error(
                    at: start,
                    "expected one of %@ %K %d %i %u %ld %lu %lld %f, found \(source.excerpt(from: start, limit: 4))"
                )
            }
            guard argumentCount < arguments.count else {
                throw source.error(
                    at: start,
                    "expected an argument for %\(specifier.text), but there \(Self.countPhrase(arguments.count))",
                    remedy: "Pass one argument for each specifier."
                )
            }
            let argument = arguments[argumentCount]
            argumentCount += 1
            position = start + 1 + specifier.text.unicodeScalars.count
            return try token(for: argument, specifier, at: start)
        }
    }

    /// Throws if a format left arguments over.
    func checkAllArgumentsAreTaken() throws {
        guard case .listed(let arguments) = source.arguments, argumentCount < arguments.count else { return }
        throw source.error(
            at: source.scalars.count,
            "expected \(argumentCount) arguments, found \(arguments.count)",
            remedy: "Pass one argument for each specifier."
        )
    }

    /// Throws if no field can hold the value, so that none can be compared with it.
    func checked(_ value: CloudValue, at position: Int) throws -> CloudValue {
        if let violation = ValueRule.violation(of: value) {
            throw source.error(at: position, "the value \(violation.reason)", remedy: violation.remedy)
        }
        return value
    }

    private static func countPhrase(_ count: Int) -> String {
        switch count {
        case 0: "are none"
        case 1: "is only 1"
        default: "are only \(count)"
        }
    }

    private mutating func token(for argument: PredicateSource.BoundArgument, at start: Int) throws
        -> PredicateToken.Kind
    {
        switch argument {
        case .field(let name):
            try checkFieldName(name, at: start)
            return .field(name)
        case .value(let result, let type):
            let bound = try converted(at: start) { try result.get() }
            note(type, of: bound)
            return token(for: bound)
        }
    }

    private mutating func token(
        for argument: (any CloudValueConvertible)?,
        _ specifier: Specifier,
        at start: Int
    ) throws -> PredicateToken.Kind {
        let bound = try converted(at: start) { try PredicateSource.BoundValue(argument) }
        note(argument.flatMap { UnsortedType(type(of: $0)) }, of: bound)
        func mismatch(_ expected: String) -> CloudError {
            source.error(
                at: start,
                "%\(specifier.text) expected \(expected), and argument \(argumentCount) is \(bound.typeName)",
                remedy: "Use %@, which takes any value, or pass an argument of the right type."
            )
        }
        switch (specifier.meaning, bound) {
        case (.value, _):
            return token(for: bound)
        case (.field, .single(.string(let name)?)):
            try checkFieldName(name, at: start)
            return .field(name)
        case (.integer, .single(.int64?)), (.double, .single(.double?)):
            return token(for: bound)
        case (.double, .single(.int64(let number)?)):
            return .value(.double(Double(number)))
        case (.field, _):
            throw mismatch("the name of a field")
        case (.integer, _):
            throw mismatch("an integer")
        case (.double, _):
            throw mismatch("a number")
        }
    }

    /// Remembers the type of an argument that is text; what it is made a number by itself does sort.
    private mutating func note(_ type: UnsortedType?, of bound: PredicateSource.BoundValue) {
        if bound.values.contains(where: \.isText) { unsortedType = type }
    }

    private func token(for bound: PredicateSource.BoundValue) -> PredicateToken.Kind {
        switch bound {
        case .single(let value): .value(value)
        case .alternatives(let values): .alternatives(values)
        }
    }

    private func converted(
        at start: Int,
        _ convert: () throws -> PredicateSource.BoundValue
    ) throws -> PredicateSource.BoundValue {
        let bound: PredicateSource.BoundValue
        do {
            bound = try convert()
        } catch {
            let error = CloudError(error)
            throw source.error(
                at: start,
                "the value can't be used: \(error.message.trimmingSuffix("."))",
                remedy: error.remedy
            )
        }
        for value in bound.values { _ = try checked(value, at: start) }
        return bound
    }
}

extension PredicateSource.BoundValue {
    /// The values that are not nil.
    fileprivate var values: [CloudValue] {
        switch self {
        case .single(let value): value.map { [$0] } ?? []
        case .alternatives(let values): values.compactMap(\.self)
        }
    }

    fileprivate var typeName: String {
        switch self {
        case .single(let value): value?.fieldType.nameWithArticle ?? "nil"
        case .alternatives: "a list with nil or lists in it"
        }
    }
}

extension CloudValue {
    /// Whether it is text or a list of text.
    fileprivate var isText: Bool {
        switch self {
        case .string: true
        case .list(let elements): elements.contains { $0.stringValue != nil }
        default: false
        }
    }
}

extension String {
    fileprivate func trimmingSuffix(_ suffix: String) -> String {
        hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
    }
}
