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
    /// Whether a search for words looks at the row's own texts and not into the table of words, see ``QueryDrive``.
    var checksWords = false
    /// Whether the placeholders may stand in several places of a statement, at the beginning of its parameters.
    var repeatsPlaceholders = false
    /// The values of the placeholders, in their order in the text.
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

    /// Binds a value and returns its placeholder, which has to stand behind those that were returned before.
    mutating func bind(_ value: SQLValue) -> String {
        parameters.append(value)
        return repeatsPlaceholders
            ? dialect.placeholder(parameters.count) : dialect.nextPlaceholder(parameters.count)
    }

    /// Binds a value to compare with. When there are many, engines had better not take them for constants.
    mutating func bindComparand(_ value: SQLValue) -> String {
        let placeholder = bind(value)
        guard !usesIndexes, parameters.count > Self.constantLimit else { return placeholder }
        return dialect.nextPlaceholder(placeholder, besideColumn: qualified(SystemColumn.row.rawValue))
    }

    /// Begins another statement.
    mutating func forgetParameters() {
        parameters = []
    }

    /// The number of comparands that an engine may take for constants.
    static let constantLimit = 2_000

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
        case .and(let nodes):
            return Self.joined(try Self.deepestFirst(nodes).map { try sql($0) }, "AND") ?? Self.always
        case .or(let nodes):
            let terms = try inside { translator in try translator.alternatives(Self.deepestFirst(nodes)) }
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

    /// Joins terms in groups of groups: engines limit how deep an expression may be, not how long. A chain without
    /// parentheses is as deep as it is long, but needs no more of the parser's stack than a single term.
    static func joined(_ terms: [String], _ word: String) -> String? {
        var terms = terms
        while terms.count > 1 {
            terms = stride(from: 0, to: terms.count, by: chainLength).map { start in
                let group = terms[start..<min(start + chainLength, terms.count)]
                guard group.count > 1 else { return group[start] }
                return group.map { "(\($0))" }.joined(separator: " \(word) ")
            }
        }
        return terms.first
    }

    private static let chainLength = 16

    /// The nodes with those first that nest deepest: a parser remembers less before the first term than before others.
    private static func deepestFirst(_ nodes: [CloudPredicate.Node]) -> [CloudPredicate.Node] {
        guard nodes.contains(where: { $0.parserDepth > 1 }) else { return nodes }
        return nodes.map { (node: $0, depth: $0.parserDepth) }.enumerated().sorted { left, right in
            left.element.depth == right.element.depth
                ? left.offset < right.offset : left.element.depth > right.element.depth
        }.map(\.element.node)
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
        usesIndexes ? qualified(name) : dialect.unindexed(qualified(name))
    }

    func qualified(_ name: String) -> String {
        "\(dialect.quoted(recordType.table)).\(dialect.quoted(name))"
    }

    /// Refuses what the engine has no SQL for.
    func require(_ sql: String?, _ construct: String) throws -> String {
        guard let sql else { throw CloudError.unsupported(construct, by: capabilities.storeName) }
        return sql
    }
}

extension CloudPredicate.Node {
    /// How much a parser has to remember at the deepest point of the node: one level's parenthesis before its first
    /// term, and the terms before and their operator too before another one.
    fileprivate var parserDepth: Int {
        switch self {
        case .not(let node): return node.parserDepth + 1
        case .quantified(_, _, let node): return node.parserDepth + 8
        case .and(let nodes), .or(let nodes):
            let depths = nodes.map(\.parserDepth).sorted(by: >)
            return max((depths.first ?? 0) + 1, (depths.dropFirst().first ?? 0) + 3)
        default: return 1
        }
    }
}
