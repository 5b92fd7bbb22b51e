import CloudRecords

/// The columns that every record table has. Their names start with an underscore, which no field's does.
package enum SystemColumn: String, Sendable, CaseIterable {
    /// The row's number: the sequence number of the record's first save, so it is unique in the database.
    case row = "_row"
    case name = "_name"
    case zone = "_zone"
    /// The sequence number of the last save, which is also the change tag.
    case sequence = "_sequence"
    case created = "_created"
    case modified = "_modified"
    case creator = "_creator"
    case modifier = "_modifier"

    /// The columns of a row's head in the order in which statements return them, which is that of the cells in
    /// ``RecordRows/Head``.
    package static let head: [SystemColumn] = [.name, .zone, .sequence, .created, .modified, .creator, .modifier]

    package var storage: ColumnStorage {
        switch self {
        case .row, .zone, .sequence: .integer
        case .created, .modified: .real
        case .name, .creator, .modifier: .text
        }
    }
}
