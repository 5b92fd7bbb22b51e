extension CloudDao {
    /// Deletes an object's record, whatever version is stored. One that does not exist is not an error.
    ///
    /// Afterwards the object is like a new one: saving it makes a new record under the same ID. An object of which only
    /// some fields were loaded can't be saved again, for the new record would lack the others.
    public func delete(_ object: CloudDataObject) async throws {
        try await delete([object])
    }

    /// Deletes the records of any number of objects, see ``delete(_:)-(CloudDataObject)``.
    ///
    /// What is more than the store takes at once is sent in several requests; if one of them fails as a whole, those
    /// after it are not sent.
    ///
    /// - Parameters:
    ///   - objects: The objects, each at most once.
    ///   - progressHandler: Called as it goes on, on the caller's actor, and not after the method has returned.
    /// - Throws: ``CloudError/Code/partialFailure`` with the error of each record that was not deleted. The other
    ///   objects are like new ones all the same. ``CloudError/Code/invalidArguments`` naming the record if one is there
    ///   twice; then nothing was deleted.
    public func delete(
        _ objects: [CloudDataObject],
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) async throws {
        let recordIDs = objects.map(\.recordID)
        try await Self.delivering(progressTo: progressHandler) { progress in
            let result = try await self.modify(ModifyRequest(deleting: recordIDs), progress: progress)
            result.forgetDeleted(objects)
            try result.checkDeleted(recordIDs)
        }
    }

    /// Deletes any number of records, whatever versions are stored. Those that do not exist are not an error.
    ///
    /// - Parameters:
    ///   - recordIDs: The IDs, each at most once.
    ///   - progressHandler: Called as it goes on, on the caller's actor, and not after the method has returned.
    /// - Returns: The IDs.
    /// - Throws: What ``delete(_:progressHandler:)-([CloudDataObject],_)`` throws.
    @discardableResult
    public func delete(
        _ recordIDs: [CloudRecordID],
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) async throws -> [CloudRecordID] {
        try await Self.delivering(progressTo: progressHandler) { progress in
            try await self.modify(ModifyRequest(deleting: recordIDs), progress: progress).checkDeleted(recordIDs)
            return recordIDs
        }
    }

    /// Deletes the record with this name in the default zone. One that does not exist is not an error.
    ///
    /// - Parameters:
    ///   - recordId: The record name.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the record's ID.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func deleteItem(
        _ recordId: String,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudRecordID) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let id = CloudRecordID(recordId)
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.delete([id])
            return id
        }
    }

    /// Deletes the records of any number of objects. Those that do not exist are not an error.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the IDs of the records, in the order of the objects.
    ///   - errorHandler: Gets the error; ``CloudError/Code/partialFailure`` if only some were not deleted.
    ///   - progressHandler: Called as it goes on, before the other handlers.
    @discardableResult
    public func deleteItems(
        _ items: [CloudDataObject],
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudRecordID]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) -> CloudOperation {
        let recordIDs = items.map(\.recordID)
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await Self.delivering(progressTo: progressHandler, isolation: isolation) { progress in
                let result = try await self.modify(ModifyRequest(deleting: recordIDs), progress: progress)
                result.forgetDeleted(items)
                try result.checkDeleted(recordIDs)
                return recordIDs
            }
        }
    }
}

extension CloudModificationResult {
    /// Makes the objects whose records were deleted like new ones.
    func forgetDeleted(_ objects: [CloudDataObject]) {
        for (object, result) in zip(objects, deleted) {
            if case .success(let recordID) = result, object.recordID == recordID { object.forgetStored() }
        }
    }
}
