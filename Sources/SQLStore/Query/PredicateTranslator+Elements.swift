import CloudRecords

extension PredicateTranslator {
    /// ANY, ALL and NONE. No element of a list that is null, absent or empty exists: ANY is false for it, ALL and
    /// NONE are true. The same goes for what another tool wrote and is no list.
    mutating func quantified(
        _ quantifier: CloudPredicate.Quantifier,
        _ name: String,
        _ node: CloudPredicate.Node
    ) throws -> String {
        guard case .value(let list) = subject(name), case .list(of: let elementType?) = list.type else {
            return quantifier == .any ? Self.never : Self.always
        }
        let outer = element
        element = (name, SQLOperand(sql: dialect.element, type: elementType, isElement: true))
        defer { element = outer }
        let condition = try inside { try $0.sql(node) }
        return switch quantifier {
        case .any: dialect.list(list.sql, hasElementWhere: condition)
        case .none: "(\(dialect.list(list.sql, hasElementWhere: condition))) IS NOT TRUE"
        case .all: "(\(dialect.list(list.sql, hasElementWhere: "(\(condition)) IS NOT TRUE"))) IS NOT TRUE"
        }
    }
}
