/// Objects to save and records to delete in one call.
struct ModifyRequest {
    var saving = SaveRequest([])
    var deleting: [CloudRecordID] = []
    var savePolicy = CloudSavePolicy.ifServerRecordUnchanged
    var isAtomic = false
    var conflictHandler: CloudConflictHandler?
    /// The number under which live queries know of the write already.
    var announcement: Int?

    /// - Throws: ``CloudError/Code/invalidArguments`` naming a record that is in the call twice.
    fileprivate func checkForRepeats() throws {
        let objects = saving.objects
        func recordID(_ position: Int) -> CloudRecordID {
            position < objects.count ? objects[position].recordID : deleting[position - objects.count]
        }
        guard let position = RecordIDs.firstRepeat(count: objects.count + deleting.count, recordID) else { return }
        throw Self.repeats(recordID(position))
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
            saved: saving.rolledBack,
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
        let number = request.announcement ?? localWrites.begin(request)
        do {
            let result = try await send(request, progress: progress)
            localWrites.end(number, of: request, .success(result))
            return result
        } catch {
            localWrites.end(number, of: request, .failure(CloudError(error)))
            throw error
        }
    }

    private func send(
        _ request: ModifyRequest,
        progress: (@Sendable (CloudProgress) -> Void)?
    ) async throws -> CloudModificationResult {
        try request.checkForRepeats()
        if request.isAtomic, request.saving.hasFailure { return request.rolledBack }
        let saving = request.saving
        let records = saving.sending(request.savePolicy)
        guard !records.isEmpty || !request.deleting.isEmpty else {
            return CloudModificationResult(saved: saving.results([]), deleted: [])
        }
        let batch = CloudModification(
            saving: records,
            deleting: request.deleting,
            savePolicy: request.savePolicy,
            isAtomic: request.isAtomic,
            progressHandler: progress
        )
        let store = try await store()
        try await makeIndexes(for: saving.objects, in: store)
        let resolved = try await modify(
            batch,
            in: store,
            resolvingBy: request.conflictHandler,
            ancestor: { saving.object(ofRecord: $0).storedRecord }
        )
        var saved = resolved.result.saved
        for index in saved.indices {
            let object = saving.object(ofRecord: index)
            do {
                try object.settle(saved[index].get(), sentAs: records[index], resolvedWith: resolved.servers[index])
            } catch {
                let error = CloudError(error)
                saved[index] = .failure(
                    error.ancestorRecord == nil ? error.withAncestor(object.storedRecord) : error
                )
            }
        }
        return CloudModificationResult(saved: saving.results(saved), deleted: resolved.result.deleted)
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
        for index in saved.indices {
            switch saved[index] {
            case .success(let record): records.append(record)
            case .failure(let error): errors[objects[index].recordID] = error
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
