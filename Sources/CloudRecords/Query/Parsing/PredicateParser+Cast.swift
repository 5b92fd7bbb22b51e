extension PredicateParser {
    /// Whether a word before a parenthesis is the CAST that makes a value of its text or number.
    static func isCast(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0 < 0x80 } && word.uppercased() == "CAST"
    }

    /// Parses `(operand, 'type')`, see ``PredicateCast``.
    mutating func cast() throws -> CloudValue {
        try take(.openParenthesis)
        let operand = try operand("a value to cast")
        if case .field(let name) = operand.content {
            throw source.unsupported("CAST of the field \(NameRule.quoted(name))", at: operand.position)
        }
        try take(.comma)
        let typeToken = token
        guard case .value(.string(let name)) = token.kind else {
            throw expected(
                "the type, one of \(PredicateCast.allCases.map { "'\($0.rawValue)'" }.joined(separator: " "))"
            )
        }
        guard let type = PredicateCast(rawValue: name) else {
            throw source.unsupported("CAST to the type \(NameRule.quoted(name))", at: typeToken.position)
        }
        try advance()
        try take(.closeParenthesis)
        guard let value = type.value(of: operand.content) else {
            throw source.error(
                at: operand.position,
                "expected \(type.expectation)",
                remedy: type.remedy
            )
        }
        if let violation = ValueRule.violation(of: value) {
            throw source.error(at: operand.position, "the value \(violation.reason)", remedy: violation.remedy)
        }
        return value
    }
}
