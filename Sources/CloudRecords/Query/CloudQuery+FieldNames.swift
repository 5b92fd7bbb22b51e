extension CloudQuery {
    /// The names of all fields that the predicate and the order look at, system fields included.
    package var fieldNames: Set<String> {
        var names: Set<String> = []
        predicate.node.collectFieldNames(into: &names)
        for key in orderBy.keys {
            switch key {
            case .field(let name, _), .distance(let name, _): names.insert(name)
            }
        }
        return names
    }
}

extension CloudPredicate.Node {
    fileprivate func collectFieldNames(into names: inout Set<String>) {
        switch self {
        case .compare(let field, _, _), .between(let field, _, _), .oneOf(let field, _), .beginsWith(let field, _),
            .contains(let field, _), .near(let field, _, _):
            names.insert(field)
        case .not(let node):
            node.collectFieldNames(into: &names)
        case .and(let nodes), .or(let nodes):
            for node in nodes { node.collectFieldNames(into: &names) }
        case .everything, .nothing, .tokens, .malformed:
            break
        }
    }
}
