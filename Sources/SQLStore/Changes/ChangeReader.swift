import CloudRecords

/// Reads pages of the change log: the rows of all types and the tombstones, merged by sequence number.
struct ChangeReader {
    /// One change, before its record is read.
    private enum Change {
        case saved(RecordPlace)
        case deleted(CloudRecordID, zone: Int64, typeID: Int64)
    }

    let session: ReadSession
    /// The first sequence number that is not given out yet.
    let nextSequence: Int64
    /// The zone to read, nil for all.
    let zone: (id: Int64, zoneID: CloudZoneID)?

    /// Reads what comes after a position; from the beginning if it is nil.
    ///
    /// - Complexity: O(*t* log *n* + *k*) for *t* record types and *k* changes, or, for one zone, *k* changes of all
    ///   zones.
    func page(after position: ChangePosition?, limit: Int) throws -> CloudChanges {
        let log = try log()
        if let position {
            guard position.database == log.database, position.sequence < nextSequence,
                position.deletions >= log.compacted
            else { throw Self.expired(position, log) }
            // A client that knows all zones knows each of them, but not the other way round.
            guard position.zone == nil || position.zone == zoneText else { throw Self.otherZone }
        }
        // A client that has nothing yet need not hear what was deleted before.
        let start = ChangePosition(
            database: log.database,
            zone: zoneText,
            sequence: position?.sequence ?? -1,
            deletions: position?.deletions ?? nextSequence - 1
        )
        var changes = try saved(after: start.sequence, limit: limit + 1)
        changes += try deleted(after: start.deletions, limit: limit + 1)
        changes.sort { $0.sequence < $1.sequence }
        let moreComing = changes.count > limit
        let page = changes.prefix(limit)
        let end = ChangePosition(
            database: log.database,
            zone: zoneText,
            sequence: moreComing ? page.last?.sequence ?? start.sequence : nextSequence - 1,
            deletions: start.deletions
        )
        var saved: ContiguousArray<RecordPlace?> = []
        var deleted: [(recordID: CloudRecordID, recordType: String)] = []
        let directory = try session.directory
        for (index, change) in page.enumerated() {
            if index % 256 == 255 { try session.connection.checkCancellation() }
            switch change.change {
            case .saved(let place):
                saved.append(place)
            case .deleted(let recordID, let zone, let typeID):
                // A record that was made anew is among the saved ones, in this page or a later one.
                guard try directory.place(of: recordID.recordName, zone: zone) == nil else { continue }
                let recordType = try session.schema.recordType(id: typeID)
                // A type that was not deployed is not seen in production.
                guard session.schema.recordTypes[recordType.name] != nil else { continue }
                deleted.append((recordID, recordType.name))
            }
        }
        return CloudChanges(
            saved: try session.rows(at: saved).foundRecords,
            deleted: deleted,
            token: try end.token,
            moreComing: moreComing
        )
    }

    private typealias SequencedChange = (sequence: Int64, change: Change)

    private func saved(after sequence: Int64, limit: Int) throws -> [SequencedChange] {
        var changes: [SequencedChange] = []
        let zoneCondition = zone == nil ? "" : " AND \"_zone\" = ?3"
        for recordType in session.schema.recordTypes.values {
            let table = session.dialect.quoted(recordType.table)
            // Records that were saved once, and then the others, which alone are in the index of changes.
            for (key, comparison) in [("\"_row\"", "="), ("\"_sequence\"", "<>")] {
                try session.connection.forEachRow(
                    """
                    SELECT "_sequence", "_row" FROM \(table) \
                    WHERE \(key) > ?1 AND "_sequence" \(comparison) "_row"\(zoneCondition) ORDER BY \(key) LIMIT ?2
                    """,
                    parameters(sequence, limit)
                ) { row in
                    let place = RecordPlace(typeID: recordType.id, row: row.integer(at: 1))
                    changes.append((row.integer(at: 0), .saved(place)))
                }
            }
        }
        return changes
    }

    private func deleted(after sequence: Int64, limit: Int) throws -> [SequencedChange] {
        var changes: [SequencedChange] = []
        try session.connection.forEachRow(
            """
            SELECT "sequence", "record_name", "zone_id", "type_id" FROM "_tombstones" \
            WHERE "sequence" > ?1\(zone == nil ? "" : " AND \"zone_id\" = ?3") ORDER BY "sequence" LIMIT ?2
            """,
            parameters(sequence, limit)
        ) { row in
            let zone = row.integer(at: 2)
            let recordID = CloudRecordID(row.text(at: 1), zone: session.schema.zoneID(zone))
            changes.append((row.integer(at: 0), .deleted(recordID, zone: zone, typeID: row.integer(at: 3))))
        }
        return changes
    }

    private func parameters(_ sequence: Int64, _ limit: Int) -> [SQLValue] {
        [.integer(sequence), .integer(Int64(limit))] + (zone.map { [.integer($0.id)] } ?? [])
    }

    private var zoneText: String? {
        zone.map { "\($0.zoneID.zoneName)\u{1F}\($0.zoneID.ownerName)" }
    }

    private static let otherZone = CloudError(
        .invalidArguments,
        "The change token is of another zone: what changed in the others is not known by it.",
        remedy: "Keep a token for each zone, or one for the whole database."
    )

    // MARK: The log

    private struct Log {
        var database = ""
        /// Tombstones up to this number were removed.
        var compacted: Int64 = 0
    }

    private func log() throws -> Log {
        var log = Log()
        try session.connection.forEachRow(
            "SELECT \"database_id\", \"compacted\" FROM \"_meta\" WHERE \"id\" = 1"
        ) { row in
            log = Log(database: row.text(at: 0), compacted: row.integer(at: 1))
        }
        return log
    }

    private static func expired(_ position: ChangePosition, _ log: Log) -> CloudError {
        let reason =
            if position.database != log.database {
                "is of another database"
            } else if position.deletions < log.compacted {
                "is from before the change log was compacted"
            } else {
                "is of a later state of the database than this one, which may have come from a backup"
            }
        return CloudError(
            .changeTokenExpired,
            "The change token \(reason).",
            remedy: "Ask for the changes from the beginning, with nil, and drop what does not come again."
        )
    }
}
