extension CloudDao {
    /// Fetches the object with an ID.
    ///
    /// - Returns: The object; nil if there is no record with this ID.
    /// - Throws: ``CloudError/Code/mappingFailed`` naming record and field if the record can't be mapped to the class,
    ///   also when it is of another record type.
    public func fetch<Object: CloudDataObject>(_ type: Object.Type, _ recordID: CloudRecordID) async throws -> Object? {
        do {
            return try await fetch(type, [recordID])[0].get()
        } catch let error as CloudError where error.code == .unknownItem {
            return nil
        }
    }

    /// Fetches the object with a record name in the default zone, see ``fetch(_:_:)-(_,CloudRecordID)``.
    public func fetch<Object: CloudDataObject>(_ type: Object.Type, _ recordName: String) async throws -> Object? {
        try await fetch(type, CloudRecordID(recordName))
    }

    /// Fetches the objects with these IDs, any number of them.
    ///
    /// - Returns: One result for each ID, in the order of the IDs; ``CloudError/Code/unknownItem`` for missing ones.
    public func fetch<Object: CloudDataObject>(
        _ type: Object.Type,
        _ recordIDs: [CloudRecordID]
    ) async throws -> [Result<Object, CloudError>] {
        let plan = try MappingPlan.plan(for: type)
        if recordIDs.isEmpty { return [] }
        var results: [Result<Object, CloudError>] = []
        try await store().fetchInPieces(recordIDs) { answer, ids in
            let part = map(answer, of: ids, to: type, by: plan)
            if results.isEmpty { results = part } else { results += part }
        }
        try Self.checkCancellation()
        return results
    }

    /// Fetches the object with a record name. The type of the handler's parameter says the class.
    ///
    /// ```swift
    /// dao.getItem("m1", completionHandler: { (message: Message) in … }, errorHandler: { error in … })
    /// ```
    ///
    /// - Parameters:
    ///   - recordId: The record name, in the default zone.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the object.
    ///   - errorHandler: Gets the error; ``CloudError/Code/unknownItem`` if there is no such record.
    @discardableResult
    public func getItem<Object: CloudDataObject>(
        _ recordId: String,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (Object) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.fetch(Object.self, [CloudRecordID(recordId)])[0].get()
        }
    }

    /// Fetches the objects with these record names; all of them, or an error.
    ///
    /// - Parameters:
    ///   - recordIds: The record names, in the default zone.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the objects in the order of the names.
    ///   - errorHandler: Gets the error; ``CloudError/Code/partialFailure`` if some are missing or can't be mapped.
    @discardableResult
    public func getItems<Object: CloudDataObject>(
        _ recordIds: [String],
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        getItems(
            recordIds,
            isolation: isolation,
            completionHandler: { (objects: [Object], errors) in
                if errors.isEmpty {
                    completionHandler(objects)
                } else {
                    Self.handle(.partialFailure(errors), by: errorHandler)
                }
            },
            errorHandler: errorHandler
        )
    }

    /// Fetches the objects with these record names, as many as there are.
    ///
    /// - Parameters:
    ///   - recordIds: The record names, in the default zone.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the objects that were found, in the order of the names, and the errors of the rest.
    ///   - errorHandler: Gets the error if the request failed as a whole.
    @discardableResult
    public func getItems<Object: CloudDataObject>(
        _ recordIds: [String],
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object], [CloudRecordID: CloudError]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let ids = recordIds.map { CloudRecordID($0) }
        return start(
            isolation: isolation,
            errorHandler: errorHandler,
            completionHandler: { (results: [Result<Object, CloudError>]) in
                var objects: [Object] = []
                var errors: [CloudRecordID: CloudError] = [:]
                for (id, result) in zip(ids, results) {
                    switch result {
                    case .success(let object): objects.append(object)
                    case .failure(let error): errors[id] = error
                    }
                }
                completionHandler(objects, errors)
            },
            work: { try await self.fetch(Object.self, ids) }
        )
    }
}
