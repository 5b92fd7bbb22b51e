import CloudRecords

/// What a statement returns of each record: the head's system columns, and then the fields of one layout.
package final class ReadPlan: Sendable {
    /// Where a field is in the result. Plain bytes, for the walk over the columns of each row.
    package struct Column: Sendable {
        package let kind: ColumnKind
        /// The number of the result column; a reference's action is in the one after it.
        package let index: Int32
    }

    /// The layout that all records share which are read by this plan.
    package let layout: FieldLayout
    /// The columns of the layout's fields, in its order.
    package let columns: ContiguousArray<Column>
    /// The result columns as SQL.
    package let selectList: String
    /// The names of the result columns.
    let columnNames: [String]

    init(recordType: String, fields: [SQLField], dialect: any SQLDialect) {
        layout = FieldLayout(recordType: recordType, names: fields.map(\.name), types: fields.map(\.type))
        var names = SystemColumn.head.map(\.rawValue)
        var columns: ContiguousArray<Column> = []
        for field in fields {
            columns.append(Column(kind: field.kind, index: Int32(names.count)))
            names += field.columnsRead
        }
        self.columns = columns
        columnNames = names
        selectList = names.map(dialect.quoted).joined(separator: ", ")
    }
}
