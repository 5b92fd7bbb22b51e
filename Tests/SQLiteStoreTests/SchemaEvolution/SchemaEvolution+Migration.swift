import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

extension SchemaEvolution {
    @Suite("Schema evolution: migration of the file")
    struct Migration {
        private let folder: TestFolder
        private let path: String

        init() throws {
            folder = try TestFolder()
            path = folder.path("old.sqlite")
        }

        private static let separator = "\u{1F}"
        private static let deleteSelf = "\\u001edeleteSelf"

        /// A file as the first version of the format had it.
        private static let formatOne = """
            CREATE TABLE "_meta" ("id" INTEGER PRIMARY KEY CHECK ("id" = 1), "format" INTEGER NOT NULL,
                "generation" INTEGER NOT NULL, "next_sequence" INTEGER NOT NULL, "database_id" TEXT NOT NULL);
            CREATE TABLE "_zones" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL, "owner" TEXT NOT NULL,
                UNIQUE ("name", "owner"));
            CREATE TABLE "_record_types" ("id" INTEGER PRIMARY KEY, "name" TEXT NOT NULL UNIQUE,
                "table_name" TEXT NOT NULL UNIQUE COLLATE NOCASE);
            CREATE TABLE "_fields" ("type_id" INTEGER NOT NULL, "position" INTEGER NOT NULL, "name" TEXT NOT NULL,
                "kind" TEXT NOT NULL, "column_name" TEXT NOT NULL COLLATE NOCASE,
                PRIMARY KEY ("type_id", "name"), UNIQUE ("type_id", "column_name")) WITHOUT ROWID;
            CREATE TABLE "_indexes" ("name" TEXT PRIMARY KEY, "type_id" INTEGER NOT NULL) WITHOUT ROWID;
            CREATE TABLE "_names" ("record_name" TEXT NOT NULL, "zone_id" INTEGER NOT NULL, "type_id" INTEGER NOT NULL,
                "row_id" INTEGER NOT NULL, PRIMARY KEY ("record_name", "zone_id")) WITHOUT ROWID;
            CREATE TABLE "_tombstones" ("sequence" INTEGER PRIMARY KEY, "record_name" TEXT NOT NULL,
                "zone_id" INTEGER NOT NULL, "type_id" INTEGER NOT NULL);
            CREATE TABLE "_assets" ("content_name" TEXT PRIMARY KEY, "size" INTEGER NOT NULL) WITHOUT ROWID;
            INSERT INTO "_meta" VALUES (1, 1, 2, 105, 'C0FFEE');
            INSERT INTO "_zones" VALUES (1, '_defaultZone', '__defaultOwner__'), (2, 'z', '__defaultOwner__');
            INSERT INTO "_record_types" VALUES (1, 'Item', 'Item');
            INSERT INTO "_fields" VALUES (1, 0, 'n', 'INT64', 'n'), (1, 1, 'Owner', 'REFERENCE', 'Owner_2'),
                (1, 2, 'others', 'LIST<REFERENCE>', 'others'), (1, 3, 'picture', 'ASSET', 'picture'),
                (1, 4, 'album', 'LIST<ASSET>', 'album');
            CREATE TABLE "Item" ("_row" INTEGER PRIMARY KEY, "_name" TEXT NOT NULL, "_zone" INTEGER NOT NULL,
                "_sequence" INTEGER NOT NULL, "_created" REAL NOT NULL, "_modified" REAL NOT NULL,
                "_creator" TEXT NOT NULL, "_modifier" TEXT NOT NULL, "n" INTEGER, "Owner_2" TEXT,
                "_Owner_2_action" INTEGER, "others" TEXT, "picture" TEXT, "album" TEXT);
            CREATE INDEX "_Item_sequence" ON "Item" ("_sequence");
            CREATE INDEX "_Item_by_n" ON "Item" ("n");
            INSERT INTO "_indexes" VALUES ('_Item_by_n', 1);
            INSERT INTO "Item" VALUES
                (100, 'a', 1, 100, 1.5, 1.5, 'u', 'u', 1, 'target', 1,
                    '["x","y\(deleteSelf)","y\(deleteSelf)","w\\u001fz\\u001f__defaultOwner__\(deleteSelf)"]',
                    'abc', '["abc","def"]'),
                (101, 'b', 2, 101, 1.5, 1.5, 'u', 'u', 2, 'target', 0, NULL, NULL, '[]'),
                (102, 'c', 1, 102, 1.5, 1.5, 'u', 'u', NULL, NULL, NULL, 'no list', NULL, NULL);
            INSERT INTO "_names" VALUES ('a', 1, 1, 100), ('b', 2, 1, 101), ('c', 1, 1, 102);
            INSERT INTO "_tombstones" VALUES (99, 'gone', 1, 1), (103, 'gone', 1, 1);
            INSERT INTO "_assets" VALUES ('abc', 3), ('def', 3), ('fed', 3);
            """

