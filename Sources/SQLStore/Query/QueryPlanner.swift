import CloudRecords

/// Chooses what drives a page, see ``QueryDrive``.
struct QueryPlanner {
    /// The most indexes that queries make for a record type: each makes every save dearer, and a program that makes
    /// up queries must not make saving impossible.
    static let indexLimit = 32

    let session: ReadSession
    let recordType: SQLRecordType
    let capabilities: CloudCapabilities
    let sorting: [SortColumn]
    let conjuncts: [CloudPredicate.Node]
    let pageSize: Int
    /// Whether an index that would help is asked for when it is missing.
    let needsIndexes: Bool

    enum Choice {
        case drive(QueryDrive)
        case need(IndexNeed)
    }

    func choose() throws -> Choice {
        if let position = conjuncts.firstIndex(where: recordType.isRecord) {
            return .drive(QueryDrive(drivers: [position], followsOrder: false))
        }
        let equal = conjuncts.firstIndex { recordType.equalColumn($0) != nil }
        for position in candidates(hasEqual: equal != nil) {
            switch try consider(position) {
            case .drive(let drive): return .drive(drive)
            case .need(let index): return .need(index)
            case nil: continue
            }
        }
        let index = orderIndex(equal: equal.flatMap { recordType.equalColumn(conjuncts[$0]) })
        if let index, isWanted(index) { return .need(.columns(index)) }
        var drive = QueryDrive(drivers: Set(conjuncts.indices.filter { isOnOrder(conjuncts[$0]) }))
        if let equal { drive.drivers.insert(equal) }
        return .drive(drive)
    }

    /// The conditions that may find few records, the most promising ones first.
    private func candidates(hasEqual: Bool) -> [Int] {
        let positions = conjuncts.indices.filter { position in
            switch conjuncts[position] {
            case .tokens: true
            case .near: recordType.filterIndex(conjuncts[position]) != nil
            default: !hasEqual && recordType.filterIndex(conjuncts[position]) != nil && !isOnOrder(conjuncts[position])
            }
        }
        let words = positions.filter { conjuncts[$0].searchesTokens }
        return words + positions.filter { !conjuncts[$0].searchesTokens }
    }

    private func consider(_ position: Int) throws -> Choice? {
        let node = conjuncts[position]
        if let index = recordType.filterIndex(node) {
            if isWanted(index) { return .need(.columns(index)) }
            guard recordType.indexes.contains(index.name(inTable: recordType.table)) else { return nil }
        }
        // Where sorting can't be helped, the fewer the better.
        if orderIndex(equal: nil) == nil { return .drive(QueryDrive(drivers: [position], followsOrder: false)) }
        guard try isSelective(node) else { return nil }
        return .drive(QueryDrive(drivers: [position], followsOrder: false))
    }

    /// Whether a range or set of the first column of the order is found by the order's index.
    private func isOnOrder(_ node: CloudPredicate.Node) -> Bool {
        guard let first = sorting.first?.name, let index = recordType.filterIndex(node) else { return false }
        return index.columns.first?.name == first
    }

    /// The index that gives the order; nil if none does, because it begins with a distance.
    private func orderIndex(equal: String?) -> IndexDefinition? {
        let columns = sorting.prefix { $0.expression == nil }.compactMap { column in
            column.name.map { IndexDefinition.Column(name: $0, isAscending: column.key.isAscending) }
        }
        guard !columns.isEmpty || equal != nil else { return nil }
        return IndexDefinition(equal: equal.map { [$0] } ?? [], sorted: columns)
    }

    private func isWanted(_ index: IndexDefinition) -> Bool {
        needsIndexes && recordType.indexes.count < Self.indexLimit
            && !recordType.indexes.contains(index.name(inTable: recordType.table))
    }

    /// Whether a condition finds few records: they are counted in its index, and no further than it matters.
    private func isSelective(_ node: CloudPredicate.Node) throws -> Bool {
        let dialect = session.dialect
        let table = dialect.quoted(recordType.table)
        var last: Int64 = 0
        // An upper bound of the number of records that is found at once.
        // Rows are numbered by a sequence that starts anywhere. Each end is one look into the table.
        try session.connection.forEachRow(
            "SELECT (SELECT max(\"_row\") FROM \(table)) - (SELECT min(\"_row\") FROM \(table))"
        ) { last = $0.integer(at: 0) }
        let limit = QueryDrive.limit(page: pageSize, records: last)
        var translator = PredicateTranslator(
            recordType: recordType,
            schema: session.schema,
            dialect: dialect,
            capabilities: capabilities
        )
        let matches: String
        switch node {
        case .tokens(let text):
            guard let search = try translator.tokenSearch(text) else { return true }
            matches = search
        case .near(let name, let place, let metres):
            guard let field = recordType.field(name) else { return true }
            let box = translator.box(field, around: place, metres)
            matches = "SELECT 1 FROM \(table) WHERE \(box.joined(separator: " AND "))"
        default:
            matches = "SELECT 1 FROM \(table) WHERE \(try translator.sql(node))"
        }
        let bound = translator.bind(.integer(Int64(limit) + 1))
        var count: Int64 = 0
        try session.connection.forEachRow(
            "SELECT count(*) FROM (\(matches) LIMIT \(bound)) AS \"matches\"",
            translator.parameters
        ) { count = $0.integer(at: 0) }
        return count <= Int64(limit)
    }
}
