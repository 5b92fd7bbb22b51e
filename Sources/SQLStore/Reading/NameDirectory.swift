/// The table of all record names: where the record of an ID is.
struct NameDirectory {
    private let lookup: any SQLStatement

    init(_ connection: any SQLConnection) throws {
        lookup = try connection.statement(
            "SELECT \"type_id\", \"row_id\" FROM \"_names\" WHERE \"record_name\" = ?1 AND \"zone_id\" = ?2"
        )
    }

    /// The type and row of a record, if it exists.
    func place(of name: String, zone: Int64) throws -> (typeID: Int64, row: Int64)? {
        defer { lookup.reset() }
        try lookup.bind(name, at: 1)
        try lookup.bind(zone, at: 2)
        return try lookup.step() ? (lookup.integer(at: 0), lookup.integer(at: 1)) : nil
    }
}
