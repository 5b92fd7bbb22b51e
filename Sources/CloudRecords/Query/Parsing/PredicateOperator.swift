/// What stands between the two sides of a comparison.
struct PredicateOperator {
    enum Kind: Equatable {
        case comparison(CloudPredicate.Comparison)
        case keyword(PredicateKeyword)
    }

    let kind: Kind
    let position: Int
    /// What stood in brackets after it.
    let options: TextOptions
    /// Where the brackets are.
    let optionsPosition: Int

    /// Whether it asks for an order and not for equality.
    var isOrder: Bool {
        switch kind {
        case .comparison(let comparison): comparison.isOrder
        case .keyword(let keyword): keyword == .between
        }
    }

    /// The operator as messages name it, without its modifiers.
    var name: String {
        switch kind {
        case .comparison(let comparison): comparison.rawValue
        case .keyword(let keyword): keyword.rawValue
        }
    }
}

extension PredicateParser {
    /// Parses an operator with its modifiers.
    mutating func comparisonOperator() throws -> PredicateOperator {
        let start = token
        let kind: PredicateOperator.Kind
        switch token.kind {
        case .comparison(let comparison): kind = .comparison(comparison)
        case .keyword(let keyword) where keyword.isOperator: kind = .keyword(keyword)
        default: throw expected("an operator such as ==, < or IN")
        }
        if kind == .keyword(.matches) { throw source.unsupported("the operator MATCHES", at: start.position) }
        try advance()
        let optionsPosition = token.position
        var options: TextOptions = []
        switch kind {
        case .keyword(.tokenMatches): try skipTokenModifiers()
        case .keyword(.in), .keyword(.between):
            if token.kind == .symbol(.openBracket) { throw unsupportedModifiers(at: optionsPosition) }
        default: options = try textOptions()
        }
        return PredicateOperator(
            kind: kind,
            position: start.position,
            options: options,
            optionsPosition: optionsPosition
        )
    }

    /// Reads `[c]`, `[d]`, `[cd]` or `[dc]`, if there is one of them.
    private mutating func textOptions() throws -> TextOptions {
        guard token.kind == .symbol(.openBracket) else { return [] }
        try advance()
        let expectation = "the modifiers c, d or cd"
        guard case .name(let letters) = token.kind else { throw expected(expectation) }
        var options: TextOptions = []
        for (offset, letter) in letters.unicodeScalars.enumerated() {
            let option: TextOptions
            switch letter {
            case "c", "C": option = .caseInsensitive
            case "d", "D": option = .diacriticInsensitive
            default: throw unexpectedModifier(letter, expectation, at: token.position + offset)
            }
            guard options.insert(option).inserted else {
                throw unexpectedModifier(letter, "each modifier once", at: token.position + offset)
            }
        }
        try advance()
        try take(.closeBracket)
        return options
    }

    /// Reads `[cdl]`; a search for tokens always means all three.
    private mutating func skipTokenModifiers() throws {
        guard token.kind == .symbol(.openBracket) else { return }
        try advance()
        guard case .name(let modifiers) = token.kind, modifiers.lowercased().allSatisfy("cdl".contains) else {
            throw expected("the modifiers cdl")
        }
        try advance()
        try take(.closeBracket)
    }

    private func unexpectedModifier(_ letter: Unicode.Scalar, _ expectation: String, at position: Int) -> CloudError {
        source.error(
            at: position,
            "expected \(expectation), found \(letter)",
            remedy: "[c] ignores case, [d] ignores diacritics, [cd] both."
        )
    }

    /// The error of modifiers, in brackets at a position, where none are supported.
    func unsupportedModifiers(at position: Int) -> CloudError {
        let rest = source.excerpt(from: position, limit: 8)
        let modifiers = rest.firstIndex(of: "]").map { String(rest[...$0]) } ?? rest
        return source.unsupported(
            "the modifiers \(modifiers)",
            at: position,
            remedy: "IN and BETWEEN compare exactly; write several comparisons with modifiers instead."
        )
    }
}
