import CloudRecords

extension CloudPredicate.Node {
    /// The same predicate with alternatives of one field's value as one set: `a == 1 OR a == 2` is `a IN {1, 2}`, and
    /// `a != 1 AND a != 2` is `NOT a IN {1, 2}`.
    ///
    /// A set is found by an index, and costs little however large it is.
    var merged: CloudPredicate.Node {
        switch self {
        case .not(let node): .not(node.merged)
        case .quantified(let quantifier, let field, let node): .quantified(quantifier, field: field, node.merged)
        case .or(let nodes): Self.joined(Self.merged(nodes, .equal) { $0 }) { .or($0) }
        case .and(let nodes): Self.joined(Self.merged(nodes, .notEqual) { .not($0) }) { .and($0) }
        default: self
        }
    }

    /// A node alone without a connective around it, below which an index is not looked for.
    private static func joined(
        _ nodes: [CloudPredicate.Node],
        _ connective: ([CloudPredicate.Node]) -> CloudPredicate.Node
    ) -> CloudPredicate.Node {
        nodes.count == 1 ? nodes[0] : connective(nodes)
    }

    /// The nodes with one set for each field that is compared so more than once, where the first comparison was.
    private static func merged(
        _ nodes: [CloudPredicate.Node],
        _ comparison: CloudPredicate.Comparison,
        _ makeNode: (CloudPredicate.Node) -> CloudPredicate.Node
    ) -> [CloudPredicate.Node] {
        var values: [String: [CloudValue?]] = [:]
        for case .compare(let field, comparison, let value?, []) in nodes { values[field, default: []].append(value) }
        var isMade: Set<String> = []
        return nodes.compactMap { node in
            guard case .compare(let field, comparison, _?, []) = node, let set = values[field], set.count > 1 else {
                return node.merged
            }
            return isMade.insert(field).inserted ? makeNode(.oneOf(field: field, set)) : nil
        }
    }
}
