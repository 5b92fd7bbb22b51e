import CloudRecords

extension PredicateTranslator {
    /// The terms of an OR.
    ///
    /// Many prefixes of one field are a set of texts for each length, which the start of the field's text is looked for
    /// in: as terms of their own they would take the engine more time to read than to answer.
    mutating func alternatives(_ nodes: [CloudPredicate.Node]) throws -> [String] {
        guard nodes.count > Self.fewPrefixes else { return try nodes.map { try sql($0) } }
        var prefixes: [String: [Int: [String]]] = [:]
        for node in nodes {
            if let (field, prefix) = plainPrefix(node) {
                prefixes[field, default: [:]][prefix.unicodeScalars.count, default: []].append(prefix)
            }
        }
        prefixes = prefixes.mapValues { $0.filter { $0.value.count > Self.fewPrefixes } }
        let others = nodes.filter { node in
            guard let (field, prefix) = plainPrefix(node) else { return true }
            return prefixes[field]?[prefix.unicodeScalars.count] == nil
        }
        var terms = try others.map { try sql($0) }
        // In an order that is the same each time.
        for (field, sets) in prefixes.sorted(by: { $0.key < $1.key }) {
            guard case .value(let operand) = subject(field) else { continue }
            for (count, texts) in sets.sorted(by: { $0.key < $1.key }) {
                let list = bind(.text(JSONText.array(texts.map { .text($0) }).encoded))
                terms.append(dialect.isElement(dialect.text(operand.sql, upTo: count), ofList: list, .plain))
            }
        }
        return terms
    }

    /// The number of prefixes that are compared one by one.
    private static let fewPrefixes = 16

    /// The prefix that a node looks for in a text field as it is.
    private func plainPrefix(_ node: CloudPredicate.Node) -> (field: String, prefix: String)? {
        guard case .beginsWith(let field, let prefix, []) = node, !prefix.isEmpty, element == nil,
            case .value(let operand) = subject(field), operand.type == .string
        else { return nil }
        return (field, prefix)
    }
}
