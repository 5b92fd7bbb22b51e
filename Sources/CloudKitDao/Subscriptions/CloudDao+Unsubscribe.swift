extension CloudDao {
    /// Ends the subscription of a class with a filter; one that does not exist is not an error.
    ///
    /// What it has reported and nobody has read goes with it.
    public func unsubscribe(_ type: CloudDataObject.Type, filterId: String = CloudDao.allFilterId) async throws {
        let recordType = try MappingPlan.plan(for: type).layout.recordType
        let subscriptionID = Self.subscriptionID(recordType: recordType, filterId: filterId)
        try await store().wrappingErrors { try await $0.deleteSubscription(withID: subscriptionID) }
    }

    /// Ends all subscriptions of this client in the database.
    ///
    /// - Returns: How many there were; all of them are gone.
    /// - Throws: The first error, when the others have been tried.
    @discardableResult
    public func unsubscribeAll() async throws -> Int {
        let store = try await store()
        let subscriptions = try await store.wrappingErrors { try await $0.subscriptions() }
        var failure: CloudError?
        for subscription in subscriptions {
            try Self.checkCancellation()
            do {
                try await store.deleteSubscription(withID: subscription.subscriptionID)
            } catch {
                failure = failure ?? CloudError(error)
            }
        }
        if let failure { throw failure }
        return subscriptions.count
    }

    /// Ends the subscription of a class with a filter.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - filterId: The name of the filter.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is gone, or was not there.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func unsubscribe<Object: CloudDataObject>(
        _ type: Object,
        filterId: String,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(
            isolation: isolation,
            errorHandler: errorHandler,
            completionHandler: { completionHandler?() },
            work: { try await self.unsubscribe(Object.self, filterId: filterId) }
        )
    }

    /// Ends the subscription to the objects of a class that refer to a record.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - referenceRecordName: The name of the record.
    ///   - referenceField: The field that holds the reference.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is gone, or was not there.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func unsubscribe<Object: CloudDataObject>(
        _ type: Object,
        referenceRecordName: String,
        referenceField: String,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        unsubscribe(
            type,
            filterId: Self.filterId(referenceRecordName, in: referenceField),
            isolation: isolation,
            completionHandler: completionHandler,
            errorHandler: errorHandler
        )
    }

    /// Ends the subscription to all objects of a class.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when the subscription is gone, or was not there.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func unsubscribe<Object: CloudDataObject>(
        _ type: Object,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        unsubscribe(
            type,
            filterId: Self.allFilterId,
            isolation: isolation,
            completionHandler: completionHandler,
            errorHandler: errorHandler
        )
    }

    /// Ends all subscriptions of this client in the database.
    ///
    /// - Parameters:
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets how many there were, when all of them are gone.
    ///   - errorHandler: Gets the first error, when the others have been tried.
    @discardableResult
    public func unsubscribeAll(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (Int) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.unsubscribeAll()
        }
    }
}
