import CloudRecords

/// One read transaction: a connection and the schema as it is seen there.
package struct ReadSession {
    package let connection: any SQLConnection
    package let schema: SQLSchema
    let dialect: any SQLDialect
    let assets: any AssetKeeping

    /// The type and row of a record, if it exists.
    func place(of name: String, zone: Int64) throws -> (typeID: Int64, row: Int64)? {
        let statement = try connection.statement(
            "SELECT \"type_id\", \"row_id\" FROM \"_names\" WHERE \"record_name\" = ?1 AND \"zone_id\" = ?2"
        )
        defer { statement.reset() }
        try statement.bind(name, at: 1)
        try statement.bind(zone, at: 2)
        return try statement.step() ? (statement.integer(at: 0), statement.integer(at: 1)) : nil
    }

    func recordType(id: Int64) throws -> SQLRecordType {
        guard let recordType = schema.recordTypesByID[id] else {
            throw CloudError(
                .internalError,
                "The directory of record names names a record type that does not exist.",
                remedy: "Restore the database from a backup."
            )
        }
        return recordType
    }

    /// Fetches records by ID, one result for each, in their order.
    func fetch(_ recordIDs: [CloudRecordID], desiredFields: [String]?) throws -> [Result<CloudRecord, CloudError>] {
        var rows = RowBuffer(assets: assets)
        var found: [ReadPlan?] = []
        found.reserveCapacity(recordIDs.count)
        var last: (typeID: Int64, plan: ReadPlan, statement: any SQLStatement)?
        for (index, recordID) in recordIDs.enumerated() {
            if index % 256 == 255 { try connection.checkCancellation() }
            guard
                let zone = schema.zone(recordID.zoneID),
                let place = try place(of: recordID.recordName, zone: zone)
            else {
                found.append(nil)
                continue
            }
            if last?.typeID != place.typeID {
                let recordType = try recordType(id: place.typeID)
                let plan = recordType.readPlan(desiredFields)
                last = (place.typeID, plan, try connection.statement(select(plan, from: recordType)))
            }
            guard let (_, plan, statement) = last else { continue }
            defer { statement.reset() }
            try statement.bind(place.row, at: 1)
            let count = try statement.readRows(plan, upTo: 1, into: &rows)
            found.append(count == 1 ? plan : nil)
        }
        var next = 0
        return zip(recordIDs, found).map { recordID, plan in
            guard let plan else { return .failure(.missing(recordID)) }
            defer { next += 1 }
            return .success(rows.record(at: next, layout: plan.layout, schema: schema))
        }
    }

    /// The record in a row.
    func record(in recordType: SQLRecordType, row: Int64) throws -> CloudRecord? {
        let plan = recordType.allFields
        let statement = try connection.statement(select(plan, from: recordType))
        defer { statement.reset() }
        try statement.bind(row, at: 1)
        var rows = RowBuffer(assets: assets)
        guard try statement.readRows(plan, upTo: 1, into: &rows) == 1 else { return nil }
        return rows.record(at: 0, layout: plan.layout, schema: schema)
    }

    private func select(_ plan: ReadPlan, from recordType: SQLRecordType) -> String {
        "SELECT \(plan.selectList) FROM \(dialect.quoted(recordType.table)) WHERE \"_row\" = ?1"
    }
}

extension CloudError {
    static func missing(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .unknownItem,
            "There is no record \(recordID).",
            remedy: "It may have been deleted; look for it with a query.",
            recordID: recordID
        )
    }
}
