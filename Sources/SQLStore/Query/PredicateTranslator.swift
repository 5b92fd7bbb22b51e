import CloudRecords

/// Writes a predicate as SQL with bound values.
///
/// The SQL of a node is true for the records that the node matches, and false or null for the others. `IS NOT TRUE`
/// makes NOT two-valued, so that nulls never leak through it.
struct PredicateTranslator {
    let recordType: SQLRecordType
    let schema: SQLSchema
    let dialect: any SQLDialect
    let capabilities: CloudCapabilities
    /// The values of the placeholders, in their order.
    private(set) var parameters: [SQLValue] = []

    init(
        recordType: SQLRecordType,
        schema: SQLSchema,
        dialect: any SQLDialect,
        capabilities: CloudCapabilities
    ) {
        self.recordType = recordType
        self.schema = schema
        self.dialect = dialect
        self.capabilities = capabilities
    }

    /// Binds a value and returns its placeholder.
    mutating func bind(_ value: SQLValue) -> String {
        parameters.append(value)
        return dialect.placeholder(parameters.count)
    }

    /// The conditions that all have to be true.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a value of another type than its field's,
    ///   ``CloudError/Code/unsupported`` for what the store can't do.
    mutating func conditions(_ node: CloudPredicate.Node) throws -> [String] {
        if case .everything = node { return [] }
        return ["(\(try sql(node)))"]
    }

    /// The columns that the predicate fixes to one value, at most one: it pays to have it first in the index.
    func equalColumns(_ node: CloudPredicate.Node) -> [String] {
        switch node {
        case .and(let nodes):
            return Array(nodes.lazy.flatMap { equalColumns($0) }.prefix(1))
        case .compare(let name, .equal, _?):
            guard let field = recordType.field(name) else { return [] }
            switch field.kind {
            case .string, .int64, .double, .date, .reference: return [field.column]
            case .bytes, .location, .asset, .list: return []
            }
        default:
            return []
        }
    }

    private mutating func sql(_ node: CloudPredicate.Node) throws -> String {
        switch node {
        case .everything: return "1 = 1"
        case .nothing: return "1 = 0"
        case .compare(let field, let comparison, let value):
            return try compare(operand(field), comparison, value)
        case .between(let field, let low, let high):
            let operand = operand(field)
            let lower = try compare(operand, .greaterOrEqual, low)
            let upper = try compare(operand, .lessOrEqual, high)
            return "(\(lower)) AND (\(upper))"
        case .oneOf(let field, let values): return try oneOf(operand(field), values)
        case .beginsWith(let field, let prefix): return try beginsWith(operand(field), prefix)
        case .contains(let field, let value): return try contains(operand(field), value)
        case .tokens: throw capabilities.unsupported(.tokenSearch)
        case .near: throw capabilities.unsupported(.distanceQueries)
        case .not(let node): return "(\(try sql(node))) IS NOT TRUE"
        case .and(let nodes): return Self.joined(try nodes.map { try sql($0) }, "AND") ?? "1 = 1"
        case .or(let nodes): return Self.joined(try nodes.map { try sql($0) }, "OR") ?? "1 = 0"
        case .malformed(let message, let remedy, let code):
            throw CloudError(code, message, remedy: remedy)
        }
    }

    /// Joins terms in halves: engines limit how deep an expression may be, not how long.
    static func joined(_ terms: some RandomAccessCollection<String>, _ word: String) -> String? {
        guard let first = terms.first else { return nil }
        if terms.count == 1 { return first }
        let half = terms.count / 2
        guard let left = joined(terms.prefix(half), word), let right = joined(terms.dropFirst(half), word) else {
            return first
        }
        return "(\(left)) \(word) (\(right))"
    }

    // MARK: Operands

    /// What a name in a predicate stands for.
    private enum Operand {
        case field(SQLField)
        case system(SystemField)
        /// A field that no record has.
        case unknown
    }

