import CloudRecords

/// One of the tables that say which row's field points at what, so that the way back is found.
final class LinkTable {
    enum Kind: String {
        /// References with the action deleteSelf; the target is the text of the record's ID.
        case cascades = "_cascades"
        /// Assets; the target is the name of the content.
        case assetUses = "_asset_uses"
    }

    /// Where a link comes from.
    struct Source {
        let typeID: Int64
        let row: Int64
    }

    private let connection: any SQLConnection
    private let name: String
    /// Whether there are no links at all, once somebody wanted to know.
    private var isKnownEmpty: Bool?

    init(_ kind: Kind, connection: any SQLConnection) {
        self.connection = connection
        name = kind.rawValue
    }

    /// Whether there are no links of this kind, as in most databases: then nobody need look for old ones.
    private func isEmpty() throws -> Bool {
        if let isKnownEmpty { return isKnownEmpty }
        let statement = try connection.statement("SELECT 1 FROM \"\(name)\" LIMIT 1")
        defer { statement.reset() }
        let isEmpty = try !statement.step()
        isKnownEmpty = isEmpty
        return isEmpty
    }

    func add(_ target: String, from source: Source, field: String) throws {
        isKnownEmpty = false
        // A list may name a target twice.
        let statement = try connection.statement(
            """
            INSERT INTO "\(name)" ("target", "row_id", "field", "type_id") VALUES (?1, ?2, ?3, ?4)
            ON CONFLICT DO NOTHING
            """
        )
        defer { statement.reset() }
        try statement.bind(target, at: 1)
        try statement.bind(source.row, at: 2)
        try statement.bind(field, at: 3)
        try statement.bind(source.typeID, at: 4)
        _ = try statement.run()
    }

    /// Removes the links of a row, or of one of its fields, and returns their targets.
    @discardableResult
    func remove(row: Int64, field: String? = nil) throws -> [String] {
        if try isEmpty() { return [] }
        let condition = field == nil ? "\"row_id\" = ?1" : "\"row_id\" = ?1 AND \"field\" = ?2"
        let parameters: [SQLValue] = [.integer(row)] + (field.map { [.text($0)] } ?? [])
        var targets: [String] = []
        try connection.forEachRow("SELECT \"target\" FROM \"\(name)\" WHERE \(condition)", parameters) { found in
            targets.append(found.text(at: 0))
        }
        if !targets.isEmpty { try connection.run("DELETE FROM \"\(name)\" WHERE \(condition)", parameters) }
        return targets
    }

    /// The rows that point at a target.
    func sources(of target: String) throws -> [Source] {
        if try isEmpty() { return [] }
        var sources: [Source] = []
        try connection.forEachRow(
            "SELECT DISTINCT \"type_id\", \"row_id\" FROM \"\(name)\" WHERE \"target\" = ?1 ORDER BY \"row_id\"",
            [.text(target)]
        ) { found in
            sources.append(Source(typeID: found.integer(at: 0), row: found.integer(at: 1)))
        }
        return sources
    }

    /// Whether anything points at a target.
    func hasSource(of target: String) throws -> Bool {
        if try isEmpty() { return false }
        let statement = try connection.statement("SELECT 1 FROM \"\(name)\" WHERE \"target\" = ?1 LIMIT 1")
        defer { statement.reset() }
        try statement.bind(target, at: 1)
        return try statement.step()
    }
}
