import CloudRecords

/// Follows the records of a transaction with the tables of links, and knows what lost its last link.
final class LinkWriter {
    private let connection: any SQLConnection
    private let cascades: LinkTable
    private let assetUses: LinkTable
    /// The contents that were used or released, whose uses are counted at the end.
    private var touchedContents: Set<String> = []

    init(_ connection: any SQLConnection) {
        self.connection = connection
        cascades = LinkTable(.cascades, connection: connection)
        assetUses = LinkTable(.assetUses, connection: connection)
    }

    /// Writes down the links of a record that was saved.
    func write(_ record: CloudRecord, by plan: WritePlan, row: Int64) throws {
        let source = LinkTable.Source(typeID: plan.recordType.id, row: row)
        for column in plan.linkColumns {
            let field = record.layout.names[column.field]
            let state = record.fields[column.field]
            if !plan.isInsert { try remove(field, column.link, row: row) }
            guard case .value(let value) = state else { continue }
            if case .list(let elements) = value {
                for element in elements { try add(element, from: source, field: field) }
            } else {
                try add(value, from: source, field: field)
            }
        }
    }

    private func add(_ value: CloudValue, from source: LinkTable.Source, field: String) throws {
        switch value {
        case .reference(let reference) where reference.action == .deleteSelf:
            try cascades.add(ReferenceText.encode(reference.recordID), from: source, field: field)
        case .asset(let asset):
            guard let content = asset.contentName else { return }
            try assetUses.add(content, from: source, field: field)
            touchedContents.insert(content)
        default:
            break
        }
    }

    private func remove(_ field: String, _ kind: LinkTable.Kind, row: Int64) throws {
        switch kind {
        case .cascades: try cascades.remove(row: row, field: field)
        case .assetUses: touchedContents.formUnion(try assetUses.remove(row: row, field: field))
        }
    }

    /// Removes all links of a row that was deleted.
    func remove(row: Int64) throws {
        try cascades.remove(row: row)
        touchedContents.formUnion(try assetUses.remove(row: row))
    }

    /// The rows to delete with a record.
    func rowsDeleted(with recordID: CloudRecordID) throws -> [LinkTable.Source] {
        try cascades.sources(of: ReferenceText.encode(recordID))
    }

    /// Whether a record uses a content.
    func isUsed(_ contentName: String) throws -> Bool {
        try assetUses.hasSource(of: contentName)
    }

    /// Notes content that is in the store's keeping, whether a record uses it in the end or not.
    func touch(_ contentName: String) {
        touchedContents.insert(contentName)
    }

    /// Writes down which of the touched contents nobody uses any more.
    ///
    /// - Parameter takeSequence: Gives the number that says since when.
    /// - Returns: Whether there is any.
    func finish(_ takeSequence: () throws -> Int64) throws -> Bool {
        var since: Int64?
        for content in touchedContents.sorted() {
            if try assetUses.hasSource(of: content) {
                try connection.run("DELETE FROM \"_garbage\" WHERE \"content_name\" = ?1", [.text(content)])
                continue
            }
            let sequence = try since ?? takeSequence()
            since = sequence
            try connection.run(
                """
                INSERT INTO "_garbage" VALUES (?1, ?2)
                ON CONFLICT ("content_name") DO UPDATE SET "since" = excluded."since"
                """,
                [.text(content), .integer(sequence)]
            )
        }
        touchedContents = []
        return since != nil
    }
}
