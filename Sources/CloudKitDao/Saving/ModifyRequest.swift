/// Objects to save and records to delete in one call.
struct ModifyRequest {
    var saving = SaveRequest([])
    var deleting: [CloudRecordID] = []
    var savePolicy = CloudSavePolicy.ifServerRecordUnchanged
    var isAtomic = false
    var conflictHandler: CloudConflictHandler?

    /// - Throws: ``CloudError/Code/invalidArguments`` naming a record that is in the call twice.
    fileprivate func checkForRepeats() throws {
        let count = saving.objects.count + deleting.count
        guard count > 1 else { return }
        var seen: Set<CloudRecordID> = []
        seen.reserveCapacity(count)
        for object in saving.objects where !seen.insert(object.recordID).inserted {
            throw Self.repeats(object.recordID)
        }
        for recordID in deleting where !seen.insert(recordID).inserted {
            throw Self.repeats(recordID)
        }
    }

    private static func repeats(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .invalidArguments,
            "Record \(recordID) is in one call more than once, to be saved or deleted.",
            remedy: "Put each record into the call once.",
            recordID: recordID
        )
    }

    /// The results of an atomic batch of which some objects can't be mapped.
    fileprivate var rolledBack: CloudModificationResult {
        CloudModificationResult(
            saved: saving.records.map { $0.flatMap { .failure(.rolledBack($0.recordID)) } },
            deleted: deleting.map { .failure(.rolledBack($0)) }
        )
    }
}

extension CloudDao {
    /// Saves and deletes, and brings the objects to what the store made of them.
    ///
    /// - Returns: One result for each object and each ID.
    /// - Throws: The error of the call as a whole; then no object was touched.
    func modify(
        _ request: ModifyRequest,
        progress: (@Sendable (CloudProgress) -> Void)? = nil
    ) async throws -> CloudModificationResult {
        try request.checkForRepeats()
        if request.isAtomic, request.saving.hasFailure { return request.rolledBack }
        let (records, positions) = request.saving.sending(request.savePolicy)
        var outcomes = request.saving.records
        guard !records.isEmpty || !request.deleting.isEmpty else {
            return CloudModificationResult(saved: outcomes, deleted: [])
        }
        let batch = CloudModification(
            saving: records,
            deleting: request.deleting,
            savePolicy: request.savePolicy,
            isAtomic: request.isAtomic,
            progressHandler: progress
        )
        let objects = request.saving.objects
        let store = try await store()
        try await makeIndexes(for: objects, in: store)
        let resolved = try await modify(
            batch,
            in: store,
            resolvingBy: request.conflictHandler,
            ancestor: { objects[positions[$0]].storedRecord }
        )
        for (index, outcome) in resolved.result.saved.enumerated() {
            let object = objects[positions[index]]
            outcomes[positions[index]] = outcome.flatMap { saved in
                Result {
                    try object.settle(saved, sentAs: records[index], resolvedWith: resolved.servers[index])
                    return saved
                }.mapError { CloudError($0) }
            }.mapError { $0.ancestorRecord == nil ? $0.withAncestor(object.storedRecord) : $0 }
        }
        return CloudModificationResult(saved: outcomes, deleted: resolved.result.deleted)
    }
}

extension CloudError {
    static func rolledBack(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .batchRequestFailed,
            "\(recordID) was not saved because another record of its atomic batch failed.",
            remedy: "Mend the other record and save the batch again.",
            recordID: recordID
        )
    }
}

extension CloudModificationResult {
    /// All records that were saved.
    ///
    /// - Throws: ``CloudError/Code/partialFailure`` with the errors of those that were not.
    func allSaved(of objects: [CloudDataObject]) throws -> [CloudRecord] {
        var errors: [CloudRecordID: CloudError] = [:]
        var records: [CloudRecord] = []
        records.reserveCapacity(saved.count)
        for (object, result) in zip(objects, saved) {
            switch result {
            case .success(let record): records.append(record)
            case .failure(let error): errors[object.recordID] = error
            }
        }
        guard errors.isEmpty else { throw CloudError.partialFailure(errors) }
        return records
    }

    /// - Throws: ``CloudError/Code/partialFailure`` with the errors of the records that were not deleted; if it was only
    ///   one that was to be deleted, its error.
    func checkDeleted(_ recordIDs: [CloudRecordID]) throws {
        var errors: [CloudRecordID: CloudError] = [:]
        for (id, result) in zip(recordIDs, deleted) {
            if case .failure(let error) = result { errors[id] = error }
        }
        if recordIDs.count == 1, let error = errors.first?.value { throw error }
        guard errors.isEmpty else { throw CloudError.partialFailure(errors) }
    }
}
