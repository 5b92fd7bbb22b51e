import CloudRecords

/// Chooses what drives a page, see ``QueryDrive``.
struct QueryPlanner {
    /// The most indexes that queries make for a record type: each makes every save dearer, and a program that makes
    /// up queries must not make saving impossible.
    static let indexLimit = 32

    /// The most conditions of which one is chosen: each may be counted for each page.
    private static let candidateLimit = 8

    let session: ReadSession
    let translation: QueryTranslation
    let pageSize: Int
    /// The longest stretch of the page; nil if it is the first page.
    let segment: KeysetSegment?
    /// Whether an index that would help is asked for when it is missing.
    let needsIndexes: Bool

    private var recordType: SQLRecordType { translation.recordType }
    private var sorting: [SortColumn] { translation.sorting }
    private var conjuncts: [CloudPredicate.Node] { translation.conjuncts }

    enum Choice {
        case drive(QueryDrive)
        case need(IndexNeed)
    }

    func choose() throws -> Choice {
        if let position = conjuncts.firstIndex(where: recordType.isRecord) {
            return .drive(drive(by: position))
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
        let onOrder = conjuncts.indices.lazy.filter { isOnOrder(conjuncts[$0]) }
        var drive = QueryDrive(drivers: Set(onOrder.prefix(Self.candidateLimit)))
        if let equal { drive.drivers.insert(equal) }
        for position in searches where try isFrequent(position, drive) { drive.checked.insert(position) }
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
        return Array((words + positions.filter { !conjuncts[$0].searchesTokens }).prefix(Self.candidateLimit))
    }

    /// A drive by a condition that finds few records; searches for words look at those only.
    private func drive(by position: Int) -> QueryDrive {
        QueryDrive(drivers: [position], followsOrder: false, checked: Set(searches.filter { $0 != position }))
    }

    /// The positions of the searches for words.
    private var searches: [Int] {
        conjuncts.indices.filter { position in
            if case .tokens = conjuncts[position] { true } else { false }
        }
    }

    /// Whether a good part of the rows from where the page begins has the words.
    private func isFrequent(_ position: Int, _ drive: QueryDrive) throws -> Bool {
        guard case .tokens(let text) = conjuncts[position] else { return false }
        let rows = min(max(pageSize, 16), 64)
        guard
            let sample = try translation.pages(drive).sample(
                segment,
                rows: rows,
                having: { translation.wordCheck(text, number: $0) }
            )
        else { return false }
        var count: Int64 = 0
        try session.connection.forEachRow(sample.sql, sample.parameters) { count = $0.integer(at: 0) }
        return count * 4 >= rows
    }

    private func consider(_ position: Int) throws -> Choice? {
        let node = conjuncts[position]
        if let index = recordType.filterIndex(node) {
            if isWanted(index) { return .need(.columns(index)) }
            guard recordType.hasIndex(startingWith: index) else { return nil }
        }
        // Where sorting can't be helped, the fewer the better.
        if orderIndex(equal: nil) == nil { return .drive(drive(by: position)) }
        guard try isSelective(position) else { return nil }
        return .drive(drive(by: position))
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
            && !recordType.hasIndex(startingWith: index)
    }

    /// Whether a condition finds few records: they are counted in its index, and no further than it matters.
    private func isSelective(_ position: Int) throws -> Bool {
        guard let (matches, parameters) = try translation.matches(position) else { return true }
        let table = session.dialect.quoted(recordType.table)
        var records: Int64 = 0
        // An upper bound of the number of records that is found at once.
        // Rows are numbered by a sequence that starts anywhere. Each end is one look into the table.
        try session.connection.forEachRow(
            "SELECT (SELECT max(\"_row\") FROM \(table)) - (SELECT min(\"_row\") FROM \(table))"
        ) { records = $0.integer(at: 0) }
        let limit = QueryDrive.limit(page: pageSize, records: records)
        let bound = session.dialect.nextPlaceholder(parameters.count + 1)
        var count: Int64 = 0
        try session.connection.forEachRow(
            "SELECT count(*) FROM (\(matches) LIMIT \(bound)) AS \"matches\"",
            parameters + [.integer(Int64(limit) + 1)]
        ) { count = $0.integer(at: 0) }
        return count <= Int64(limit)
    }
}
