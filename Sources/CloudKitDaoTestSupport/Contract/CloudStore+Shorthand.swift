import CloudKitDao
import Testing

// What promises ask of stores again and again, in as few words as possible.

/// A record of type Item with these fields, which was never saved.
func item(
    _ name: String,
    in zoneID: CloudZoneID = .default,
    _ fields: KeyValuePairs<String, CloudValue?> = [:]
) -> CloudRecord {
    var record = CloudRecord(recordType: "Item", recordID: CloudRecordID(name, zone: zoneID))
    for (field, value) in fields { record[field] = value }
    return record
}

extension CloudRecord {
    /// The record with another value in a field.
    func setting(_ field: String, to value: CloudValue?) -> CloudRecord {
        var record = self
        record[field] = value
        return record
    }

    /// Whether both are the same version of a record and hold the same values.
    ///
    /// A field without a value may be null or absent when it comes from a store.
    func isSame(as other: CloudRecord?) -> Bool {
        guard let other else { return false }
        return recordID == other.recordID && recordType == other.recordType
            && recordChangeTag == other.recordChangeTag && creationDate == other.creationDate
            && modificationDate == other.modificationDate
            && Set(knownFieldNames + other.knownFieldNames).allSatisfy { self[$0] == other[$0] }
    }
}

extension CloudStore {
    /// Saves one record and returns it as stored.
    @discardableResult
    func save(
        _ record: CloudRecord,
        _ policy: CloudSavePolicy = .ifServerRecordUnchanged
    ) async throws -> CloudRecord {
        let result = try await modify(CloudModification(saving: [record], savePolicy: policy))
        return try #require(result.saved.first, "a batch of one record has one result").get()
    }

    /// Saves records of which none is refused, and returns them as stored.
    @discardableResult
    func save(_ records: [CloudRecord]) async throws -> [CloudRecord] {
        let results = try await modify(CloudModification(saving: records)).saved
        try #require(results.count == records.count, "a batch has one result for each record")
        return try results.map { try $0.get() }
    }

    /// Deletes records of the default zone of which none is refused.
    func delete(_ names: String...) async throws {
        let result = try await modify(CloudModification(deleting: names.map { CloudRecordID($0) }))
        for deletion in result.deleted { _ = try deletion.get() }
    }

    func fetch(_ name: String, in zoneID: CloudZoneID = .default) async throws -> CloudRecord {
        let results = try await fetch([CloudRecordID(name, zone: zoneID)], desiredFields: nil)
        return try #require(results.first, "a fetch of one ID has one result").get()
    }

    /// Whether there is a record of this name.
    func has(_ name: String, in zoneID: CloudZoneID = .default) async throws -> Bool {
        do {
            _ = try await fetch(name, in: zoneID)
            return true
        } catch let error as CloudError where error.code == .unknownItem {
            return false
        }
    }

    /// All records of a query, read in pages.
    func records(_ query: CloudQuery, pageSize: Int = 100) async throws -> [CloudRecord] {
        var records: [CloudRecord] = []
        var cursor: CloudCursor?
        repeat {
            let page = try await page(query, after: cursor, limit: pageSize)
            #expect(page.records.count <= pageSize, "a page has no more records than were asked for")
            records += page.records
            cursor = page.cursor
        } while cursor != nil
        return records
    }

    /// The names of the records of a query.
    func names(_ query: CloudQuery, pageSize: Int = 100) async throws -> [String] {
        try await records(query, pageSize: pageSize).map(\.recordID.recordName)
    }

    /// The names of the records of type Item that match, by name.
    func names(_ predicate: CloudPredicate = .all) async throws -> [String] {
        try await names(CloudQuery(recordType: "Item", predicate: predicate, orderBy: .recordName))
    }
}

extension Result where Failure == CloudError {
    /// The error; nil if there is none.
    var error: CloudError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
