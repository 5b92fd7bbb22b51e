import CloudRecords
import Foundation

extension SQLRecordStore {
    package func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID?,
        limit: Int
    ) async throws -> CloudChanges {
        guard limit >= 1, limit < Int.max else {
            throw CloudError(
                .invalidArguments,
                "A page of \(limit) changes can't be read.",
                remedy: "Ask for 1 or more; a few hundred are a good number."
            )
        }
        let position = try token.map(ChangePosition.init)
        return try await read { session in
            var zone: (id: Int64, zoneID: CloudZoneID)?
            if let zoneID {
                guard let id = session.schema.zone(zoneID) else { throw Self.missing(zoneID) }
                zone = (id, zoneID)
            }
            let reader = ChangeReader(session: session, nextSequence: session.nextSequence, zone: zone)
            return try reader.page(after: position, limit: limit)
        }
    }

    /// Forgets the deletions before a date. Tokens from before them expire.
    package func compactChangeLog(before date: Date) async throws {
        try await write { session in
            var last: Int64?
            try session.connection.forEachRow(
                "SELECT MAX(\"sequence\") FROM \"_tombstones\" WHERE \"deleted\" < ?1",
                [.real(date.timeIntervalSinceReferenceDate)]
            ) { row in
                if case .integer(let sequence) = row.value(at: 0) { last = sequence }
            }
            guard let last else { return }
            try session.connection.run("DELETE FROM \"_tombstones\" WHERE \"sequence\" <= ?1", [.integer(last)])
            try session.connection.run("UPDATE \"_meta\" SET \"compacted\" = ?1 WHERE \"id\" = 1", [.integer(last)])
        }
    }

    private static func missing(_ zoneID: CloudZoneID) -> CloudError {
        CloudError(.zoneNotFound, "There is no zone \(zoneID).", remedy: "It may have been deleted; save it anew.")
    }
}
