extension CloudDao {
    /// Deletes an object's record, whatever version is stored. One that does not exist is not an error.
    ///
    /// Afterwards the object is like a new one: saving it makes a new record under the same ID. An object of which only
    /// some fields were loaded can't be saved again, for the new record would lack the others.
    public func delete(_ object: CloudDataObject) async throws {
        try await delete([object])
    }

    /// Deletes the objects' records in one batch, see ``delete(_:)-(CloudDataObject)``.
    ///
    /// - Throws: ``CloudError/Code/partialFailure`` with the error of each record that was not deleted. The other
    ///   objects are like new ones all the same.
    public func delete(_ objects: [CloudDataObject]) async throws {
        let results = try await results(ofDeleting: objects.map(\.recordID))
        for (object, result) in zip(objects, results) {
            if case .success = result { object.forgetStored() }
        }
        try Self.throwErrors(of: results, for: objects.map(\.recordID))
    }

    /// Deletes records in one batch, whatever versions are stored. Those that do not exist are not an error.
    ///
    /// - Returns: The IDs.
    /// - Throws: ``CloudError/Code/partialFailure`` with the error of each record that was not deleted.
    @discardableResult
    public func delete(_ recordIDs: [CloudRecordID]) async throws -> [CloudRecordID] {
        try Self.throwErrors(of: try await results(ofDeleting: recordIDs), for: recordIDs)
        return recordIDs
    }

    private func results(ofDeleting recordIDs: [CloudRecordID]) async throws -> [Result<CloudRecordID, CloudError>] {
        try await store().wrappingErrors { try await $0.modify(CloudModification(deleting: recordIDs)) }.deleted
    }

    private static func throwErrors(
        of results: [Result<CloudRecordID, CloudError>],
        for recordIDs: [CloudRecordID]
    ) throws {
        var errors: [CloudRecordID: CloudError] = [:]
        for (id, result) in zip(recordIDs, results) {
            if case .failure(let error) = result { errors[id] = error }
        }
        if recordIDs.count == 1, let error = errors.first?.value { throw error }
        guard errors.isEmpty else { throw CloudError.partialFailure(errors) }
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

    /// Deletes the records of objects in one batch. Those that do not exist are not an error.
    ///
    /// - Parameters:
    ///   - items: The objects.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the IDs of the records.
    ///   - errorHandler: Gets the error; ``CloudError/Code/partialFailure`` if only some were not deleted.
    @discardableResult
    public func deleteItems(
        _ items: [CloudDataObject],
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudRecordID]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.delete(items)
            return items.map(\.recordID)
        }
    }
}
