import CloudRecords
import Synchronization

/// The SQL of a page's statements, which differ only in the stretch of the result that they read.
final class PageQuery: Sendable {
    let plan: ReadPlan
    /// Where the sort columns are in the result; nil for those that the schema doesn't know.
    let sortColumnPositions: [Int?]
    /// What rows that were read without order are sorted by; nil if they don't tell.
    let sortKeys: [RecordRowBuffer.SortKey]?
    /// A faster way to the same; nil if there is none.
    let walk: RowWalk?
    private let recordType: SQLRecordType
    private let sorting: [SortColumn]
    private let zones: ZoneOrder
    private let dialect: any SQLDialect
    /// Whether an index gives the order.
    private let followsOrder: Bool
    private let resultColumns: String
    private let condition: String?
    private let parameters: [SQLValue]
    private let driving: (condition: String?, parameters: [SQLValue])

    /// What decides on the text of a statement: the stretch without its values.
    private struct Shape: Hashable {
        enum Range: Hashable {
            case all, greater, less, hasValue, isNull
        }

        let isNull: [Bool]
        let range: Range
    }

    private let texts = Mutex<[Shape: String]>([:])

    init(
        translation: QueryTranslation,
        plan: ReadPlan,
        drive: QueryDrive,
        condition: String?,
        parameters: [SQLValue],
        driving: (condition: String?, parameters: [SQLValue])
    ) {
        self.plan = plan
        recordType = translation.recordType
        sorting = translation.sorting
        zones = translation.zones
        dialect = translation.dialect
        followsOrder = drive.followsOrder
        self.condition = condition
        self.parameters = parameters
        self.driving = driving
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
        sortKeys = Self.sortKeys(sorting, plan, recordType)
        walk = RowWalk(
            sorting: sorting,
            isFiltered: condition != nil || !zones.isByNumber || !followsOrder,
            order: Self.order(sorting, zones, followsOrder, dialect),
            resultColumns: resultColumns,
            table: dialect.quoted(recordType.table)
        )
    }

    /// The statement that reads a stretch of the result, or all of it; nil if the stretch is empty for sure.
    ///
    /// - Throws: ``CloudError/Code/limitExceeded`` if the query has more values than the engine takes.
    func statement(_ segment: KeysetSegment?, limit: Int) throws -> (sql: String, parameters: [SQLValue])? {
        guard let bounds = parameters(of: segment) else { return nil }
        let parameters = parameters + bounds + [.integer(Int64(limit))]
        guard parameters.count <= dialect.maximumParameters else {
            throw CloudError(
                .limitExceeded,
                """
                The query of \(recordType.name) compares with \(parameters.count) values, and the store takes at most \
                \(dialect.maximumParameters).
                """,
                remedy: "Use IN for many values of one field, or ask several queries."
            )
        }
        let shape = Self.shape(segment)
        if let sql = texts.withLock({ $0[shape] }) { return (sql, parameters) }
        let conditions = [condition].compactMap(\.self) + bound(segment, from: self.parameters.count)
        let sql = """
            SELECT \(resultColumns) FROM \(dialect.quoted(recordType.table))\(Self.filter(conditions)) \
            ORDER BY \(order) LIMIT \(dialect.nextPlaceholder(parameters.count))
            """
        texts.withLock { $0[shape] = sql }
        return (sql, parameters)
    }

    /// The statement that reads all of the result in any order, but no more rows than so many.
    func unsorted(limit: Int) -> (sql: String, parameters: [SQLValue]) {
        let sql = """
            SELECT \(resultColumns) FROM \(dialect.quoted(recordType.table))\(Self.filter([condition].compactMap(\.self))) \
            LIMIT \(dialect.nextPlaceholder(parameters.count + 1))
            """
        return (sql, parameters + [.integer(Int64(limit))])
    }

    /// The statement that counts, among the first rows of a stretch that the drive finds, those that have
    /// words; nil if the stretch is empty for sure or the order is not one of columns.
    func sample(
        _ segment: KeysetSegment?,
        rows: Int,
        having words: (_ number: Int) -> (condition: String, words: String)?
    ) -> (sql: String, parameters: [SQLValue])? {
        guard sorting.allSatisfy({ $0.expression == nil }), let bounds = parameters(of: segment) else { return nil }
        var parameters = driving.parameters + bounds
        let conditions = [driving.condition].compactMap(\.self) + bound(segment, from: driving.parameters.count)
        parameters.append(.integer(Int64(rows)))
        guard let check = words(parameters.count + 1) else { return nil }
        let table = dialect.quoted(recordType.table)
        let sql = """
            SELECT count(*) FROM (SELECT * FROM \(table)\(Self.filter(conditions)) ORDER BY \(order) \
            LIMIT \(dialect.nextPlaceholder(parameters.count))) AS \(table) WHERE \(check.condition)
            """
        return (sql, parameters + [.text(check.words)])
    }

    // MARK: Parts

