import CloudRecords

/// A column by which a result is sorted.
struct SortColumn: Sendable {
    /// The column; nil for a field that the schema doesn't know, which is null in every record, and for a distance.
    let name: String?
    /// What is computed for each record to sort by.
    let expression: String?
    let storage: ColumnStorage
    let key: KeysetSegment.Key

    /// Whether it is the zone's number, for which ``ZoneOrder`` stands.
    var isZone: Bool { name == SystemColumn.zone.rawValue }

    /// Whether it is null in every record.
    var isNullEverywhere: Bool { name == nil && expression == nil }

    private init(_ column: SystemColumn, isAscending: Bool) {
        name = column.rawValue
        expression = nil
        storage = column.storage
        key = KeysetSegment.Key(isAscending: isAscending, isNullable: false)
    }

    private init(_ field: SQLField?, isAscending: Bool) {
        name = field?.column
        expression = nil
        storage = field?.kind.storage ?? .text
        key = KeysetSegment.Key(isAscending: isAscending, isNullable: true)
    }

    /// Nearest first. What has no location is infinitely far away, and so comes last.
    private init(distance: String, dialect: any SQLDialect) {
        name = nil
        expression = dialect.farthest(ifNull: distance)
        storage = .real
        key = KeysetSegment.Key(isAscending: true, isNullable: false)
    }

    /// The columns of an order, each once, down to the record name and zone, which make it total.
    ///
    /// - Parameter translator: Binds the places from which distances are measured.
    /// - Throws: ``CloudError/Code/unsupported`` if the store can't sort by a key.
    static func columns(_ order: OrderBy, _ translator: inout PredicateTranslator) throws -> [SortColumn] {
        // A distance is selected, compared and sorted by.
        translator.repeatsPlaceholders = true
        defer { translator.repeatsPlaceholders = false }
        var columns: [SortColumn] = []
        var seen: Set<String> = []
        for key in order.keys {
            switch key {
            case .distance(let name, let place):
                try translator.capabilities.require(.distanceQueries)
                let field = translator.recordType.field(name)
                let distance = try field.map { try translator.distance(of: $0, from: place) } ?? "NULL"
                columns.append(SortColumn(distance: distance, dialect: translator.dialect))
            case .field(let name, let isAscending):
                guard seen.insert(name).inserted else { continue }
                columns.append(column(name, isAscending, translator.recordType))
            }
        }
        let isAscending = columns.last?.key.isAscending ?? true
        if !seen.contains(SystemField.recordID.rawValue) {
            columns.append(SortColumn(.name, isAscending: isAscending))
        }
        columns.append(SortColumn(.zone, isAscending: isAscending))
        return columns
    }

    private static func column(_ name: String, _ isAscending: Bool, _ recordType: SQLRecordType) -> SortColumn {
        switch SystemField(rawValue: name) {
        case .recordID: SortColumn(.name, isAscending: isAscending)
        case .creationDate: SortColumn(.created, isAscending: isAscending)
        case .modificationDate: SortColumn(.modified, isAscending: isAscending)
        case .creatorUserRecordID: SortColumn(.creator, isAscending: isAscending)
        case .lastModifiedUserRecordID: SortColumn(.modifier, isAscending: isAscending)
        case .recordChangeTag: SortColumn(.sequence, isAscending: isAscending)
        case nil: SortColumn(recordType.field(name), isAscending: isAscending)
        }
    }
}
