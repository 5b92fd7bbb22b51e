import CloudRecords

extension PredicateTranslator {
    /// All words occur in some text field; nothing has no words.
    mutating func tokens(_ text: String) throws -> String {
        guard element == nil else {
            throw CloudError.unsupported("a search for words in the elements of a list", by: capabilities.storeName)
        }
        if checksWords, let (condition, words) = wordCheck(text, number: parameters.count + 1) {
            _ = bind(.text(words))
            return condition
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

    /// The same of the row's own texts; nil if the engine can't tell so.
    ///
    /// - Parameter number: The number of the parameter that is to be bound to the words.
    func wordCheck(_ text: String, number: Int) -> (condition: String, words: String)? {
        let words = TokenText.words(of: text)
        let columns = recordType.fields.filter { $0.kind == .string }.map { qualified($0.column) }
        guard
            !words.isEmpty, !columns.isEmpty,
            let condition = dialect.row(columns, hasWordsOf: dialect.nextPlaceholder(number))
        else { return nil }
        return (condition, words.joined(separator: " "))
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
