import CloudRecords

/// What the database holds besides records, at one state of it: record types and zones.
package struct SQLSchema: Sendable {
    /// The number of this state; each change counts it up.
    package var generation: Int64
    /// The record types that can be saved and queried.
    package private(set) var recordTypes: [String: SQLRecordType] = [:]
    /// All record types, also those that are not deployed, of which production only knows that they exist.
    package private(set) var recordTypesByID: [Int64: SQLRecordType] = [:]
    package private(set) var zones: [CloudZoneID: Int64] = [:]
    /// The zones of all rows, those that were deleted included.
    package private(set) var zonesByID: [Int64: CloudZoneID] = [:]

    /// The ID of the default zone's row.
    package static let defaultZone: Int64 = 1

    package init(generation: Int64) {
        self.generation = generation
        setZone(.default, id: Self.defaultZone)
    }

    package mutating func set(_ recordType: SQLRecordType) {
        recordTypes[recordType.name] = recordType
        recordTypesByID[recordType.id] = recordType
    }

    /// Notes a record type that is not deployed.
    mutating func setHidden(_ recordType: SQLRecordType) {
        recordTypesByID[recordType.id] = recordType
    }

    package mutating func setZone(_ zoneID: CloudZoneID, id: Int64) {
        zones[zoneID] = id
        zonesByID[id] = zoneID
    }

    /// Forgets a zone; its row still has its name.
    package mutating func removeZone(_ zoneID: CloudZoneID) {
        zones[zoneID] = nil
    }

    /// The record type that the directory of names refers to.
    func recordType(id: Int64) throws -> SQLRecordType {
        guard let recordType = recordTypesByID[id] else {
            throw CloudError(
                .internalError,
                "The directory of record names refers to a record type that does not exist.",
                remedy: "Restore the database from a backup."
            )
        }
        return recordType
    }

    /// The row of a zone, if it exists.
    package func zone(_ zoneID: CloudZoneID) -> Int64? {
        zoneID.isDefault ? Self.defaultZone : zones[zoneID]
    }

    /// The zone of a row.
    package func zoneID(_ id: Int64) -> CloudZoneID {
        id == Self.defaultZone ? .default : zonesByID[id] ?? .default
    }
}
