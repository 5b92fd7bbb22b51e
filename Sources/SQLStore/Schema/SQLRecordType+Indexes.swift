import CloudRecords

extension SQLRecordType {
    /// Whether an index has these columns, and perhaps others after them, so that it finds and sorts as this one does.
    func hasIndex(startingWith index: IndexDefinition) -> Bool {
        let name = index.name(inTable: table)
        return indexes.contains(name) || indexes.contains { $0.hasPrefix(name + ",") }
    }

    /// The record type as a schema shows it.
    var cloudRecordType: CloudRecordType {
        CloudRecordType(
            name: name,
            fields: Dictionary(fields.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first }),
            indexes: Set(indexes.compactMap(cloudIndex))
        )
    }

    /// The index on columns that serves a schema's index, whose fields exist; nil for the words.
    ///
    /// It ends with what every order ends with, so that it also serves queries that are sorted by its last key.
    func definition(of index: CloudIndex) -> IndexDefinition? {
        guard index != .words else { return nil }
        var columns = index.keys.flatMap { key in
            self.columns(of: key.field).map { IndexDefinition.Column(name: $0, isAscending: key.isAscending) }
        }
        if let last = index.keys.last, field(last.field)?.kind != .location {
            columns += Self.tieBreakers.map { .init(name: $0.rawValue, isAscending: last.isAscending) }
        }
        return IndexDefinition(equal: [], sorted: columns)
    }

    /// What every order ends with.
    private static let tieBreakers: [SystemColumn] = [.name, .zone]

    private func columns(of key: String) -> [String] {
        if let system = SystemField(rawValue: key) { return [SystemColumn(system).rawValue] }
        guard let field = field(key) else { return [] }
        return field.kind == .location ? [field.latitude, field.longitude] : [field.column]
    }

    /// The index of this name as a schema shows it; nil if it is on a field that is not to be seen.
    private func cloudIndex(_ name: String) -> CloudIndex? {
        if name == Self.tokenTable(of: table) { return .words }
        guard let definition = IndexDefinition(name: name, inTable: table) else { return nil }
        var columns = definition.columns.filter { $0.name != SystemColumn.zone.rawValue }
        if columns.count > 1, columns[columns.count - 1].name == SystemColumn.name.rawValue,
            columns[columns.count - 1].isAscending == columns[columns.count - 2].isAscending
        {
            columns.removeLast()
        }
        var keys: [CloudIndex.Key] = []
        for column in columns {
            guard let key = keyName(ofColumn: column.name) else { return nil }
            if keys.last?.field != key { keys.append(CloudIndex.Key(key, isAscending: column.isAscending)) }
        }
        return keys.isEmpty ? nil : .ordered(equal: [], sorted: keys)
    }

    private func keyName(ofColumn column: String) -> String? {
        if let system = SystemField.allCases.first(where: { SystemColumn($0).rawValue == column }) {
            return system.rawValue
        }
        return fields.first { field in
            field.kind == .location
                ? column == field.latitude || column == field.longitude
                : column == field.column
        }?.name
    }
}

extension SystemColumn {
    /// The column that holds a system field.
    init(_ field: SystemField) {
        self =
            switch field {
            case .recordID: .name
            case .creationDate: .created
            case .modificationDate: .modified
            case .creatorUserRecordID: .creator
            case .lastModifiedUserRecordID: .modifier
            case .recordChangeTag: .sequence
            }
    }
}