    private func operand(_ name: String) -> Operand {
        if let field = SystemField(rawValue: name) { return .system(field) }
        return recordType.field(name).map(Operand.field) ?? .unknown
    }

    private mutating func compare(
        _ operand: Operand,
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?
    ) throws -> String {
        switch operand {
        case .system(.recordID): return try compareRecordID(comparison, value)
        case .system(.recordChangeTag): return try compareChangeTag(comparison, value)
        case .system(let field):
            let column = SystemOperand(field)
            guard let value else { return try compareWithNull(comparison, column: column.column) }
            return try compare(column.column, comparison, column.value(value, of: recordType))
        case .unknown:
            switch comparison {
            case .equal: return value == nil ? "1 = 1" : "1 = 0"
            case .notEqual: return value == nil ? "1 = 0" : "1 = 1"
            default: return "1 = 0"
            }
        case .field(let field):
            guard let value else { return try compareWithNull(comparison, column: field.column) }
            let check = ComparisonCheck(field: field, recordType: recordType)
            try check.require(value, isOrder: comparison != .equal && comparison != .notEqual)
            return try compare(field.column, comparison, check.bound(value))
        }
    }

    private func compareWithNull(_ comparison: CloudPredicate.Comparison, column: String) throws -> String {
        switch comparison {
        case .equal: "\(dialect.quoted(column)) IS NULL"
        case .notEqual: "\(dialect.quoted(column)) IS NOT NULL"
        default: "1 = 0"
        }
    }

    private mutating func compare(
        _ column: String,
        _ comparison: CloudPredicate.Comparison,
        _ value: SQLValue
    ) throws -> String {
        let column = dialect.quoted(column)
        let placeholder = bind(value)
        return switch comparison {
        case .equal: "\(column) = \(placeholder)"
        case .notEqual: dialect.isDistinct(column, from: placeholder)
        case .less: "\(column) < \(placeholder)"
        case .lessOrEqual: "\(column) <= \(placeholder)"
        case .greater: "\(column) > \(placeholder)"
        case .greaterOrEqual: "\(column) >= \(placeholder)"
        }
    }

    // MARK: System fields

    private mutating func compareRecordID(
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?
    ) throws -> String {
        guard let value else { return comparison == .notEqual ? "1 = 1" : "1 = 0" }
        switch comparison {
        case .equal: return try isRecordID(value)
        case .notEqual: return "(\(try isRecordID(value))) IS NOT TRUE"
        default:
            let name = try SystemOperand(.recordID).value(value, of: recordType)
            return try compare(SystemColumn.name.rawValue, comparison, name)
        }
    }

    /// By the directory of names, which has the only index by name.
    private mutating func isRecordID(_ value: CloudValue) throws -> String {
        let zoneCondition: String
        let name: String
        switch value {
        case .reference(let reference):
            name = reference.recordID.recordName
            zoneCondition = " AND \"zone_id\" = \(bind(.integer(schema.zone(reference.recordID.zoneID) ?? -1)))"
        case .string(let text):
            name = text
            zoneCondition = ""
        default:
            throw SystemOperand.mismatch(.recordID, value, recordType)
        }
        return """
            "_row" IN (SELECT "row_id" FROM "_names" WHERE "record_name" = \(bind(.text(name)))\(zoneCondition) \
            AND "type_id" = \(bind(.integer(recordType.id))))
            """
    }

    private mutating func compareChangeTag(
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?
    ) throws -> String {
        guard comparison == .equal || comparison == .notEqual else {
            throw CloudError(
                .invalidArguments,
                "The change tags of \(recordType.name) have no order, so \(comparison.rawValue) can't compare them.",
                remedy: "Compare change tags with == or != only.",
                field: SystemField.recordChangeTag.rawValue
            )
        }
        guard let value else { return comparison == .notEqual ? "1 = 1" : "1 = 0" }
        guard case .string(let tag) = value else {
            throw SystemOperand.mismatch(.recordChangeTag, value, recordType)
        }
        return try compare(SystemColumn.sequence.rawValue, comparison, .integer(ChangeTag.sequence(tag) ?? -1))
    }

