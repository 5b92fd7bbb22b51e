/// Makes the tree of a predicate from its tokens, by recursive descent.
///
/// ```
/// disjunction := conjunction { (OR | ||) conjunction }
/// conjunction := negation { (AND | &&) negation }
/// negation    := (NOT | !) negation | primary
/// primary     := ( disjunction ) | TRUEPREDICATE | FALSEPREDICATE | [ quantifier ] comparison
/// quantifier  := ANY | SOME | ALL | NONE
/// comparison  := operand operator [ modifiers ] operand
/// ```
/// A chain of one connective is one node, as it is written; parentheses make a node of their own.
struct PredicateParser {
    /// How deep parentheses, braces and negations may nest, so that no text can exhaust the stack.
    static let maximumDepth = 100

    /// How much deeper the braces, CASTs and distances of one comparison may nest: what the deepest tree is printed as
    /// must be read again.
    static let maximumDepthOfOperands = maximumDepth + 4

    let source: PredicateSource
    private var lexer: PredicateLexer
    private(set) var token: PredicateToken
    /// The type of the values in the operand that is being parsed, see ``PredicateOperand/unsortedType``.
    var unsortedType: UnsortedType?
    private var depth = 0

    /// Parses the whole source.
    static func parse(_ source: PredicateSource) throws -> CloudPredicate.Node {
        var parser = try PredicateParser(source)
        let node = try parser.disjunction()
        guard parser.token.kind == .end else {
            throw parser.expected("AND, OR or the end")
        }
        try parser.lexer.checkAllArgumentsAreTaken()
        return node
    }

    private init(_ source: PredicateSource) throws {
        self.source = source
        lexer = PredicateLexer(source)
        token = try lexer.next()
    }

    // MARK: Connectives

    private mutating func disjunction() throws -> CloudPredicate.Node {
        var nodes = [try conjunction()]
        while token.kind == .keyword(.or) || token.kind == .symbol(.or) {
            try advance()
            nodes.append(try conjunction())
        }
        return nodes.count == 1 ? nodes[0] : .or(nodes)
    }

    private mutating func conjunction() throws -> CloudPredicate.Node {
        var nodes = [try negation()]
        while token.kind == .keyword(.and) || token.kind == .symbol(.and) {
            try advance()
            nodes.append(try negation())
        }
        return nodes.count == 1 ? nodes[0] : .and(nodes)
    }

    private mutating func negation() throws -> CloudPredicate.Node {
        guard token.kind == .keyword(.not) || token.kind == .symbol(.not) else { return try primary() }
        return try nested { parser in
            try parser.advance()
            return .not(try parser.negation())
        }
    }

    private mutating func primary() throws -> CloudPredicate.Node {
        switch token.kind {
        case .symbol(.openParenthesis):
            return try nested { parser in
                try parser.advance()
                let node = try parser.disjunction()
                try parser.take(.closeParenthesis, else: "AND, OR or \")\"")
                return node
            }
        case .keyword(.truePredicate):
            try advance()
            return .everything
        case .keyword(.falsePredicate):
            try advance()
            return .nothing
        case .keyword(let keyword):
            guard let quantifier = keyword.quantifier else { return try comparison() }
            return try quantifiedComparison(keyword, quantifier)
        default:
            return try comparison()
        }
    }

    /// Parses what is one level deeper than what is around it.
    mutating func nested<Result>(
        upTo limit: Int = maximumDepth,
        _ parse: (inout PredicateParser) throws -> Result
    ) throws -> Result {
        try descend(upTo: limit)
        defer { depth -= 1 }
        return try parse(&self)
    }

    private mutating func descend(upTo limit: Int) throws {
        depth += 1
        guard depth <= limit else {
            depth -= 1
            throw source.error(
                at: token.position,
                "expected no more than \(Self.maximumDepth) levels of parentheses, braces and NOT",
                remedy: "Write the predicate with fewer levels."
            )
        }
    }

    // MARK: Tokens

    /// Goes on to the next token.
    mutating func advance() throws {
        if let type = token.unsortedType { unsortedType = type }
        token = try lexer.next()
    }

    /// Goes on past a symbol, or throws what was expected.
    mutating func take(_ symbol: PredicateToken.Symbol, else expectation: String? = nil) throws {
        guard token.kind == .symbol(symbol) else { throw expected(expectation ?? "\"\(symbol.rawValue)\"") }
        try advance()
    }

    /// The error of a token that is not what was expected.
    func expected(_ expectation: String, remedy: String = PredicateSource.defaultRemedy) -> CloudError {
        guard token.kind != .end else {
            return source.error(at: token.position, "expected \(expectation), but it ends there", remedy: remedy)
        }
        let found = source.excerpt(token.range.prefix(40))
        return source.error(at: token.position, "expected \(expectation), found \(found)", remedy: remedy)
    }
}
