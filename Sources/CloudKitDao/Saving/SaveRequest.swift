/// Objects to save with the records that they were mapped to.
struct SaveRequest {
    let objects: [CloudDataObject]
    /// For each object its record, or why it could not be mapped.
    let records: [Result<CloudRecord, CloudError>]

    init(_ objects: [CloudDataObject]) {
        self.objects = objects
        records = objects.map { object in
            Result {
                try Self.prepare(object)
                return try object.recordForSaving()
            }.mapError { CloudError($0) }
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

    var hasFailure: Bool {
        records.contains { if case .failure = $0 { true } else { false } }
    }

    /// The mapped records with the positions of their objects, as the policy wants them sent.
    func sending(_ policy: CloudSavePolicy) -> (records: [CloudRecord], positions: [Int]) {
        var sent: [CloudRecord] = []
        var positions: [Int] = []
        sent.reserveCapacity(records.count)
        positions.reserveCapacity(records.count)
        for (position, result) in records.enumerated() {
            guard case .success(let record) = result else { continue }
            sent.append(policy == .changedKeys ? record.keepingChanges(since: objects[position].storedFields) : record)
            positions.append(position)
        }
        return (sent, positions)
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
