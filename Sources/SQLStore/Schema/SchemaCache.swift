import CloudRecords
import Synchronization

/// The newest state of the schema that this process has seen.
///
/// Other processes change the schema too: each transaction compares the generation in the database with this one
/// and reads the schema anew when they differ.
package final class SchemaCache: Sendable {
    private let newest = Mutex<SQLSchema?>(nil)
    private let dialect: any SQLDialect
    private let environment: SchemaEnvironment

    package init(dialect: any SQLDialect, environment: SchemaEnvironment) {
        self.dialect = dialect
        self.environment = environment
    }

    /// The schema as the connection's transaction sees it.
    func schema(_ connection: any SQLConnection, generation: Int64) throws -> SQLSchema {
        if let schema = newest.withLock({ $0 }), schema.generation == generation { return schema }
        let schema = try load(connection, generation: generation)
        publish(schema)
        return schema
    }

    /// Makes a committed state of the schema known.
    func publish(_ schema: SQLSchema) {
        newest.withLock { newest in
            if let known = newest, known.generation >= schema.generation { return }
            newest = schema
        }
    }

    private func load(_ connection: any SQLConnection, generation: Int64) throws -> SQLSchema {
        var schema = SQLSchema(generation: generation)
        try connection.forEachRow("SELECT \"id\", \"name\", \"owner\", \"is_deleted\" FROM \"_zones\"") { row in
            let zoneID = CloudZoneID(row.text(at: 1), ownerName: row.text(at: 2))
            schema.setZone(zoneID, id: row.integer(at: 0))
            if row.integer(at: 3) != 0 { schema.removeZone(zoneID) }
        }
        var fields: [Int64: [SQLField]] = [:]
        var hiddenFields: [Int64: [SQLField]] = [:]
        try connection.forEachRow(
            """
            SELECT "type_id", "name", "kind", "column_name", "is_deployed" FROM "_fields" \
            ORDER BY "type_id", "position"
            """
        ) { row in
            let kind = row.text(at: 2)
            guard let type = CloudFieldType(description: kind) else {
                throw CloudError(
                    .incompatibleVersion,
                    "The field \(row.text(at: 1)) has the type \(kind), which this version doesn't know.",
                    remedy: "Update the app."
                )
            }
            let field = SQLField(name: row.text(at: 1), type: type, column: row.text(at: 3))
            if isVisible(row, at: 4) {
                fields[row.integer(at: 0), default: []].append(field)
            } else {
                hiddenFields[row.integer(at: 0), default: []].append(field)
            }
        }
        var indexes: [Int64: Set<String>] = [:]
        try connection.forEachRow("SELECT \"type_id\", \"name\" FROM \"_indexes\"") { row in
            indexes[row.integer(at: 0), default: []].insert(row.text(at: 1))
        }
        try connection.forEachRow("SELECT \"id\", \"name\", \"table_name\", \"is_deployed\" FROM \"_record_types\"") {
            row in
            let id = row.integer(at: 0)
            let recordType = SQLRecordType(
                id: id,
                name: row.text(at: 1),
                table: row.text(at: 2),
                fields: fields[id] ?? [],
                hiddenFields: hiddenFields[id] ?? [],
                indexes: indexes[id] ?? [],
                dialect: dialect
            )
            if isVisible(row, at: 3) { schema.set(recordType) } else { schema.setHidden(recordType) }
        }
        return schema
    }

    /// Whether what a row describes is to be seen, by its column `is_deployed`.
    private func isVisible(_ row: any SQLStatement, at column: Int) -> Bool {
        environment == .development || row.integer(at: column) != 0
    }
}
