/// One side of a comparison.
struct PredicateOperand {
    enum Content {
        case field(String)
        case value(CloudValue?)
        /// A list, be it written in braces or a value that is a list.
        case list([CloudValue?])
        /// The distance of a location field from a place.
        case distance(field: String, CloudLocation)
        /// `self`: the record as a whole.
        case itself
        /// `allTokens`: the words of the record.
        case allTokens
    }

    let content: Content
    let position: Int
    /// The type of its values, if these come from outside of the text and don't sort as they are kept.
    let unsortedType: UnsortedType?
}

extension PredicateParser {
    static let allTokensName = "allTokens"
    static let distanceName = "distanceToLocation"

    /// Parses one side of a comparison.
    mutating func operand(_ expectation: String = "a field name or a value") throws -> PredicateOperand {
        let start = token
        let around = unsortedType
        unsortedType = nil
        let content = try operandContent(expectation)
        let type = unsortedType
        // A list is of the type of its elements.
        unsortedType = type ?? around
        switch token.kind {
        case .symbol(let symbol) where [.plus, .minus, .times, .divide].contains(symbol):
            throw source.unsupported("arithmetic with \(symbol.rawValue)", at: token.position)
        default:
            return PredicateOperand(content: content, position: start.position, unsortedType: type)
        }
    }

    private mutating func operandContent(_ expectation: String) throws -> PredicateOperand.Content {
        switch token.kind {
        case .value(let value):
            try advance()
            if case .list(let elements) = value { return .list(elements) }
            return .value(value)
        case .alternatives(let elements):
            try advance()
            return .list(elements)
        case .field(let name):
            let start = token
            try advance()
            try checkEnd(ofField: name, at: start.position)
            return .field(name)
        case .name(let name):
            return try namedContent(name)
        case .symbol(.openList):
            return .list(try nested(upTo: Self.maximumDepthOfOperands) { try $0.list() })
        case .keyword(let keyword):
            if keyword == .itself {
                try advance()
                return .itself
            }
            if let value = keyword.value {
                try advance()
                return .value(value)
            }
            throw expected(
                expectation,
                remedy: "\(keyword.rawValue) has a meaning of its own; write #\(source.text(token.range)) for a "
                    + "field of this name."
            )
        default:
            throw expected(expectation)
        }
    }

    private mutating func namedContent(_ name: String) throws -> PredicateOperand.Content {
        let start = token
        try advance()
        if name == Self.distanceName, token.kind == .symbol(.colon) {
            return try nested(upTo: Self.maximumDepthOfOperands) { try $0.distance() }
        }
        if Self.isCast(name), token.kind == .symbol(.openParenthesis) {
            return .value(try nested(upTo: Self.maximumDepthOfOperands) { try $0.cast() })
        }
        if name == Self.allTokensName, token.kind == .keyword(.tokenMatches) {
            return .allTokens
        }
        try checkEnd(ofField: name, at: start.position)
        if let violation = NameRule.violation(ofIdentifier: name) {
            throw source.error(
                at: start.position,
                "expected a field name, and \(NameRule.quoted(name)) \(violation.reason)",
                remedy: violation.remedy
            )
        }
        return .field(name)
    }

    /// Throws if what follows makes the name something else than a field's.
    private func checkEnd(ofField name: String, at position: Int) throws {
        switch token.kind {
        case .symbol(.openParenthesis), .symbol(.colon):
            throw source.unsupported("the function \(NameRule.quoted(name))", at: position)
        case .symbol(.dot):
            throw source.unsupported(
                "the key path that starts with \(NameRule.quoted(name))",
                at: position,
                remedy: "Use the name of a field of the record itself."
            )
        case .symbol(.openBracket):
            throw source.unsupported("an index into \(NameRule.quoted(name))", at: position)
        default:
            break
        }
    }

    /// Parses `{a, b}`.
    private mutating func list() throws -> [CloudValue?] {
        try take(.openList)
        var elements: [CloudValue?] = []
        if token.kind == .symbol(.closeList) {
            try advance()
            return elements
        }
        while true {
            elements.append(try element())
            if token.kind == .symbol(.comma) {
                try advance()
            } else {
                try take(.closeList, else: "\",\" or \"}\"")
                return elements
            }
        }
    }

    private mutating func element() throws -> CloudValue? {
        let operand = try operand("a value")
        switch operand.content {
        case .value(let value): return value
        case .list(let elements): return try list(elements, in: operand)
        case .field, .distance, .itself, .allTokens:
            throw source.error(at: operand.position, "expected a single value as an element of the list")
        }
    }

    /// Parses `:fromLocation:(field, place)`, in either order.
    private mutating func distance() throws -> PredicateOperand.Content {
        try take(.colon)
        guard token.kind == .name("fromLocation") else { throw expected("fromLocation") }
        try advance()
        try take(.colon)
        try take(.openParenthesis)
        let first = try operand("a location field")
        try take(.comma)
        let second = try operand("a location")
        try take(.closeParenthesis)
        switch (first.content, second.content) {
        case (.field(let field), .value(.location(let place))), (.value(.location(let place)), .field(let field)):
            return .distance(field: field, place)
        case (.field, _):
            throw source.error(
                at: second.position,
                "expected a location",
                remedy: "Pass a CloudLocation for %@, or write CAST('latitude,longitude', 'LOCATION')."
            )
        default:
            throw source.error(at: first.position, "expected a location field")
        }
    }
}

extension PredicateKeyword {
    /// The value that the keyword stands for, which may itself be nil; nil if it stands for none.
    fileprivate var value: CloudValue?? {
        switch self {
        case .nil, .null: .some(nil)
        case .true, .yes: .int64(1)
        case .false, .no: .int64(0)
        default: nil
        }
    }
}
