import CloudRecords
import Foundation

/// The tables that the store keeps for itself. Their names start with an underscore, which no record type's does.
package enum StoreTables {
    /// The version of these tables. A database of a newer version is refused.
    package static let formatVersion: Int64 = 3

    /// The row of `_meta`.
    package struct Meta: Sendable {
        var generation: Int64
        var nextSequence: Int64
        /// Counts the changes of clients' subscriptions; 0 if there never was one.
        var subscriptions: Int64
    }

    /// Makes the tables if they are missing, and brings those of an older version to this one's format.
    ///
    /// To be called in a write transaction: a file is as it was unless all of it is done.
    ///
    /// - Throws: ``CloudError/Code/incompatibleVersion`` if a newer version of the framework made them.
    package static func prepare(_ connection: any SQLConnection) throws {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS "_meta" (
                "id" INTEGER PRIMARY KEY CHECK ("id" = 1),
                "format" INTEGER NOT NULL,
                "generation" INTEGER NOT NULL,
                "next_sequence" INTEGER NOT NULL,
                "database_id" TEXT NOT NULL,
                "compacted" INTEGER NOT NULL,
                "subscriptions" INTEGER NOT NULL DEFAULT 0
            )
            """
        )
        if let format = try readFormat(connection) {
            if format < formatVersion { try migrate(connection, from: format) }
            return
        }
        for sql in definitions + definitionsOfFormat2 + definitionsOfFormat3 {
            try connection.execute(sql)
        }
        try connection.run(
            "INSERT INTO \"_zones\" (\"id\", \"name\", \"owner\") VALUES (?1, ?2, ?3)",
            [
                .integer(SQLSchema.defaultZone), .text(CloudZoneID.default.zoneName),
                .text(CloudZoneID.default.ownerName),
            ]
        )
        try connection.run(
            "INSERT INTO \"_meta\" VALUES (1, ?1, 1, ?2, ?3, 0, 0)",
            [.integer(formatVersion), .integer(firstSequence()), .text(UUID().uuidString)]
        )
    }

    /// The sequence of a new database starts anywhere, so that the change tags of two databases differ: an object that
    /// is saved to the wrong one is a conflict then.
    private static func firstSequence() -> Int64 {
        Int64.random(in: 1...(1 << 40))
    }

    private static let definitions = [
        """
        CREATE TABLE "_zones" (
            "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "owner" TEXT NOT NULL,
            "is_deleted" INTEGER NOT NULL DEFAULT 0, UNIQUE ("name", "owner")
        )
        """,
        """
        CREATE TABLE "_record_types" (
            "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE, "table_name" TEXT NOT NULL UNIQUE COLLATE NOCASE,
            "is_deployed" INTEGER NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE "_fields" (
            "type_id" INTEGER NOT NULL, "position" INTEGER NOT NULL, "name" TEXT NOT NULL, "kind" TEXT NOT NULL,
            "column_name" TEXT NOT NULL COLLATE NOCASE, "is_deployed" INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY ("type_id", "name"), UNIQUE ("type_id", "column_name")
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE "_indexes" (
            "name" TEXT PRIMARY KEY, "type_id" INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE "_names" (
            "record_name" TEXT NOT NULL, "zone_id" INTEGER NOT NULL, "type_id" INTEGER NOT NULL,
            "row_id" INTEGER NOT NULL,
            PRIMARY KEY ("record_name", "zone_id")
        ) WITHOUT ROWID
        """,
        """
        CREATE TABLE "_tombstones" (
            "sequence" INTEGER PRIMARY KEY, "record_name" TEXT NOT NULL, "zone_id" INTEGER NOT NULL,
            "type_id" INTEGER NOT NULL, "deleted" REAL NOT NULL DEFAULT 0
        )
        """,
        """
        CREATE TABLE "_assets" (
            "content_name" TEXT PRIMARY KEY, "size" INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
    ]

    /// What came with format 2: the tables of links between records and to assets, and an index.
    static let definitionsOfFormat2 = [
        "CREATE INDEX \"_tombstones_by_name\" ON \"_tombstones\" (\"record_name\", \"zone_id\")",
        """
        CREATE TABLE "_cascades" (
            "target" TEXT NOT NULL, "row_id" INTEGER NOT NULL, "field" TEXT NOT NULL, "type_id" INTEGER NOT NULL,
            PRIMARY KEY ("target", "row_id", "field")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX \"_cascades_by_row\" ON \"_cascades\" (\"row_id\", \"field\")",
        """
        CREATE TABLE "_asset_uses" (
            "target" TEXT NOT NULL, "row_id" INTEGER NOT NULL, "field" TEXT NOT NULL, "type_id" INTEGER NOT NULL,
            PRIMARY KEY ("target", "row_id", "field")
        ) WITHOUT ROWID
        """,
        "CREATE INDEX \"_asset_uses_by_row\" ON \"_asset_uses\" (\"row_id\", \"field\")",
        """
        CREATE TABLE "_garbage" (
            "content_name" TEXT PRIMARY KEY, "since" INTEGER NOT NULL
        ) WITHOUT ROWID
        """,
    ]

    /// What came with format 3: clients with their subscriptions and unread notifications.
    static let definitionsOfFormat3 = [
        """
        CREATE TABLE "_clients" (
            "id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "user" TEXT NOT NULL, "badge" INTEGER NOT NULL,
            "dropped" INTEGER NOT NULL, UNIQUE ("name", "user")
        )
        """,
        """
        CREATE TABLE "_subscriptions" (
            "id" INTEGER PRIMARY KEY, "client_id" INTEGER NOT NULL, "subscription_id" TEXT NOT NULL,
            "content" TEXT NOT NULL, UNIQUE ("client_id", "subscription_id")
        )
        """,
        """
        CREATE TABLE "_notifications" (
            "client_id" INTEGER NOT NULL, "id" INTEGER NOT NULL, "subscription_id" TEXT NOT NULL,
            "event" INTEGER NOT NULL, "record" TEXT NOT NULL, "record_type" TEXT NOT NULL, "record_sequence" INTEGER,
            "details" TEXT, "fields" TEXT, "badge" INTEGER, "created" REAL NOT NULL,
            PRIMARY KEY ("client_id", "id")
        ) WITHOUT ROWID
        """,
    ]

    /// The format of the tables; nil if they are not made yet.
    ///
    /// - Throws: ``CloudError/Code/incompatibleVersion`` if it is newer than this version's.
    private static func readFormat(_ connection: any SQLConnection) throws -> Int64? {
        let statement = try connection.statement("SELECT \"format\" FROM \"_meta\" WHERE \"id\" = 1")
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        let format = statement.integer(at: 0)
        try check(format)
        return format
    }

    private static func check(_ format: Int64) throws {
        guard format <= formatVersion else {
            throw CloudError(
                .incompatibleVersion,
                "The database has format \(format), and this version of the framework knows up to \(formatVersion).",
                remedy: "Update the app."
            )
        }
    }

    /// The definition of the index by which a record type's changes are found.
    ///
    /// A record that was saved once has its row's number as its sequence number, and is found by that. So a new record
    /// costs no entry.
    static func changeIndex(ofTable table: String) -> String {
        """
        CREATE INDEX \(changeIndexName(ofTable: table)) ON \(quoted(table)) ("_sequence") \
        WHERE "_sequence" <> "_row"
        """
    }

    static func changeIndexName(ofTable table: String) -> String { quoted("_\(table)_sequence") }

    static func quoted(_ identifier: String) -> String {
        "\"\(identifier.replacing("\"", with: "\"\""))\""
    }

    static func readMeta(_ connection: any SQLConnection) throws -> Meta? {
        let statement = try connection.storeStatements.statement(.meta, on: connection)
        defer { statement.reset() }
        guard try statement.step() else { return nil }
        try check(statement.integer(at: 0))
        return Meta(
            generation: statement.integer(at: 1),
            nextSequence: statement.integer(at: 2),
            subscriptions: statement.integer(at: 3)
        )
    }

    /// The first sequence number that is not given out yet.
    package static func nextSequence(_ connection: any SQLConnection) throws -> Int64 {
        try meta(connection).nextSequence
    }

    static func meta(_ connection: any SQLConnection) throws -> Meta {
        guard let meta = try readMeta(connection) else {
            throw CloudError(
                .internalError,
                "The database has lost its row of _meta.",
                remedy: "Restore the database from a backup."
            )
        }
        return meta
    }
}
