import CloudRecords

extension BatchWriter {
    /// Deletes a record and all that go with it; one that does not exist is not an error.
    func delete(_ recordID: CloudRecordID) throws {
        try RecordValidator.validate(recordID)
        guard
            let zone = session.schema.zone(recordID.zoneID),
            let place = try directory.place(of: recordID.recordName, zone: zone)
        else { return }
        try delete(Doomed(recordID: recordID, zone: zone, typeID: place.typeID, row: place.row))
    }

    /// Deletes all records of a zone.
    func deleteRecords(inZone zone: Int64) throws {
        let zoneID = session.schema.zoneID(zone)
        for recordType in session.schema.recordTypesByID.values.sorted(by: { $0.id < $1.id }) {
            var doomed: [Doomed] = []
            try session.connection.forEachRow(
                """
                SELECT "_row", "_name" FROM \(session.dialect.quoted(recordType.table)) \
                WHERE "_zone" = ?1 ORDER BY "_row"
                """,
                [.integer(zone)]
            ) { row in
                doomed.append(
                    Doomed(
                        recordID: CloudRecordID(row.text(at: 1), zone: zoneID),
                        zone: zone,
                        typeID: recordType.id,
                        row: row.integer(at: 0)
                    )
                )
            }
            for record in doomed { try delete(record) }
        }
    }

    /// A stored record that is to be deleted.
    private struct Doomed {
        let recordID: CloudRecordID
        let zone: Int64
        let typeID: Int64
        let row: Int64
    }

    /// Deletes a record, then what refers to it with the action deleteSelf, and so on; cycles end because what is
    /// deleted is not found again.
    private func delete(_ first: Doomed) throws {
        var doomed = [first]
        var count = 0
        while let next = doomed.popLast() {
            guard try remove(next) else { continue }
            count += 1
            if count % 256 == 0 { try session.connection.checkCancellation() }
            for source in try links.rowsDeleted(with: next.recordID) {
                if let record = try stored(source) { doomed.append(record) }
            }
        }
    }

    private func stored(_ source: LinkTable.Source) throws -> Doomed? {
        let recordType = try session.schema.recordType(id: source.typeID)
        let statement = try session.connection.statement(
            "SELECT \"_name\", \"_zone\" FROM \(session.dialect.quoted(recordType.table)) WHERE \"_row\" = ?1"
        )
        defer { statement.reset() }
        try statement.bind(source.row, at: 1)
        guard try statement.step() else { return nil }
        let zone = statement.integer(at: 1)
        return Doomed(
            recordID: CloudRecordID(statement.text(at: 0), zone: session.schema.zoneID(zone)),
            zone: zone,
            typeID: source.typeID,
            row: source.row
        )
    }

    /// Removes one record with its words and links, and leaves a tombstone; false if it is gone already.
    private func remove(_ record: Doomed) throws -> Bool {
        let recordType = try session.schema.recordType(id: record.typeID)
        let before = try notifier?.before(recordType, in: record.recordID.zoneID, row: record.row)
        let count = try session.connection.run(
            "DELETE FROM \(session.dialect.quoted(recordType.table)) WHERE \"_row\" = ?1",
            [.integer(record.row)]
        )
        guard count > 0 else { return false }
        try tokenWriter(recordType)?.remove(row: record.row)
        try links.remove(row: record.row)
        try session.connection.run(
            "DELETE FROM \"_names\" WHERE \"record_name\" = ?1 AND \"zone_id\" = ?2",
            [.text(record.recordID.recordName), .integer(record.zone)]
        )
        // A record that was there several times has one tombstone.
        try session.connection.run(
            "DELETE FROM \"_tombstones\" WHERE \"record_name\" = ?1 AND \"zone_id\" = ?2",
            [.text(record.recordID.recordName), .integer(record.zone)]
        )
        try session.connection.run(
            "INSERT INTO \"_tombstones\" VALUES (?1, ?2, ?3, ?4, ?5)",
            [
                .integer(try session.takeSequence()), .text(record.recordID.recordName), .integer(record.zone),
                .integer(record.typeID), .real(clock.timeIntervalSinceReferenceDate),
            ]
        )
        try notifier?.note(deleted: before)
        return true
    }
}
