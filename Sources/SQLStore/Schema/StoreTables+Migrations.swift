import CloudRecords

extension StoreTables {
    /// What brings the tables from one format to the next one.
    private struct Migration: Sendable {
        let from: Int64
        let run: @Sendable (any SQLConnection) throws -> Void
    }

    private static let migrations = [
        Migration(from: 1) { connection in
            for sql in [
                "ALTER TABLE \"_meta\" ADD COLUMN \"compacted\" INTEGER NOT NULL DEFAULT 0",
                "ALTER TABLE \"_zones\" ADD COLUMN \"is_deleted\" INTEGER NOT NULL DEFAULT 0",
                "ALTER TABLE \"_record_types\" ADD COLUMN \"is_deployed\" INTEGER NOT NULL DEFAULT 0",
                "ALTER TABLE \"_fields\" ADD COLUMN \"is_deployed\" INTEGER NOT NULL DEFAULT 0",
                "ALTER TABLE \"_tombstones\" ADD COLUMN \"deleted\" REAL NOT NULL DEFAULT 0",
                // A record that was deleted several times has one tombstone now.
                """
                DELETE FROM "_tombstones" WHERE "sequence" NOT IN \
                (SELECT max("sequence") FROM "_tombstones" GROUP BY "record_name", "zone_id")
                """,
            ] + definitionsOfFormat2 {
                try connection.execute(sql)
            }
            try remakeChangeIndexes(connection)
            try LinkCollector(connection: connection).collect()
            // Format 1 kept all content for ever. What nobody uses is garbage from now on.
            try connection.execute(
                """
                INSERT INTO "_garbage" ("content_name", "since") \
                SELECT "content_name", (SELECT "next_sequence" FROM "_meta") FROM "_assets" \
                WHERE "content_name" NOT IN (SELECT "target" FROM "_asset_uses")
                """
            )
            try connection.execute("UPDATE \"_meta\" SET \"next_sequence\" = \"next_sequence\" + 1")
        },
        Migration(from: 2) { connection in
            try connection.execute("ALTER TABLE \"_meta\" ADD COLUMN \"subscriptions\" INTEGER NOT NULL DEFAULT 0")
            for sql in definitionsOfFormat3 { try connection.execute(sql) }
        },
    ]

    /// Format 1 had all records in the indexes of changes.
    private static func remakeChangeIndexes(_ connection: any SQLConnection) throws {
        var tables: [String] = []
        try connection.forEachRow("SELECT \"table_name\" FROM \"_record_types\"") { tables.append($0.text(at: 0)) }
        for table in tables {
            try connection.execute("DROP INDEX \(changeIndexName(ofTable: table))")
            try connection.execute(changeIndex(ofTable: table))
        }
    }

    /// Brings the tables to the newest format, inside the transaction of the caller.
    static func migrate(_ connection: any SQLConnection, from oldFormat: Int64) throws {
        var format = oldFormat
        for migration in migrations where migration.from == format {
            try migration.run(connection)
            format += 1
        }
        guard format == formatVersion else {
            throw CloudError(
                .incompatibleVersion,
                "The database has format \(oldFormat), which this version of the framework can't read.",
                remedy: "Restore the database from a backup."
            )
        }
        try connection.run("UPDATE \"_meta\" SET \"format\" = ?1", [.integer(format)])
    }
}

/// Writes down the links that records of format 1 have: references that delete with their target, and uses of assets.
private struct LinkCollector {
    let connection: any SQLConnection

    private struct Field {
        let typeID: Int64
        let name: String
        let type: CloudFieldType
        let table: String
        let column: String
        let actionColumn: String
    }

    func collect() throws {
        for field in try fields() {
            switch field.type {
            case .reference:
                try copy(field, into: "_cascades", where: "\(field.actionColumn) = 1")
            case .asset:
                try copy(field, into: "_asset_uses", where: "\(field.column) <> ''")
            case .list(of: .reference?):
                try collectElements(of: field, into: "_cascades") { element in
                    let reference = ReferenceText.decodeElement(element)
                    return reference.action == .deleteSelf ? ReferenceText.encode(reference.recordID) : nil
                }
            case .list(of: .asset?):
                try collectElements(of: field, into: "_asset_uses") { $0.isEmpty ? nil : $0 }
            default:
                continue
            }
        }
    }

    private func fields() throws -> [Field] {
        var fields: [Field] = []
        try connection.forEachRow(
            """
            SELECT "type_id", "_fields"."name", "kind", "table_name", "column_name" FROM "_fields" \
            JOIN "_record_types" ON "_record_types"."id" = "type_id" ORDER BY "type_id", "position"
            """
        ) { row in
            guard let type = CloudFieldType(description: row.text(at: 2)) else { return }
            fields.append(
                Field(
                    typeID: row.integer(at: 0),
                    name: row.text(at: 1),
                    type: type,
                    table: StoreTables.quoted(row.text(at: 3)),
                    column: StoreTables.quoted(row.text(at: 4)),
                    actionColumn: StoreTables.quoted("_\(row.text(at: 4))_action")
                )
            )
        }
        return fields
    }

    private func copy(_ field: Field, into links: String, where condition: String) throws {
        try connection.run(
            """
            INSERT INTO "\(links)" ("target", "row_id", "field", "type_id") \
            SELECT \(field.column), "_row", ?1, ?2 FROM \(field.table) \
            WHERE \(field.column) IS NOT NULL AND \(condition)
            """,
            [.text(field.name), .integer(field.typeID)]
        )
    }

    /// Adds the links of the elements of a list, each target once.
    private func collectElements(of field: Field, into links: String, target: (String) -> String?) throws {
        try connection.forEachRow(
            "SELECT \"_row\", \(field.column) FROM \(field.table) WHERE \(field.column) IS NOT NULL"
        ) { row in
            guard case .array(let elements) = JSONText(decoding: row.text(at: 1)) else { return }
            for case .text(let element) in elements {
                guard let target = target(element) else { continue }
                try connection.run(
                    """
                    INSERT INTO "\(links)" ("target", "row_id", "field", "type_id") VALUES (?1, ?2, ?3, ?4) \
                    ON CONFLICT DO NOTHING
                    """,
                    [.text(target), .integer(row.integer(at: 0)), .text(field.name), .integer(field.typeID)]
                )
            }
        }
    }
}