    private static func sortKeys(
        _ sorting: [SortColumn],
        _ plan: ReadPlan,
        _ recordType: SQLRecordType
    ) -> [RecordRowBuffer.SortKey]? {
        var keys: [RecordRowBuffer.SortKey] = []
        for column in sorting where !column.isNullEverywhere {
            guard let name = column.name, let cell = cell(of: name, plan, recordType) else { return nil }
            keys.append(RecordRowBuffer.SortKey(cell: cell, isAscending: column.key.isAscending))
        }
        return keys
    }

    /// The cell of a row in which a column is found as the engine sorts it.
    private static func cell(of column: String, _ plan: ReadPlan, _ recordType: SQLRecordType) -> Int? {
        switch SystemColumn(rawValue: column) {
        case .name: return RecordRows.Head.name
        case .zone: return RecordRows.Head.zone
        case .sequence: return RecordRows.Head.sequence
        case .created: return RecordRows.Head.created
        case .modified: return RecordRows.Head.modified
        case .row, .creator, .modifier: return nil
        case nil: break
        }
        guard
            let field = recordType.fields.first(where: { $0.column == column }),
            let index = plan.layout.index(of: field.name)
        else { return nil }
        switch field.kind {
        case .string, .int64, .double, .date: return RecordRows.Head.count + index
        case .bytes, .location, .reference, .asset, .list: return nil
        }
    }

    private static func filter(_ conditions: [String]) -> String {
        PredicateTranslator.joined(conditions, "AND").map { " WHERE \($0)" } ?? ""
    }

    private var order: String { Self.order(sorting, zones, followsOrder, dialect) }

    private static func order(
        _ sorting: [SortColumn],
        _ zones: ZoneOrder,
        _ followsOrder: Bool,
        _ dialect: any SQLDialect
    ) -> String {
        sorting.compactMap { column -> String? in
            guard let name = operand(column, followsOrder, dialect) else { return nil }
            let isText = column.isZone && !zones.isByNumber
            return (isText ? ZoneOrder.sortText(name) : name) + (column.key.isAscending ? "" : " DESC")
        }.joined(separator: ", ")
    }

    private func operand(_ column: SortColumn) -> String? {
        Self.operand(column, followsOrder, dialect)
    }

    /// What to sort by; nil for what is null everywhere.
    private static func operand(_ column: SortColumn, _ followsOrder: Bool, _ dialect: any SQLDialect) -> String? {
        if let expression = column.expression { return expression }
        guard let name = column.name.map(dialect.quoted) else { return nil }
        return followsOrder ? name : dialect.unindexed(name)
    }

    private static func shape(_ segment: KeysetSegment?) -> Shape {
        guard let segment else { return Shape(isNull: [], range: .all) }
        let range: Shape.Range =
            switch segment.range {
            case .greater: .greater
            case .less: .less
            case .hasValue: .hasValue
            case .isNull: .isNull
            }
        return Shape(isNull: segment.equal.map { $0 == .null }, range: range)
    }

    /// The values between which a stretch lies; nil if it is empty for sure.
    private func parameters(of segment: KeysetSegment?) -> [SQLValue]? {
        guard let segment else { return [] }
        for (column, value) in zip(sorting, segment.equal) where column.isNullEverywhere {
            // Equal to null, and to nothing else.
            guard value == .null else { return nil }
        }
        let column = sorting[segment.equal.count]
        if column.isNullEverywhere, segment.range != .isNull { return nil }
        let equal = segment.equal.filter { $0 != .null }
        switch segment.range {
        case .greater(let value), .less(let value):
            guard column.isZone else { return equal + [value] }
            guard case .text(let zone) = value else { return nil }
            let numbers = zones.numbers(after: zone, isAscending: column.key.isAscending)
            if numbers.isEmpty { return nil }
            return equal + [.text(JSONText.array(numbers.map { .integer($0) }).encoded)]
        case .hasValue, .isNull: return equal
        }
    }

    /// The conditions of a stretch, with placeholders for its values behind so many others.
    private func bound(_ segment: KeysetSegment?, from count: Int) -> [String] {
        guard let segment else { return [] }
        var count = count
        func placeholder() -> String {
            count += 1
            return dialect.nextPlaceholder(count)
        }
        var conditions: [String] = []
        for (column, value) in zip(sorting, segment.equal) {
            guard let name = operand(column) else { continue }
            conditions.append(value == .null ? "\(name) IS NULL" : "\(name) = \(placeholder())")
        }
        let column = sorting[segment.equal.count]
        guard let name = operand(column) else { return conditions }
        switch segment.range {
        case .greater, .less:
            if column.isZone {
                conditions.append(dialect.isElement(name, ofList: placeholder(), .plain))
            } else if case .greater = segment.range {
                conditions.append("\(name) > \(placeholder())")
            } else {
                conditions.append("\(name) < \(placeholder())")
            }
        case .hasValue: conditions.append(dialect.hasValue(name, storage: column.storage))
        case .isNull: conditions.append("\(name) IS NULL")
        }
        return conditions
    }
}
