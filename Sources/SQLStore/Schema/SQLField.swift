import CloudRecords

/// A field as the database keeps it: in a column, and for some types in companions of that column.
package struct SQLField: Sendable, Hashable {
    package let name: String
    package let type: CloudFieldType
    /// The column's name, which differs from the field's when another field's differs only in case.
    package let column: String

    package init(name: String, type: CloudFieldType, column: String) {
        self.name = name
        self.type = type
        self.column = column
    }

    package var kind: ColumnKind { ColumnKind(type) }

    /// The columns of the field, its own first, in the order in which they are written.
    package var columns: [(name: String, storage: ColumnStorage)] {
        switch type {
        case .location:
            [(column, .text), (latitude, .real), (longitude, .real)]
        case .reference:
            [(column, .text), ("_\(column)_action", .integer)]
        default:
            [(column, kind.storage)]
        }
    }

    /// The companions of a location's column.
    var latitude: String { "_\(column)_latitude" }
    var longitude: String { "_\(column)_longitude" }

    /// The columns that are read to know the field's value.
    package var columnsRead: [String] {
        kind == .location ? [column] : columns.map(\.name)
    }
}
