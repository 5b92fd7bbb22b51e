import CloudRecords

/// Where a field of a layout goes in a statement that writes records.
package struct WriteColumn: Sendable {
    /// The field's position in the layout.
    package let field: Int
    package let kind: ColumnKind
    /// The number of the first parameter. A location has three (text, latitude, longitude), a reference two
    /// (text, action).
    package let parameter: Int32
    /// The type of a list's elements.
    package let elementType: CloudFieldType?
}

/// A field whose values are written into a table of links too.
struct LinkColumn {
    /// The field's position in the layout.
    let field: Int
    let link: LinkTable.Kind
}

/// A prepared statement that inserts or updates records of one layout, as long as they know the same fields.
package final class WritePlan {
    /// What a field of the layout must be for the plan to fit.
    private enum Requirement {
        case any
        /// Null or a value: the statement writes it.
        case known
        /// The statement leaves it alone.
        case absent
        /// There is no column for it.
        case noValue
    }

    let layout: FieldLayout
    let recordType: SQLRecordType
    let isInsert: Bool
    let columns: ContiguousArray<WriteColumn>
    let statement: any SQLStatement
    /// Whether it writes text, which has words.
    let hasText: Bool
    /// The fields among the columns that hold references or assets.
    let linkColumns: [LinkColumn]
    private let requirements: ContiguousArray<Requirement>
    private let fitsAll: Bool

    /// Plans to write records that know the same fields as this one.
    ///
    /// The record's values must have columns already.
    init(
        for record: CloudRecord,
        in recordType: SQLRecordType,
        isInsert: Bool,
        connection: any SQLConnection,
        dialect: any SQLDialect
    ) throws {
        self.layout = record.layout
        self.recordType = recordType
        self.isInsert = isInsert
        var names = isInsert ? Self.insertColumns : Self.updateColumns
        var columns: ContiguousArray<WriteColumn> = []
        var requirements: ContiguousArray<Requirement> = []
        for (index, name) in layout.names.enumerated() {
            guard let field = recordType.field(name) else {
                // Null in a field of a known type makes a column, or is an error where the schema does not grow.
                requirements.append(layout.types[index] == nil ? .noValue : .absent)
                continue
            }
            if !isInsert, record.fields[index] == .absent {
                requirements.append(.absent)
                continue
            }
            requirements.append(isInsert ? .any : .known)
            var elementType: CloudFieldType?
            if case .list(let element) = field.type { elementType = element }
            columns.append(
                WriteColumn(
                    field: index,
                    kind: field.kind,
                    parameter: Int32(names.count + 1),
                    elementType: elementType
                )
            )
            names += field.columns.map(\.name)
        }
        self.columns = columns
        hasText = columns.contains { $0.kind == .string }
        linkColumns = columns.compactMap { column in
            switch (column.kind, column.elementType) {
            case (.reference, _), (.list, .reference): LinkColumn(field: column.field, link: .cascades)
            case (.asset, _), (.list, .asset): LinkColumn(field: column.field, link: .assetUses)
            default: nil
            }
        }
        self.requirements = requirements
        fitsAll = requirements.allSatisfy { $0 == .any }
        let sql =
            isInsert
            ? Self.insert(names, into: recordType.table, dialect)
            : Self.update(names, in: recordType.table, dialect)
        statement = try connection.statement(sql)
    }

    var hasLinks: Bool { !linkColumns.isEmpty }

    /// The system columns that an insertion binds first.
    private static let insertColumns = SystemColumn.allCases.map(\.rawValue)

    /// The system columns that an update binds first; the row is looked for, the others are set.
    private static let updateColumns =
        [SystemColumn.row, .sequence, .modified, .modifier].map(\.rawValue)

    private static func insert(_ names: [String], into table: String, _ dialect: any SQLDialect) -> String {
        let list = names.map(dialect.quoted).joined(separator: ", ")
        let values = names.indices.map { dialect.placeholder($0 + 1) }.joined(separator: ", ")
        return "INSERT INTO \(dialect.quoted(table)) (\(list)) VALUES (\(values))"
    }

    private static func update(_ names: [String], in table: String, _ dialect: any SQLDialect) -> String {
        let list = names.indices.dropFirst().map { index in
            "\(dialect.quoted(names[index])) = \(dialect.placeholder(index + 1))"
        }
        return """
            UPDATE \(dialect.quoted(table)) SET \(list.joined(separator: ", ")) \
            WHERE \(dialect.quoted(names[0])) = \(dialect.placeholder(1))
            """
    }

    /// Whether the plan can write a record with these values.
    func fits(_ values: UnsafeBufferPointer<FieldState>) -> Bool {
        if fitsAll { return true }
        for index in requirements.indices {
            switch (requirements[index], values[index]) {
            case (.any, _), (.known, .null), (.known, .value), (.absent, .absent), (.noValue, .absent),
                (.noValue, .null):
                continue
            default:
                return false
            }
        }
        return true
    }
}

/// The plans that were made on one connection.
package final class WritePlanCache {
    private struct Key: Hashable {
        let layout: ObjectIdentifier
        let isInsert: Bool
    }

    // A plan keeps its layout alive, so that no other one can take its identity.
    private var plans: [Key: [WritePlan]] = [:]
    private var count = 0
    private var latest: WritePlan?

    package init() {}

    func plan(for record: CloudRecord, in recordType: SQLRecordType, isInsert: Bool) -> WritePlan? {
        record.fields.withValues { values in
            if let latest, latest.layout === record.layout, latest.isInsert == isInsert,
                latest.recordType === recordType, latest.fits(values)
            {
                return latest
            }
            let key = Key(layout: ObjectIdentifier(record.layout), isInsert: isInsert)
            latest = plans[key]?.first { $0.recordType === recordType && $0.fits(values) }
            return latest
        }
    }

    func add(_ plan: WritePlan) {
        // Layouts that are made for one record only would fill the memory.
        if count >= 128 {
            plans.removeAll()
            count = 0
        }
        count += 1
        latest = plan
        let key = Key(layout: ObjectIdentifier(plan.layout), isInsert: plan.isInsert)
        plans[key, default: []].removeAll { $0.recordType !== plan.recordType }
        plans[key, default: []].append(plan)
    }
}
