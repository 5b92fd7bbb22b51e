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
    func fetch(_ recordIDs: [CloudRecordID], desiredFields: [String]?) throws -> CloudFetchedRows {
        let directory = try directory
        var places: ContiguousArray<RecordPlace?> = []
        places.reserveCapacity(recordIDs.count)
        for recordID in recordIDs {
            if places.count % 256 == 255 { try connection.checkCancellation() }
            guard let zone = schema.zone(recordID.zoneID) else {
                places.append(nil)
                continue
            }
            places.append(try directory.place(of: recordID.recordName, zone: zone))
        }
        return try rows(at: places, desiredFields: desiredFields)
    }

    /// Reads the records in some rows, one for each place; those that can't be seen are missing.
    ///
    /// They are read in the order of the table, whose neighbouring rows are found faster.
    func rows(at places: ContiguousArray<RecordPlace?>, desiredFields: [String]? = nil) throws -> CloudFetchedRows {
        var positions = ContiguousArray(repeating: CloudFetchedRows.Position.missing, count: places.count)
        var found: ContiguousArray<(place: RecordPlace, position: Int)> = []
        found.reserveCapacity(places.count)
        for (position, place) in places.enumerated() {
            if let place { found.append((place, position)) }
        }
        if found.count > 1 { found.sort { $0.place < $1.place } }
        var rows: [RecordRows] = []
        var rest = found[...]
        while let typeID = rest.first?.place.typeID {
            let end = rest.firstIndex { $0.place.typeID != typeID } ?? rest.endIndex
            let ofType = rest[..<end]
            rest = rest[end...]
            let recordType = try schema.recordType(id: typeID)
            // A type that was not deployed is not seen in production.
            guard schema.recordTypes[recordType.name] != nil else { continue }
            let plan = recordType.readPlan(desiredFields)
            var buffer = RecordRowBuffer(layout: plan.layout, rows: ofType.count)
            let statement = try select(plan, from: recordType)
            defer { statement.reset() }
            for (place, position) in ofType {
                if buffer.count % 256 == 255 { try connection.checkCancellation() }
                statement.reset()
                try statement.bind(place.row, at: 1)
                guard try statement.readRows(plan, upTo: 1, into: &buffer, assets: assets) == 1 else { continue }
                positions[position] = CloudFetchedRows.Position(type: rows.count, row: buffer.count - 1)
            }
            rows.append(buffer.finish(zone: schema.zoneID))
        }
        return CloudFetchedRows(rows, at: positions)
    }

    /// The record in a row.
    func record(in recordType: SQLRecordType, row: Int64) throws -> CloudRecord? {
        let plan = recordType.allFields
        let statement = try select(plan, from: recordType)
        defer { statement.reset() }
        try statement.bind(row, at: 1)
        var rows = RecordRowBuffer(layout: plan.layout, rows: 1)
        guard try statement.readRows(plan, upTo: 1, into: &rows, assets: assets) == 1 else { return nil }
        return rows.finish(zone: schema.zoneID).record(at: 0)
    }

    /// The statement that reads the record in a row.
    private func select(_ plan: ReadPlan, from recordType: SQLRecordType) throws -> any SQLStatement {
        try connection.storeStatements.statement(of: plan, on: connection) {
            "SELECT \(plan.selectList) FROM \(dialect.quoted(recordType.table)) WHERE \"_row\" = ?1"
        }
    }
}
