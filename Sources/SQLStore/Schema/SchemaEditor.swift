import CloudRecords

/// Changes the schema inside a write transaction.
///
/// The changed state is the transaction's own until it is committed.
package final class SchemaEditor {
    package private(set) var schema: SQLSchema
    let environment: SchemaEnvironment
    let connection: any SQLConnection
    private let original: Int64
    private let dialect: any SQLDialect

    init(
        schema: SQLSchema,
        environment: SchemaEnvironment,
        connection: any SQLConnection,
        dialect: any SQLDialect
    ) {
        self.schema = schema
        self.environment = environment
        original = schema.generation
        self.connection = connection
        self.dialect = dialect
    }

    var hasChanges: Bool { generation != original }

    /// The number of the state that the schema has now.
    var generation: Int64 { schema.generation }

    /// Notes that there is a new state.
    func countUp() {
        // Once a transaction is enough: nobody else sees the states between.
        if !hasChanges { schema.generation += 1 }
    }

    /// Adds fields to a record type, which is made if it does not exist.
    @discardableResult
    func add(_ newFields: [(name: String, type: CloudFieldType)], to name: String) throws -> SQLRecordType {
        countUp()
        guard let existing = schema.recordTypes[name] else { return try make(name, newFields) }
        let added = fields(newFields, besides: existing.fields)
        for column in added.flatMap(\.columns) {
            try connection.execute("ALTER TABLE \(dialect.quoted(existing.table)) ADD COLUMN \(definition(column))")
        }
        try record(added, from: existing.fields.count, typeID: existing.id)
        return set(existing.changed(fields: existing.fields + added))
    }

    /// Gives lists the type of their elements, which was not known when their columns were made.
    func setElementTypes(_ types: [String: CloudFieldType], of recordType: SQLRecordType) throws -> SQLRecordType {
        countUp()
        for (name, type) in types {
            try connection.run(
                "UPDATE \"_fields\" SET \"kind\" = ?1 WHERE \"type_id\" = ?2 AND \"name\" = ?3",
                [.text(type.description), .integer(recordType.id), .text(name)]
            )
        }
        let fields = recordType.fields.map { field in
            SQLField(name: field.name, type: types[field.name] ?? field.type, column: field.column)
        }
        return set(recordType.changed(fields: fields))
    }

    /// Makes an index, unless there is one of this name.
    func addIndex(_ index: IndexDefinition, to recordType: SQLRecordType) throws {
        guard let current = schema.recordTypes[recordType.name] else { return }
        let name = index.name(inTable: current.table)
        guard !current.indexes.contains(name) else { return }
        countUp()
        try connection.execute(
            """
            CREATE INDEX IF NOT EXISTS \(dialect.quoted(name)) \
            ON \(dialect.quoted(current.table)) \(index.columnList(dialect))
            """
        )
        try note(name, of: current)
    }

    /// Makes the table of a record type's words and fills it, unless there is one.
    func addTokens(to recordType: SQLRecordType) throws {
        guard let current = schema.recordTypes[recordType.name], current.tokenTable == nil else { return }
        countUp()
        let table = SQLRecordType.tokenTable(of: current.table)
        try connection.execute(dialect.tokenTableDefinition(table))
        let writer = try TokenWriter(current, table: table, connection: connection, dialect: dialect)
        try writer.addAll()
        try note(table, of: current)
    }

    private func note(_ index: String, of recordType: SQLRecordType) throws {
        try connection.run(
            "INSERT INTO \"_indexes\" (\"name\", \"type_id\") VALUES (?1, ?2)",
            [.text(index), .integer(recordType.id)]
        )
        set(recordType.changed(indexes: recordType.indexes.union([index])))
    }

    /// Makes a zone, unless it exists.
    func addZone(_ zoneID: CloudZoneID) throws {
        guard schema.zone(zoneID) == nil else { return }
        countUp()
        try connection.run(
            """
            INSERT INTO "_zones" ("name", "owner") VALUES (?1, ?2)
            ON CONFLICT ("name", "owner") DO UPDATE SET "is_deleted" = 0
            """,
            [.text(zoneID.zoneName), .text(zoneID.ownerName)]
        )
        try connection.forEachRow(
            "SELECT \"id\" FROM \"_zones\" WHERE \"name\" = ?1 AND \"owner\" = ?2",
            [.text(zoneID.zoneName), .text(zoneID.ownerName)]
        ) { row in
            schema.setZone(zoneID, id: row.integer(at: 0))
        }
    }

    /// Removes a zone without records. Its row stays, because tombstones refer to it.
    func removeZone(_ zoneID: CloudZoneID) throws {
        guard let id = schema.zone(zoneID) else { return }
        countUp()
        try connection.run("UPDATE \"_zones\" SET \"is_deleted\" = 1 WHERE \"id\" = ?1", [.integer(id)])
        schema.removeZone(zoneID)
    }

    private func make(_ name: String, _ newFields: [(name: String, type: CloudFieldType)]) throws -> SQLRecordType {
        let table = try freeTableName(for: name)
        let added = fields(newFields, besides: [])
        let columns =
            SystemColumn.allCases.map { column in
                let type = dialect.definition(of: column.storage)
                let constraint = column == .row ? "PRIMARY KEY" : "NOT NULL"
                return "\(dialect.quoted(column.rawValue)) \(type) \(constraint)"
            } + added.flatMap(\.columns).map(definition)
        try connection.execute("CREATE TABLE \(dialect.quoted(table)) (\(columns.joined(separator: ", ")))")
        try connection.execute(StoreTables.changeIndex(ofTable: table))
        try connection.run(
            "INSERT INTO \"_record_types\" (\"name\", \"table_name\") VALUES (?1, ?2)",
            [.text(name), .text(table)]
        )
        var id: Int64 = 0
        try connection.forEachRow("SELECT \"id\" FROM \"_record_types\" WHERE \"name\" = ?1", [.text(name)]) { row in
            id = row.integer(at: 0)
        }
        try record(added, from: 0, typeID: id)
        return set(
            SQLRecordType(id: id, name: name, table: table, fields: added, indexes: [], dialect: dialect)
        )
    }

    @discardableResult
    private func set(_ recordType: SQLRecordType) -> SQLRecordType {
        schema.set(recordType)
        return recordType
    }

    private func record(_ fields: [SQLField], from position: Int, typeID: Int64) throws {
        for (index, field) in fields.enumerated() {
            try connection.run(
                "INSERT INTO \"_fields\" (\"type_id\", \"position\", \"name\", \"kind\", \"column_name\") VALUES (?1, ?2, ?3, ?4, ?5)",
                [
                    .integer(typeID), .integer(Int64(position + index)), .text(field.name),
                    .text(field.type.description), .text(field.column),
                ]
            )
        }
    }

    private func definition(_ column: (name: String, storage: ColumnStorage)) -> String {
        "\(dialect.quoted(column.name)) \(dialect.definition(of: column.storage))"
    }

    /// Gives new fields columns whose names differ from all others by more than case.
    private func fields(
        _ newFields: [(name: String, type: CloudFieldType)],
        besides existing: [SQLField]
    ) -> [SQLField] {
        var taken = Set(existing.flatMap(\.columns).map { $0.name.lowercased() })
        return newFields.map { name, type in
            var number = 1
            var field = SQLField(name: name, type: type, column: name)
            while !taken.isDisjoint(with: field.columns.map { $0.name.lowercased() }) {
                number += 1
                field = SQLField(name: name, type: type, column: "\(name)_\(number)")
            }
            taken.formUnion(field.columns.map { $0.name.lowercased() })
            return field
        }
    }

    private func freeTableName(for name: String) throws -> String {
        // SQLite keeps the names that start so for itself, and a table of the others would hide a function.
        let isReserved = name.lowercased().hasPrefix("sqlite_") || name.lowercased().hasPrefix("json_")
        let base = isReserved ? "record_\(name)" : name
        var number = 1
        var table = base
        while try connection.hasTable(table) {
            number += 1
            table = "\(base)_\(number)"
        }
        return table
    }
}
