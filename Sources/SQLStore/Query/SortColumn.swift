import CloudRecords

/// A column by which a result is sorted.
struct SortColumn: Sendable {
    /// The column; nil for a field that the schema doesn't know, which is null in every record.
    let name: String?
    let storage: ColumnStorage
    let key: KeysetSegment.Key

    private init(_ column: SystemColumn, isAscending: Bool) {
        name = column.rawValue
        storage = column.storage
        key = KeysetSegment.Key(isAscending: isAscending, isNullable: false)
    }

    private init(_ field: SQLField?, isAscending: Bool) {
        name = field?.column
        storage = field?.kind.storage ?? .text
        key = KeysetSegment.Key(isAscending: isAscending, isNullable: true)
    }

    /// The columns of an order, each once, down to the record name and zone, which make it total.
    ///
    /// - Throws: ``CloudError`` if a key can't be sorted by.
    static func columns(
        _ order: OrderBy,
        _ recordType: SQLRecordType,
        capabilities: CloudCapabilities
    ) throws -> [SortColumn] {
        var columns: [SortColumn] = []
        var seen: Set<String> = []
        for key in order.keys {
            switch key {
            case .distance:
                throw capabilities.unsupported(.distanceQueries)
            case .field(let name, let isAscending):
                guard seen.insert(name).inserted else { continue }
                columns.append(try column(name, isAscending, recordType))
            }
        }
        let isAscending = columns.last?.key.isAscending ?? true
        if !seen.contains(SystemField.recordID.rawValue) {
            columns.append(SortColumn(.name, isAscending: isAscending))
        }
        columns.append(SortColumn(.zone, isAscending: isAscending))
        return columns
    }

    private static func column(_ name: String, _ isAscending: Bool, _ recordType: SQLRecordType) throws -> SortColumn {
        switch SystemField(rawValue: name) {
        case .recordID: return SortColumn(.name, isAscending: isAscending)
        case .creationDate: return SortColumn(.created, isAscending: isAscending)
        case .modificationDate: return SortColumn(.modified, isAscending: isAscending)
        case .creatorUserRecordID: return SortColumn(.creator, isAscending: isAscending)
        case .lastModifiedUserRecordID: return SortColumn(.modifier, isAscending: isAscending)
        case .recordChangeTag: throw unsortable(name, of: recordType, "a change tag")
        case nil: break
        }
        let field = recordType.field(name)
        switch field?.kind {
        case .location?, .asset?, .list?:
            throw unsortable(name, of: recordType, "of type \(field?.type.description ?? "")")
        default:
            return SortColumn(field, isAscending: isAscending)
        }
    }

    private static func unsortable(_ name: String, of recordType: SQLRecordType, _ what: String) -> CloudError {
        CloudError(
            .invalidArguments,
            "\(recordType.name) can't be sorted by \(name), which is \(what).",
            remedy: "Sort by a text, number, date, bytes or reference.",
            field: name
        )
    }
}
