import CloudRecords

/// Writes a predicate as SQL with bound values.
///
/// The SQL of a node is true for the records that the node matches, and false or null for the others. `IS NOT TRUE`
/// makes NOT two-valued, so that nulls never leak through it.
///
/// The query has passed ``QueryCheck``, so that values are of their fields' types.
struct PredicateTranslator {
    let recordType: SQLRecordType
    let schema: SQLSchema
    let dialect: any SQLDialect
    let capabilities: CloudCapabilities
    /// Whether the engine may look for what it writes in an index, see ``QueryDrive``.
    var usesIndexes = true
    /// The element that a name stands for inside of ANY, ALL and NONE.
    var element: (name: String, operand: SQLOperand)?
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

    /// The condition as SQL.
    ///
    /// - Throws: ``CloudError/Code/unsupported`` for what the store can't do.
    mutating func sql(_ node: CloudPredicate.Node) throws -> String {
        switch node {
        case .everything: return Self.always
        case .nothing: return Self.never
        case .compare(let field, let comparison, let value, let options):
            return try compare(subject(field), comparison, value, options)
        case .between(let field, let low, let high):
            let lower = try compare(subject(field), .greaterOrEqual, low, [])
            let upper = try compare(subject(field), .lessOrEqual, high, [])
            return "(\(lower)) AND (\(upper))"
        case .oneOf(let field, let values): return try oneOf(subject(field), values)
        case .beginsWith(let field, let prefix, let options): return try beginsWith(field, prefix, options)
        case .endsWith(let field, let suffix, let options): return try endsWith(field, suffix, options)
        case .like(let field, let pattern, let options): return try like(field, pattern, options)
        case .contains(let field, let value, let options): return try contains(field, value, options)
        case .quantified(let quantifier, let field, let node): return try quantified(quantifier, field, node)
        case .tokens(let text): return try tokens(text)
        case .near(let field, let place, let metres): return try near(field, place, metres)
        case .not(let node): return "(\(try inside { try $0.sql(node) })) IS NOT TRUE"
        case .and(let nodes): return Self.joined(try nodes.map { try sql($0) }, "AND") ?? Self.always
        case .or(let nodes):
            let terms = try inside { translator in try nodes.map { try translator.sql($0) } }
            return Self.joined(terms, "OR") ?? Self.never
        case .malformed(let message, let remedy, let code):
            throw CloudError(code, message, remedy: remedy)
        }
    }

    static let always = "1 = 1"
    static let never = "1 = 0"

    /// What a part of a condition writes, which no index can find.
    mutating func inside<Value>(_ body: (inout PredicateTranslator) throws -> Value) rethrows -> Value {
        let before = usesIndexes
        usesIndexes = false
        defer { usesIndexes = before }
        return try body(&self)
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

    // MARK: Names

    /// What a name in the predicate stands for.
    func subject(_ name: String) -> PredicateSubject {
        if let element, element.name == name { return .value(element.operand) }
        switch SystemField(rawValue: name) {
        case .recordID: return .recordID
        case .recordChangeTag: return .changeTag
        case .creationDate: return .value(SQLOperand(sql: column(SystemColumn.created.rawValue), type: .date))
        case .modificationDate: return .value(SQLOperand(sql: column(SystemColumn.modified.rawValue), type: .date))
        case .creatorUserRecordID: return .user(column(SystemColumn.creator.rawValue))
        case .lastModifiedUserRecordID: return .user(column(SystemColumn.modifier.rawValue))
        case nil: break
        }
        guard let field = recordType.field(name) else { return .missing }
        return .value(SQLOperand(sql: column(field.column), type: field.type))
    }

    func column(_ name: String) -> String {
        // With the table: the engine's functions on lists have columns of their own, such as value and key.
        let quoted = "\(dialect.quoted(recordType.table)).\(dialect.quoted(name))"
        return usesIndexes ? quoted : dialect.unindexed(quoted)
    }

    /// Refuses what the engine has no SQL for.
    func require(_ sql: String?, _ construct: String) throws -> String {
        guard let sql else { throw CloudError.unsupported(construct, by: capabilities.storeName) }
        return sql
    }
}
