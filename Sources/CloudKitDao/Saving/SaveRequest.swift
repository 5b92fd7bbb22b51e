/// Objects to save with the records that they were mapped to.
struct SaveRequest {
    let objects: [CloudDataObject]
    /// The records of those objects that could be mapped, in their order.
    private(set) var records: [CloudRecord] = []
    /// The positions of the objects that the records are of; empty if there is one of each.
    private var positions: [Int] = []
    /// By position, why the other objects could not be mapped.
    private var failures: [Int: CloudError] = [:]

    init(_ objects: [CloudDataObject]) {
        self.objects = objects
        records.reserveCapacity(objects.count)
        for (position, object) in objects.enumerated() {
            do {
                try Self.prepare(object)
                records.append(try object.recordForSaving())
                if !failures.isEmpty { positions.append(position) }
            } catch {
                if failures.isEmpty { positions = Array(0..<position) }
                failures[position] = CloudError(error)
            }
        }
    }

    /// Calls the object's hook, whose errors may be any.
    private static func prepare(_ object: CloudDataObject) throws {
        do {
            try object.willSave()
        } catch let error as CloudError {
            throw error
        } catch {
            throw CloudError(
                .invalidArguments,
                "\(object.recordType) \(object.recordID) was not saved, because its willSave() threw: \(error)",
                remedy: "Mend what the class's willSave() finds wrong.",
                recordID: object.recordID
            )
        }
    }

    var hasFailure: Bool { !failures.isEmpty }

    /// The mapped records as the policy wants them sent.
    func sending(_ policy: CloudSavePolicy) -> [CloudRecord] {
        guard policy == .changedKeys else { return records }
        return records.indices.map { records[$0].keepingChanges(since: object(ofRecord: $0).storedFields) }
    }

    /// The object that one of the mapped records is of.
    func object(ofRecord index: Int) -> CloudDataObject {
        objects[failures.isEmpty ? index : positions[index]]
    }

    /// For each object the ID of the record that it was mapped to; nil if it could not be mapped.
    var recordIDs: [CloudRecordID?] {
        var next = records.makeIterator()
        return objects.indices.map { failures[$0] == nil ? next.next()?.recordID : nil }
    }

    /// One result for each object, given those of the mapped records.
    func results(_ results: [Result<CloudRecord, CloudError>]) -> [Result<CloudRecord, CloudError>] {
        if failures.isEmpty { return results }
        var next = results.makeIterator()
        return objects.indices.compactMap { position in failures[position].map { .failure($0) } ?? next.next() }
    }

    /// The results of an atomic batch of which some objects can't be mapped.
    var rolledBack: [Result<CloudRecord, CloudError>] {
        results(records.map { .failure(.rolledBack($0.recordID)) })
    }
}

extension CloudRecord {
    /// The record with only those fields known that differ from what the store last had.
    fileprivate func keepingChanges(since stored: RecordFields?) -> CloudRecord {
        guard let stored else { return self }
        var record = self
        for (index, name) in layout.names.enumerated() {
            if let slot = stored.layout.index(of: name), stored[slot] == fields[index] {
                record.fields[index] = .absent
            }
        }
        return record
    }
}
