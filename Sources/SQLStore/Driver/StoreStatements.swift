/// The statements that nearly every call runs, prepared once on a connection and found without their text.
package final class StoreStatements {
    /// A statement on the store's own tables.
    enum Fixed: Int, CaseIterable {
        /// Reads the row of `_meta`.
        case meta
        /// Writes down the change sequence and the schema's generation.
        case metaUpdate
        /// Finds the record of a name and zone.
        case place
        /// Adds a record to the directory of names, if there is none of its name.
        case nameInsertion

        fileprivate var sql: String {
            switch self {
            case .meta:
                "SELECT \"format\", \"generation\", \"next_sequence\", \"subscriptions\" FROM \"_meta\" WHERE \"id\" = 1"
            case .metaUpdate: "UPDATE \"_meta\" SET \"next_sequence\" = ?1, \"generation\" = ?2 WHERE \"id\" = 1"
            case .place:
                "SELECT \"type_id\", \"row_id\" FROM \"_names\" WHERE \"record_name\" = ?1 AND \"zone_id\" = ?2"
            case .nameInsertion:
                """
                INSERT INTO "_names" ("record_name", "zone_id", "type_id", "row_id") VALUES (?1, ?2, ?3, ?4)
                ON CONFLICT ("record_name", "zone_id") DO NOTHING
                """
            }
        }
    }

    private var fixed: [(any SQLStatement)?] = Array(repeating: nil, count: Fixed.allCases.count)
    private var ofObjects: [ObjectIdentifier: (object: AnyObject, statement: any SQLStatement)] = [:]
    private var last: (object: AnyObject, statement: any SQLStatement)?

    package init() {}

    /// A statement on the store's own tables.
    func statement(_ name: Fixed, on connection: any SQLConnection) throws -> any SQLStatement {
        if let statement = fixed[name.rawValue] { return statement }
        let statement = try connection.statement(name.sql)
        fixed[name.rawValue] = statement
        return statement
    }

    /// The statement that belongs to an immutable object, such as a plan, and is made once for it.
    func statement(
        of object: AnyObject,
        on connection: any SQLConnection,
        sql: () -> String
    ) throws -> any SQLStatement {
        if let last, last.object === object { return last.statement }
        if let known = ofObjects[ObjectIdentifier(object)] {
            last = known
            return known.statement
        }
        // Each change of the schema makes new objects. What is kept here keeps its object, so that no other one can take
        // its identity.
        if ofObjects.count >= 128 { ofObjects.removeAll() }
        let made = (object: object, statement: try connection.statement(sql()))
        ofObjects[ObjectIdentifier(object)] = made
        last = made
        return made.statement
    }
}
