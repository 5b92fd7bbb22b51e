import CloudRecords

extension PredicateTranslator {
    /// All words occur in some text field; nothing has no words.
    mutating func tokens(_ text: String) throws -> String {
        guard element == nil else {
            throw CloudError.unsupported("a search for words in the elements of a list", by: capabilities.storeName)
        }
        guard let search = try tokenSearch(text) else { return Self.never }
        return "\(column(SystemColumn.row.rawValue)) IN (\(search))"
    }

    /// The statement that finds the rows which have all words; nil if the text has none.
    mutating func tokenSearch(_ text: String) throws -> String? {
        try capabilities.require(.tokenSearch)
        let words = TokenText.words(of: text)
        guard !words.isEmpty else { return nil }
        guard let table = recordType.tokenTable else {
            throw CloudError(.internalError, "\(recordType.name) has no table of words.")
        }
        return dialect.tokenSearch(table, allOf: words) { bind(.text($0)) }
    }
}

extension CloudPredicate.Node {
    /// Whether there is a search for words in the predicate.
    var searchesTokens: Bool {
        switch self {
        case .tokens(let text): !TokenText.words(of: text).isEmpty
        case .not(let node), .quantified(_, _, let node): node.searchesTokens
        case .and(let nodes), .or(let nodes): nodes.contains(where: \.searchesTokens)
        default: false
        }
    }
}
