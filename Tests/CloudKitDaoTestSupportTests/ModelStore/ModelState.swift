import CloudKitDao
import Foundation

/// What a ``ModelStore`` holds.
struct ModelState {
    static let user = CloudRecordID("_modelUser")

    struct Stored {
        var record: CloudRecord
        var sequence: Int
    }

    let databaseID = UUID()
    var sequence = 0
    var zones: [CloudZoneID] = [.default]
    var records: [CloudRecordID: Stored] = [:]
    var deletions: [CloudRecordID: (recordType: String, sequence: Int)] = [:]
    var fields: [String: [String: CloudFieldType]] = [:]
    var indexes: [String: Set<CloudIndex>] = [:]
    var subscriptions: [String: CloudSubscription] = [:]
    /// The last record of each page that was not the last, by the cursor's position.
    var cursors: [Data: CloudRecord] = [:]
    private var contentNames: [Data: String] = [:]

    mutating func contentName(of bytes: Data) -> String {
        let name = contentNames[bytes] ?? "content\(contentNames.count)"
        contentNames[bytes] = name
        return name
    }

    mutating func nextSequence() -> Int {
        sequence += 1
        return sequence
    }

    // MARK: Saving

    mutating func run(
        _ modification: CloudModification,
        _ records: [Result<CloudRecord, CloudError>]
    ) -> CloudModificationResult {
        let saved = records.map { record in
            Result { () throws(CloudError) in try save(try record.get(), modification.savePolicy) }
        }
        let deleted = modification.deleting.map { recordID in
            Result { () throws(CloudError) in try delete(recordID) }
        }
        return CloudModificationResult(saved: saved, deleted: deleted)
    }

    private mutating func save(_ record: CloudRecord, _ policy: CloudSavePolicy) throws(CloudError) -> CloudRecord {
        let recordID = record.recordID
        do { try RecordValidator.validate(record) } catch { throw CloudError(error) }
        guard zones.contains(recordID.zoneID) else {
            throw .problem(.zoneNotFound, "There is no zone \(recordID.zoneID).", recordID)
        }
        let stored = records[recordID]?.record
        if let stored {
            guard stored.recordType == record.recordType else {
                throw .problem(.invalidArguments, "\(record.recordType) \(recordID) is \(stored.recordType).", recordID)
            }
            if policy == .ifServerRecordUnchanged, record.recordChangeTag != stored.recordChangeTag {
                throw .conflict(client: record, server: stored, ancestor: nil)
            }
        } else if record.recordChangeTag != nil, policy != .allKeys {
            throw .problem(.unknownItem, "\(recordID) is gone.", recordID)
        }
        try grow(for: record)
        let sequence = nextSequence()
        let date = Date(timeIntervalSinceReferenceDate: Double(sequence))
        var saved = record
        saved.creationDate = stored?.creationDate ?? date
        saved.creatorUserRecordID = stored?.creatorUserRecordID ?? Self.user
        saved.modificationDate = date
        saved.lastModifiedUserRecordID = Self.user
        saved.recordChangeTag = "\(databaseID) \(sequence)"
        var merged = saved
        for name in stored?.knownFieldNames ?? [] where merged.state(of: name) == .absent {
            merged[name] = stored?[name]
        }
        records[recordID] = Stored(record: merged, sequence: sequence)
        deletions[recordID] = nil
        return saved
    }

    private mutating func grow(for record: CloudRecord) throws(CloudError) {
        var types = fields[record.recordType] ?? [:]
        for name in record.knownFieldNames {
            guard let type = record[name]?.fieldType else { continue }
            if let known = types[name] {
                guard known.accepts(type) else {
                    throw .problem(.invalidArguments, "\(name) is \(known), not \(type).", record.recordID, name)
                }
            } else if type != .list(of: nil) {
                types[name] = type
            }
        }
        fields[record.recordType] = types
    }

    // MARK: Deleting

    private mutating func delete(_ recordID: CloudRecordID) throws(CloudError) -> CloudRecordID {
        do { try RecordValidator.validate(recordID) } catch { throw CloudError(error) }
        remove(recordID)
        return recordID
    }

    /// Removes a record and those that depend on it.
    mutating func remove(_ recordID: CloudRecordID) {
        guard let removed = records.removeValue(forKey: recordID) else { return }
        deletions[recordID] = (removed.record.recordType, nextSequence())
        let tie = CloudValue.reference(CloudReference(recordID: recordID, action: .deleteSelf))
        for (dependent, stored) in records {
            let depends = stored.record.knownFieldNames.contains { name in
                stored.record[name] == tie || stored.record[name]?.listValue?.contains(tie) == true
            }
            if depends { remove(dependent) }
        }
    }

    // MARK: Zones

    mutating func saveZone(_ zoneID: CloudZoneID) throws {
        try RecordValidator.validate(zoneID)
        if !zones.contains(zoneID) { zones.append(zoneID) }
    }

    mutating func deleteZone(_ zoneID: CloudZoneID) throws {
        guard !zoneID.isDefault else { throw CloudError(.invalidArguments, "The default zone stays.") }
        zones.removeAll { $0 == zoneID }
        for recordID in records.keys where recordID.zoneID == zoneID { remove(recordID) }
    }
}
