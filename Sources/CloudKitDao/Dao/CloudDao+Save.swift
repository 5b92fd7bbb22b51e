extension CloudDao {
    /// Saves an object.
    ///
    /// A new object is inserted, one that came from the store is updated. Afterwards the object's system fields are
    /// those of the store. A nil property clears the stored field; fields that the class lacks are left alone.
    ///
    /// - Throws: ``CloudError/Code/serverRecordChanged`` with client, server and ancestor records if the stored record
    ///   is newer, ``CloudError/Code/invalidArguments`` naming record and field if a value can't be kept.
    /// - Complexity: O(*k* + log *n*) for *k* properties and *n* stored records.
    public func save(
        _ object: CloudDataObject,
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged
    ) async throws {
        _ = try await save(SaveRequest([object]), savePolicy: savePolicy, atomically: false)[0].get()
    }

    /// Saves objects in one batch.
    ///
    /// - Parameters:
    ///   - objects: The objects, of any classes; each at most once.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved when one object can't be.
    /// - Returns: The records as they are stored, in the order of the objects.
    /// - Throws: ``CloudError/Code/partialFailure`` with the error of each object that was not saved. The objects that
    ///   were saved have their new system fields all the same.
    @discardableResult
    public func save(
        _ objects: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false
    ) async throws -> [CloudRecord] {
        try await save(SaveRequest(objects), savePolicy: savePolicy, atomically: atomically)
            .gettingAll(ids: objects.map(\.recordID))
    }

    /// Saves an object, see ``save(_:savePolicy:)``.
    ///
    /// The object is mapped before the method returns; a change after that belongs to the next save. Start the next save
    /// when this one has ended: it needs the change tag that this one brings.
    ///
    /// - Parameters:
    ///   - item: The object.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the record as it is stored now.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func saveItem<Object: CloudDataObject>(
        _ item: Object,
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudRecord) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let request = SaveRequest([item])
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.save(request, savePolicy: savePolicy, atomically: false)[0].get()
        }
    }

    /// Saves objects in one batch, see ``save(_:savePolicy:atomically:)``.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved when one object can't be.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the records as they are stored now, in the order of the objects.
    ///   - errorHandler: Gets the error; ``CloudError/Code/partialFailure`` if only some were not saved.
    @discardableResult
    public func saveItems(
        _ items: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudRecord]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let request = SaveRequest(items)
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.save(request, savePolicy: savePolicy, atomically: atomically)
                .gettingAll(ids: items.map(\.recordID))
        }
    }
}

/// Objects to save with the records that they were mapped to.
private struct SaveRequest {
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
}

extension CloudDao {
    /// Saves and gives one result for each object.
    private func save(
        _ request: SaveRequest,
        savePolicy: CloudSavePolicy,
        atomically: Bool
    ) async throws -> [Result<CloudRecord, CloudError>] {
        if atomically, request.records.contains(where: \.isFailure) {
            return request.records.map { $0.flatMap { .failure(.rolledBack($0.recordID)) } }
        }
        let store = try await store()
        try await makeIndexes(for: request.objects, in: store)
        var records: [CloudRecord] = []
        records.reserveCapacity(request.records.count)
        for (object, result) in zip(request.objects, request.records) {
            guard case .success(let record) = result else { continue }
            records.append(savePolicy == .changedKeys ? record.keepingChanges(since: object.storedFields) : record)
        }
        let modification = CloudModification(saving: records, savePolicy: savePolicy, isAtomic: atomically)
        let saved = try await store.wrappingErrors { try await $0.modify(modification) }.saved
        try store.checkCount(of: saved, for: records)
        var outcomes = saved.makeIterator()
        return try zip(request.objects, request.records).map { object, mapped in
            guard case .success(let record) = mapped, let outcome = outcomes.next() else { return mapped }
            return try settle(outcome, of: object, savedAs: record)
        }
    }

    /// Brings an object to what the store made of it.
    private func settle(
        _ outcome: Result<CloudRecord, CloudError>,
        of object: CloudDataObject,
        savedAs record: CloudRecord
    ) throws -> Result<CloudRecord, CloudError> {
        switch outcome {
        case .success(let saved):
            try object.adoptSaved(saved.onTop(of: object.storedFields), sentAs: record)
            return outcome
        case .failure(let error) where error.code == .serverRecordChanged:
            return .failure(error.withAncestor(object.storedRecord))
        case .failure:
            return outcome
        }
    }
}

extension CloudError {
    fileprivate static func rolledBack(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .batchRequestFailed,
            "\(recordID) was not saved because another record of its atomic batch failed.",
            remedy: "Mend the other record and save the batch again.",
            recordID: recordID
        )
    }
}

extension Result {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
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

    /// The record with what was known before of the fields that the save left alone.
    ///
    /// Without it, a field that was not among the changed keys would count as changed the next time.
    fileprivate func onTop(of stored: RecordFields?) -> CloudRecord {
        guard let stored, stored.layout !== layout || fields.hasAbsent else { return self }
        var record = self
        record.fields = stored
        for (index, name) in layout.names.enumerated() where fields[index] != .absent {
            record.setState(fields[index], of: name)
        }
        return record
    }
}

extension RecordFields {
    fileprivate var hasAbsent: Bool { withValues { $0.contains(.absent) } }
}

extension [Result<CloudRecord, CloudError>] {
    /// All records, or the errors of those that failed.
    fileprivate func gettingAll(ids: [CloudRecordID]) throws -> [CloudRecord] {
        var errors: [CloudRecordID: CloudError] = [:]
        var records: [CloudRecord] = []
        records.reserveCapacity(count)
        for (id, result) in zip(ids, self) {
            switch result {
            case .success(let record): records.append(record)
            case .failure(let error): errors[id] = error
            }
        }
        guard errors.isEmpty else { throw CloudError.partialFailure(errors) }
        return records
    }
}
