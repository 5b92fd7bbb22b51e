import CloudRecords

extension PredicateTranslator {
    /// A text without differences of case or diacritics.
    func folded(_ text: String, _ options: TextOptions) throws -> String {
        if options.isEmpty { return text }
        return try require(dialect.folded(text, options), "the modifier \(options)")
    }

    /// The text that a name stands for; nil for a field that no record has.
    private func text(_ name: String, _ operation: String) throws -> SQLOperand? {
        switch subject(name) {
        case .missing: return nil
        case .recordID: return recordName
        case .value(let operand): return operand
        case .changeTag:
            let tag = dialect.changeTag(ofSequence: column(SystemColumn.sequence.rawValue))
            return SQLOperand(sql: try require(tag, "\(operation) on change tags"), type: .string)
        case .user: return nil
        }
    }

    mutating func beginsWith(_ name: String, _ prefix: String, _ options: TextOptions) throws -> String {
        guard let text = try text(name, "BEGINSWITH") else { return Self.never }
        return begins(try folded(text.sql, options), with: TextFolding.folded(prefix, options))
    }

    /// As a range, which an index finds.
    private mutating func begins(_ text: String, with prefix: String) -> String {
        let lower = "\(text) >= \(bindComparand(.text(prefix)))"
        guard let successor = TextPrefix.successor(prefix) else { return lower }
        return "\(lower) AND \(text) < \(bindComparand(.text(successor)))"
    }

    mutating func endsWith(_ name: String, _ suffix: String, _ options: TextOptions) throws -> String {
        guard let text = try text(name, "ENDSWITH") else { return Self.never }
        let suffix = TextFolding.folded(suffix, options)
        if suffix.isEmpty { return "\(text.sql) IS NOT NULL" }
        let count = bindComparand(.integer(Int64(suffix.unicodeScalars.count)))
        return dialect.text(try folded(text.sql, options), endsWith: bindComparand(.text(suffix)), count: count)
    }

    mutating func like(_ name: String, _ pattern: String, _ options: TextOptions) throws -> String {
        guard let text = try text(name, "LIKE") else { return Self.never }
        var terms: [String] = []
        let prefix = options.isEmpty ? LikePattern(pattern, options).literalPrefix : ""
        if !prefix.isEmpty { terms.append(begins(text.sql, with: prefix)) }
        let matches = dialect.text(text.sql, isLike: bind(.text(pattern)), options)
        terms.append(try require(matches, "LIKE\(options)"))
        return terms.joined(separator: " AND ")
    }

    /// Membership in a list, a substring in a text.
    mutating func contains(_ name: String, _ value: CloudValue, _ options: TextOptions) throws -> String {
        if case .value(let operand) = subject(name), operand.type == .string, case .string(let text) = value {
            let part = bindComparand(.text(TextFolding.folded(text, options)))
            return dialect.text(try folded(operand.sql, options), contains: part)
        }
        return try quantified(.any, name, .compare(field: name, .equal, value, options))
    }
}
