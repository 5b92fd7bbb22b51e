import CloudRecords

/// One read transaction: a connection and the schema as it is seen there.
package struct ReadSession {
    package let connection: any SQLConnection
    package let schema: SQLSchema
    /// The first sequence number that is not given out yet.
    let nextSequence: Int64
    let dialect: any SQLDialect
    let assets: any AssetKeeping

    /// The directory of names on the connection.
    var directory: NameDirectory {
        get throws { try NameDirectory(connection) }
    }

    /// Fetches records by ID, one result for each, in their order.
    func fetch(_ recordIDs: [CloudRecordID], desiredFields: [String]?) throws -> [Result<CloudRecord, CloudError>] {
        var rows = RowBuffer(assets: assets)
        var found: [ReadPlan?] = []
        found.reserveCapacity(recordIDs.count)
        var last: (typeID: Int64, plan: ReadPlan, statement: any SQLStatement)?
        let directory = try directory
        for (index, recordID) in recordIDs.enumerated() {
            if index % 256 == 255 { try connection.checkCancellation() }
            guard
                let zone = schema.zone(recordID.zoneID),
                let place = try directory.place(of: recordID.recordName, zone: zone)
            else {
                found.append(nil)
                continue
            }
            if last?.typeID != place.typeID {
                let recordType = try schema.recordType(id: place.typeID)
                guard schema.recordTypes[recordType.name] != nil else {
                    found.append(nil)
                    continue
                }
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
