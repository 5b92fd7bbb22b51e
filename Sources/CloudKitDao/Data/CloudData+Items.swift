extension CloudData {
    /// Fetches an object by its record name, and brings it to all connections that it belongs to.
    ///
    /// - Parameters:
    ///   - recordId: The record name, in the default zone.
    ///   - completionHandler: Gets the object, which is not the one of any array.
    ///   - errorHandler: Gets the error; ``CloudError/Code/unknownItem`` if there is no such record.
    @discardableResult
    public func getItem<Object: CloudDataObject>(
        _ recordId: String,
        completionHandler: @escaping (Object) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        for connection in connections.values { connection.readAgain([CloudRecordID(recordId)]) }
        return dao.getItem(recordId, completionHandler: completionHandler, errorHandler: errorHandler)
    }

    /// Saves an object, and shows it at once in all connections that it belongs to.
    ///
    /// If the store refuses it, the connections are as they were. The arrays have objects of their own; the one that is
    /// passed gets what the store fills.
    ///
    /// - Parameters:
    ///   - item: The object.
    ///   - completionHandler: Gets the object when it is saved.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func saveItem<Object: CloudDataObject>(
        _ item: Object,
        completionHandler: @escaping (Object) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let request = ModifyRequest(saving: SaveRequest([item]), conflictHandler: dao.conflictHandler)
        return write(request, errorHandler: errorHandler) { result in
            _ = try result.saved[0].get()
            completionHandler(item)
        }
    }

    /// Deletes the record with this name in the default zone, and takes it from all connections at once.
    ///
    /// If the store refuses that, the connections are as they were. A record that does not exist is not an error.
    ///
    /// - Parameters:
    ///   - recordId: The record name.
    ///   - completionHandler: Gets the record's ID when it is deleted.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func deleteItem(
        _ recordId: String,
        completionHandler: @escaping (CloudRecordID) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        let request = ModifyRequest(deleting: [CloudRecordID(recordId)])
        return write(request, errorHandler: errorHandler) { result in
            try result.checkDeleted(request.deleting)
            completionHandler(request.deleting[0])
        }
    }

    /// Shows what a write will make of the arrays, writes, and calls one of the handlers.
    private func write(
        _ request: ModifyRequest,
        errorHandler: ((CloudError) -> Void)?,
        completion: @escaping (CloudModificationResult) throws -> Void
    ) -> CloudOperation {
        var request = request
        request.announcement = dao.localWrites.begin(request)
        takeMessages()
        let announced = request
        return CloudOperation(
            Task {
                do {
                    let result = try await self.dao.modify(announced)
                    self.takeMessages()
                    try completion(result)
                } catch {
                    self.takeMessages()
                    CloudDao.handle(CloudError(error), by: errorHandler)
                }
            }
        )
    }

    /// Brings all arrays up to date with what this process wrote.
    private func takeMessages() {
        for connection in connections.values { connection.takeMessages() }
    }
}
