extension CloudDao {
    /// Saves objects and deletes others in one call.
    ///
    /// ```swift
    /// let result = try await dao.modify(saving: moved, deleting: [old])
    /// for case .failure(let error) in result.saved { print(error) }
    /// ```
    ///
    /// The order, requests and errors are those of ``save(_:savePolicy:atomically:conflictHandler:progressHandler:)``;
    /// what fails for single records is in the results, and not thrown. Saves come before deletes, those too whose
    /// conflicts are resolved: with a conflict handler, deletes are a request of their own after the last save, unless the
    /// batch is atomic.
    ///
    /// - Parameters:
    ///   - objects: The objects to save, of any classes; each at most once.
    ///   - deletedObjects: The objects whose records to delete, none of which is to be saved.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved or deleted when one record can't be.
    ///   - conflictHandler: What to do if a stored record is newer; nil for ``conflictHandler``.
    ///   - progressHandler: Called as it goes on, on the caller's actor, and not after the method has returned.
    /// - Returns: One result for each object, in their order.
    /// - Throws: ``CloudError/Code/invalidArguments`` naming the record if one is there twice,
    ///   ``CloudError/Code/limitExceeded`` if the store does not take as many at once atomically, and the error of the
    ///   request if nothing was answered at all. In all three cases no object has changed.
    public func modify(
        saving objects: [CloudDataObject],
        deleting deletedObjects: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false,
        conflictHandler: CloudConflictHandler? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) async throws -> CloudModificationResult {
        let request = ModifyRequest(
            saving: SaveRequest(objects),
            deleting: deletedObjects.map(\.recordID),
            savePolicy: savePolicy,
            isAtomic: atomically,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        return try await Self.delivering(progressTo: progressHandler) { progress in
            let result = try await self.modify(request, progress: progress)
            result.forgetDeleted(deletedObjects)
            return result
        }
    }

    /// Saves objects and deletes others in one call, see
    /// ``modify(saving:deleting:savePolicy:atomically:conflictHandler:progressHandler:)``.
    ///
    /// - Parameters:
    ///   - items: The objects to save.
    ///   - deletedItems: The objects whose records to delete.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved or deleted when one record can't be.
    ///   - conflictHandler: What to do if a stored record is newer; nil for ``conflictHandler``.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets one result for each object, also if some failed.
    ///   - errorHandler: Gets the error if the call failed as a whole.
    ///   - progressHandler: Called as it goes on, before the other handlers.
    @discardableResult
    public func modifyItems(
        saving items: [CloudDataObject],
        deleting deletedItems: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false,
        conflictHandler: CloudConflictHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudModificationResult) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) -> CloudOperation {
        let request = ModifyRequest(
            saving: SaveRequest(items),
            deleting: deletedItems.map(\.recordID),
            savePolicy: savePolicy,
            isAtomic: atomically,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await Self.delivering(progressTo: progressHandler, isolation: isolation) { progress in
                let result = try await self.modify(request, progress: progress)
                result.forgetDeleted(deletedItems)
                return result
            }
        }
    }
}
