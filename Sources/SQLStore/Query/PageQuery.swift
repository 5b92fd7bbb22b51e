import CloudRecords

/// The SQL of a page's statements.
struct PageQuery {
    let recordType: SQLRecordType
    let plan: ReadPlan
    let sorting: [SortColumn]
    /// Whether an index gives the order.
    let followsOrder: Bool
    let dialect: any SQLDialect
    /// Where the sort columns are in the result; nil for those that the schema doesn't know.
    let sortColumnPositions: [Int?]
    private let resultColumns: String

    init(
        recordType: SQLRecordType,
        plan: ReadPlan,
        sorting: [SortColumn],
        followsOrder: Bool,
        dialect: any SQLDialect
    ) {
        self.recordType = recordType
        self.plan = plan
        self.sorting = sorting
        self.followsOrder = followsOrder
        self.dialect = dialect
        var resultColumns = plan.selectList
        var names = plan.columnNames
        var positions: [Int?] = []
        for column in sorting {
            if let expression = column.expression {
                positions.append(names.count)
                names.append(expression)
                resultColumns += ", " + expression
                continue
            }
            guard let name = column.name else {
                positions.append(nil)
                continue
            }
            if let position = names.firstIndex(of: name) {
                positions.append(position)
            } else {
                positions.append(names.count)
                names.append(name)
                resultColumns += ", " + dialect.quoted(name)
            }
        }
        self.resultColumns = resultColumns
        sortColumnPositions = positions
    }

    /// What to sort by; nil for what is null everywhere.
    private func operand(_ column: SortColumn) -> String? {
        if let expression = column.expression { return expression }
        guard let name = column.name.map(dialect.quoted) else { return nil }
        return followsOrder ? name : dialect.unindexed(name)
    }

    /// The statement that reads a stretch of the result, or all of it; nil if the stretch is empty for sure.
    func statement(
        _ segment: KeysetSegment?,
        _ conditions: [String],
        _ parameters: [SQLValue],
        limit: Int
    ) -> (sql: String, parameters: [SQLValue])? {
        var conditions = conditions
        var parameters = parameters
        if let segment {
            guard let own = self.conditions(segment, &parameters) else { return nil }
            conditions += own
        }
        parameters.append(.integer(Int64(limit)))
        var sql = "SELECT \(resultColumns) FROM \(dialect.quoted(recordType.table))"
        if let condition = PredicateTranslator.joined(conditions, "AND") {
            sql += " WHERE \(condition)"
        }
        let order = sorting.compactMap { column in
            operand(column).map { $0 + (column.key.isAscending ? "" : " DESC") }
        }
        sql += " ORDER BY \(order.joined(separator: ", ")) LIMIT \(dialect.placeholder(parameters.count))"
        return (sql, parameters)
    }

    private func conditions(_ segment: KeysetSegment, _ parameters: inout [SQLValue]) -> [String]? {
        func bind(_ value: SQLValue) -> String {
            parameters.append(value)
            return dialect.placeholder(parameters.count)
        }
        var conditions: [String] = []
        for (column, value) in zip(sorting, segment.equal) {
            guard let name = operand(column) else {
                // The field is null everywhere: equal to null, and to nothing else.
                guard value == .null else { return nil }
                continue
            }
            conditions.append(value == .null ? "\(name) IS NULL" : "\(name) = \(bind(value))")
        }
        let column = sorting[segment.equal.count]
        guard let name = operand(column) else {
            return segment.range == .isNull ? conditions : nil
        }
        switch segment.range {
        case .greater(let value): conditions.append("\(name) > \(bind(value))")
        case .less(let value): conditions.append("\(name) < \(bind(value))")
        case .hasValue: conditions.append(dialect.hasValue(name, storage: column.storage))
        case .isNull: conditions.append("\(name) IS NULL")
        }
        return conditions
    }
}
