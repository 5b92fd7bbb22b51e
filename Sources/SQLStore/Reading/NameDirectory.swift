/// Where a record is: a type's table, and a row of it.
struct RecordPlace: Comparable {
    let typeID: Int64
    let row: Int64

    static func < (left: RecordPlace, right: RecordPlace) -> Bool {
        left.typeID == right.typeID ? left.row < right.row : left.typeID < right.typeID
    }
}

/// The table of all record names: where the record of an ID is.
struct NameDirectory {
    private let lookup: any SQLStatement

    init(_ connection: any SQLConnection) throws {
        lookup = try connection.storeStatements.statement(.place, on: connection)
    }

    /// The type and row of a record, if it exists.
    func place(of name: String, zone: Int64) throws -> RecordPlace? {
        defer { lookup.reset() }
        try lookup.bind(name, at: 1)
        try lookup.bind(zone, at: 2)
        return try lookup.step() ? RecordPlace(typeID: lookup.integer(at: 0), row: lookup.integer(at: 1)) : nil
    }
}
