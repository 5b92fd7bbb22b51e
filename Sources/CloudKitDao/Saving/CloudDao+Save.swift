extension CloudDao {
    /// Saves an object.
    ///
    /// A new object is inserted, one that came from the store is updated. Afterwards the object's system fields are
    /// those of the store. A nil property clears the stored field; fields that the class lacks are left alone.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - conflictHandler: What to do if the stored record is newer; nil for ``conflictHandler``.
    ///   - progressHandler: Called as the save goes on, on the caller's actor.
    /// - Throws: ``CloudError/Code/serverRecordChanged`` with client, server and ancestor records if the stored record
    ///   is newer, ``CloudError/Code/invalidArguments`` naming record and field if a value can't be kept.
    /// - Complexity: O(*k* + log *n*) for *k* properties and *n* stored records.
    public func save(
        _ object: CloudDataObject,
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        conflictHandler: CloudConflictHandler? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) async throws {
        let request = ModifyRequest(
            saving: SaveRequest([object]),
            savePolicy: savePolicy,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        _ = try await Self.delivering(progressTo: progressHandler) { progress in
            try await self.modify(request, progress: progress).saved[0].get()
        }
    }

    /// Saves any number of objects.
    ///
    /// What is more than the store takes at once is sent in several requests, in the order of the objects. If one of
    /// them fails as a whole, those after it are not sent. Nothing is tried again by itself, except in smaller requests
    /// and after a conflict that was resolved.
    ///
    /// - Parameters:
    ///   - objects: The objects, of any classes; each at most once.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved when one object can't be. Such a batch is one request.
    ///   - conflictHandler: What to do if a stored record is newer; nil for ``conflictHandler``.
    ///   - progressHandler: Called as the save goes on, on the caller's actor, and not after the method has returned.
    ///     The numbers never go back; if everything is saved, the last call reports the whole.
    /// - Returns: The records as they are stored, in the order of the objects.
    /// - Throws: ``CloudError/Code/partialFailure`` with the error of each object that was not saved: those that it does
    ///   not list were, and have their new system fields. ``CloudError/Code/invalidArguments`` naming the record if one
    ///   is there twice, and ``CloudError/Code/limitExceeded`` if the store does not take as many at once atomically:
    ///   then nothing was written. The error of the request if nothing was answered at all.
    @discardableResult
    public func save(
        _ objects: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false,
        conflictHandler: CloudConflictHandler? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) async throws -> [CloudRecord] {
        let request = ModifyRequest(
            saving: SaveRequest(objects),
            savePolicy: savePolicy,
            isAtomic: atomically,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        return try await Self.delivering(progressTo: progressHandler) { progress in
            try await self.modify(request, progress: progress).allSaved(of: objects)
        }
    }

    /// Saves an object, see ``save(_:savePolicy:conflictHandler:progressHandler:)``.
    ///
    /// The object is mapped before the method returns; a change after that belongs to the next save. Start the next save
    /// when this one has ended: it needs the change tag that this one brings.
    ///
    /// - Parameters:
    ///   - item: The object.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - conflictHandler: What to do if the stored record is newer; nil for ``conflictHandler``.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the record as it is stored now.
    ///   - errorHandler: Gets the error.
    ///   - progressHandler: Called as the save goes on, before the other handlers.
    @discardableResult
    public func saveItem<Object: CloudDataObject>(
        _ item: Object,
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        conflictHandler: CloudConflictHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudRecord) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) -> CloudOperation {
        let request = ModifyRequest(
            saving: SaveRequest([item]),
            savePolicy: savePolicy,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await Self.delivering(progressTo: progressHandler, isolation: isolation) { progress in
                try await self.modify(request, progress: progress).saved[0].get()
            }
        }
    }

    /// Saves any number of objects, see ``save(_:savePolicy:atomically:conflictHandler:progressHandler:)``.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - savePolicy: When what is stored may be overwritten.
    ///   - atomically: Whether nothing is saved when one object can't be.
    ///   - conflictHandler: What to do if a stored record is newer; nil for ``conflictHandler``.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the records as they are stored now, in the order of the objects.
    ///   - errorHandler: Gets the error; ``CloudError/Code/partialFailure`` if only some were not saved.
    ///   - progressHandler: Called as the save goes on, before the other handlers.
    @discardableResult
    public func saveItems(
        _ items: [CloudDataObject],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        atomically: Bool = false,
        conflictHandler: CloudConflictHandler? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudRecord]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil,
        progressHandler: ((CloudProgress) -> Void)? = nil
    ) -> CloudOperation {
        let request = ModifyRequest(
            saving: SaveRequest(items),
            savePolicy: savePolicy,
            isAtomic: atomically,
            conflictHandler: conflictHandler ?? self.conflictHandler
        )
        return start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await Self.delivering(progressTo: progressHandler, isolation: isolation) { progress in
                try await self.modify(request, progress: progress).allSaved(of: items)
            }
        }
    }
}