    // MARK: Sets, prefixes, membership

    private mutating func oneOf(_ operand: Operand, _ values: [CloudValue?]) throws -> String {
        let hasNull = values.contains(nil)
        let values = values.compactMap(\.self)
        let column: String
        let bound: [SQLValue]
        switch operand {
        case .unknown: return hasNull ? "1 = 1" : "1 = 0"
        case .system(.recordID), .system(.recordChangeTag):
            return Self.joined(try values.map { try compare(operand, .equal, $0) }, "OR") ?? "1 = 0"
        case .system(let field):
            column = SystemOperand(field).column
            bound = try values.map { try SystemOperand(field).value($0, of: recordType) }
        case .field(let field):
            let check = ComparisonCheck(field: field, recordType: recordType)
            for value in values { try check.require(value, isOrder: false) }
            column = field.column
            bound = values.map(check.bound)
        }
        var terms: [String] = []
        if !bound.isEmpty { terms.append(isOneOf(dialect.quoted(column), bound)) }
        if hasNull { terms.append("\(dialect.quoted(column)) IS NULL") }
        return Self.joined(terms, "OR") ?? "1 = 0"
    }

    private mutating func isOneOf(_ column: String, _ values: [SQLValue]) -> String {
        let elements = values.compactMap { value -> JSONText? in
            switch value {
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .null, .real, .blob: nil
            }
        }
        // Many values as one parameter: their number then neither limits the query nor makes another statement.
        if values.count > 16, elements.count == values.count {
            return dialect.isElement(column, ofList: bind(.text(JSONText.array(elements).encoded)))
        }
        return "\(column) IN (\(values.map { bind($0) }.joined(separator: ", ")))"
    }

    private mutating func beginsWith(_ operand: Operand, _ prefix: String) throws -> String {
        let column: String
        switch operand {
        case .unknown: return "1 = 0"
        case .system(.recordID): column = SystemColumn.name.rawValue
        case .system(let field): throw SystemOperand.mismatch(field, .string(prefix), recordType)
        case .field(let field):
            guard field.type == .string else {
                throw ComparisonCheck(field: field, recordType: recordType).mismatch("text")
            }
            column = field.column
        }
        let lower = "\(dialect.quoted(column)) >= \(bind(.text(prefix)))"
        guard let successor = TextPrefix.successor(prefix) else { return lower }
        return "\(lower) AND \(dialect.quoted(column)) < \(bind(.text(successor)))"
    }

    private mutating func contains(_ operand: Operand, _ value: CloudValue) throws -> String {
        guard case .field(let field) = operand else {
            guard case .system(let system) = operand else { return "1 = 0" }
            throw SystemOperand.mismatch(system, value, recordType)
        }
        let check = ComparisonCheck(field: field, recordType: recordType)
        switch field.type {
        case .list(of: nil):
            return "1 = 0"
        case .list(of: let elementType?):
            try check.requireElement(value, of: elementType)
            let elements = check.elements(value).map { element -> String in
                switch element {
                case .real(let number):
                    return dialect.listElement(bind(.text(JSONText.array([.real(number)]).encoded)))
                case .integer(let number): return bind(.integer(number))
                case .text(let text): return bind(.text(text))
                case .null, .bool, .array: return bind(.text(element.encoded))
                }
            }
            return dialect.listColumn(dialect.quoted(field.column), containsOneOf: elements)
        case .string:
            guard case .string(let text) = value else { throw check.mismatch(value.fieldType.description) }
            return dialect.text(dialect.quoted(field.column), contains: bind(.text(text)))
        default:
            throw check.mismatch("CONTAINS")
        }
    }
}
