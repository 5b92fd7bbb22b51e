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
        /// What drives, and how many rows it finds at most.
        case drive(QueryDrive, atMost: Int)
        case need(IndexNeed)
    }

    /// The condition that was found to match the fewest rows.
    private struct Fewest {
        var position: Int?
        var count = Int.max
        /// What has more rows is of no interest.
        var bound: Int
    }

    func choose() throws -> Choice {
        if let position = conjuncts.firstIndex(where: recordType.isRecord) {
            return .drive(drive(by: position), atMost: .max)
        }
        let equalities = self.equalities
        let candidates = self.candidates
        let isSortable = orderIndex(equal: nil) != nil
        var equal = equalities.first { hasIndex(of: $0) } ?? equalities.first
        if candidates.count + equalities.count > (isSortable && equalities.isEmpty ? 0 : 1) {
            if let index = missingIndex(of: equalities) { return .need(.columns(index)) }
            var fewest = Fewest(bound: try limit())
            for position in equalities where hasIndex(of: position) && !isEnough(fewest) {
                try consider(position, &fewest)
            }
            if let position = fewest.position {
                equal = position
                // Its rows are in order and need not be read to their end, so that only far fewer are better.
                fewest.bound /= 4
            }
            for position in candidates where !isEnough(fewest) {
                if let index = recordType.filterIndex(conjuncts[position]), isWanted(index) {
                    return .need(.columns(index))
                }
                if hasIndex(of: position) { try consider(position, &fewest) }
            }
            if let position = fewest.position, position != equal {
                return .drive(drive(by: position), atMost: fewest.count)
            }
        }
        if !isSortable, equal == nil {
            // Where sorting can't be helped, the fewer the better.
            for position in candidates {
                if let index = recordType.filterIndex(conjuncts[position]), isWanted(index) {
                    return .need(.columns(index))
                }
                if hasIndex(of: position) { return .drive(drive(by: position), atMost: .max) }
            }
        }
        let index = orderIndex(equal: equal.flatMap { recordType.equalColumn(conjuncts[$0]) })
        if let index, isWanted(index) { return .need(.columns(index)) }
        let onOrder = conjuncts.indices.lazy.filter { isOnOrder(conjuncts[$0]) }
        var drive = QueryDrive(drivers: Set(onOrder.prefix(Self.candidateLimit)))
        if let equal { drive.drivers.insert(equal) }
        for position in searches where try isFrequent(position, drive) { drive.checked.insert(position) }
        return .drive(drive, atMost: .max)
    }

    /// The conditions that fix a field to a value, whose rows an index can have in the order.
    private var equalities: [Int] {
        Array(
            conjuncts.indices.lazy.filter { recordType.equalColumn(conjuncts[$0]) != nil }.prefix(Self.candidateLimit)
        )
    }

    /// Whether an index finds what a condition matches; that of the words is always there.
    private func hasIndex(of position: Int) -> Bool {
        let node = conjuncts[position]
        if let column = recordType.equalColumn(node) {
            return recordType.hasIndex(startingWith: IndexDefinition(equal: [column], sorted: []))
        }
        return recordType.filterIndex(node).map(recordType.hasIndex) ?? node.searchesTokens
    }

    /// What the first equality without an index needs to be counted, and to drive if it finds the fewest.
    private func missingIndex(of equalities: [Int]) -> IndexDefinition? {
        guard let position = equalities.first(where: { !hasIndex(of: $0) }) else { return nil }
        return orderIndex(equal: recordType.equalColumn(conjuncts[position])).flatMap { isWanted($0) ? $0 : nil }
    }

    /// The other conditions that may find few records, the most promising ones first.
    private var candidates: [Int] {
        let positions = conjuncts.indices.filter { position in
            switch conjuncts[position] {
            case .tokens: true
            case let node: recordType.filterIndex(node) != nil && !isOnOrder(node)
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

    /// The number of rows up to which conditions are counted.
    private func limit() throws -> Int {
        let table = session.dialect.quoted(recordType.table)
        var records: Int64 = 0
        // An upper bound of the number of records that is found at once.
        // Rows are numbered by a sequence that starts anywhere. Each end is one look into the table.
        try session.connection.forEachRow(
            "SELECT (SELECT max(\"_row\") FROM \(table)) - (SELECT min(\"_row\") FROM \(table))"
        ) { records = $0.integer(at: 0) }
        return QueryDrive.limit(page: pageSize, records: records)
    }

    /// Counts what a condition finds in its index, and no further than it matters.
    private func consider(_ position: Int, _ fewest: inout Fewest) throws {
        var count = 0
        if let (matches, parameters) = try translation.matches(position) {
            let bound = session.dialect.nextPlaceholder(parameters.count + 1)
            try session.connection.forEachRow(
                "SELECT count(*) FROM (\(matches) LIMIT \(bound)) AS \"matches\"",
                parameters + [.integer(Int64(fewest.bound) + 1)]
            ) { count = Int($0.integer(at: 0)) }
        }
        guard count <= fewest.bound else { return }
        fewest = Fewest(position: position, count: count, bound: count - 1)
    }

    /// Whether so few rows were found that to look for fewer costs more than it saves.
    private func isEnough(_ fewest: Fewest) -> Bool { fewest.count <= 64 }
}