        @Test("A file of the first format is brought to the newest one with all that it has")
        func migrated() async throws {
            try PlainSQL.run(Self.formatOne, path)
            let store = try SQLiteStore(path: path)
            #expect(try await store.zones().map(\.zoneName) == ["_defaultZone", "z"])
            let fetched = try await store.fetchOne("a")
            #expect(fetched["n"] == .int64(1))
            #expect(
                fetched["Owner"] == .reference(CloudReference(recordID: CloudRecordID("target"), action: .deleteSelf))
            )
            #expect(try await store.matches(.everything) == ["a", "b", "c"])
            #expect(try await store.schema()["Item"]?.indexes.contains(.queryable("n")) == true)
            var change = item("a", ["n": .int64(7)])
            change.setTag(of: fetched)
            try await store.saveOne(change)
            #expect(try await store.matches(.compare(field: "n", .equal, .int64(7))) == ["a"])
            await store.close()
            #expect(try PlainSQL.run("SELECT format, database_id FROM _meta", path) == [["3", "C0FFEE"]])
            #expect(try PlainSQL.run("SELECT sequence, deleted FROM _tombstones", path) == [["103", "0.0"]])
            // Opened again, nothing is left to do.
            #expect(try await SQLiteStore(path: path).fetchOne("a")["n"] == .int64(7))
        }

        @Test("The links of old records are written down: deleting references and uses of assets, each once")
        func links() async throws {
            try PlainSQL.run(Self.formatOne, path)
            try await SQLiteStore(path: path).close()
            let links = "SELECT target, row_id, field, type_id FROM"
            #expect(
                try PlainSQL.run("\(links) _cascades ORDER BY field, target", path) == [
                    ["target", "100", "Owner", "1"],
                    ["w\(Self.separator)z\(Self.separator)__defaultOwner__", "100", "others", "1"],
                    ["y", "100", "others", "1"],
                ]
            )
            #expect(
                try PlainSQL.run("\(links) _asset_uses ORDER BY field, target", path) == [
                    ["abc", "100", "album", "1"], ["def", "100", "album", "1"], ["abc", "100", "picture", "1"],
                ]
            )
        }

        @Test("Content that no old record uses is garbage, or gone already")
        func garbage() async throws {
            try PlainSQL.run(Self.formatOne, path)
            try await SQLiteStore(path: path).close()
            let kept = """
                SELECT content_name FROM _assets WHERE content_name NOT IN (SELECT content_name FROM _garbage) ORDER BY 1
                """
            #expect(try PlainSQL.run(kept, path) == [["abc"], ["def"]])
        }

        @Test("A migrated file has the same tables as a new one")
        func sameTables() async throws {
            try PlainSQL.run(Self.formatOne, path)
            try await SQLiteStore(path: path).close()
            let fresh = folder.path("fresh.sqlite")
            try await SQLiteStore(path: fresh).close()
            let own = """
                SELECT master.type, master.name, info.name, info.type, info."notnull", info.pk
                FROM sqlite_master AS master JOIN pragma_table_info(master.name) AS info
                WHERE master.name GLOB '[_]*' AND master.name NOT GLOB '[_]Item*'
                ORDER BY master.name, info.cid
                """
            let columns = try PlainSQL.run(own, fresh)
            #expect(columns.count > 30)
            #expect(try PlainSQL.run(own, path) == columns)
            let names = """
                SELECT type, name, tbl_name FROM sqlite_master
                WHERE tbl_name GLOB '[_]*' AND name NOT GLOB '[_]Item*' ORDER BY name
                """
            #expect(try PlainSQL.run(names, path) == PlainSQL.run(names, fresh))
        }

        @Test("A migration that fails on the way leaves the file as it was")
        func failed() async throws {
            // The table of a type is missing, which shows when the links are collected, after the tables were made.
            try PlainSQL.run(Self.formatOne + "DROP TABLE Item;", path)
            let content = "SELECT type, name, sql FROM sqlite_master; SELECT * FROM _meta; SELECT * FROM _tombstones"
            let before = try PlainSQL.run(content, path)
            _ = try await error { _ = try SQLiteStore(path: path) }
            #expect(try PlainSQL.run(content, path) == before)
        }

        @Test("A store that has the file open when it gets a newer format stops with an error", arguments: [4, 99])
        func newerFormat(format: Int) async throws {
            let store = try SQLiteStore(path: path)
            try await store.saveOne(item("a", ["n": .int64(1)]))
            try PlainSQL.run("UPDATE _meta SET format = \(format)", path)
            #expect(try await error { try await store.saveOne(item("b")) }.code == .incompatibleVersion)
            #expect(try await error { _ = try await store.fetchOne("a") }.code == .incompatibleVersion)
            #expect(try await error { try await store.deploySchema() }.code == .incompatibleVersion)
            #expect(try await error { _ = try SQLiteStore(path: path) }.code == .incompatibleVersion)
            try PlainSQL.run("UPDATE _meta SET format = 3", path)
            #expect(try await store.matches(.everything) == ["a"])
        }

        @Test("A format that was never there is refused")
        func unknownFormat() async throws {
            try PlainSQL.run(Self.formatOne + "UPDATE _meta SET format = 0;", path)
            #expect(try await error { _ = try SQLiteStore(path: path) }.code == .incompatibleVersion)
        }
    }
}
