extension CloudDao {
    /// Queries the objects that refer to a record.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - referenceRecordName: The name of the record, in the default zone.
    ///   - referenceField: The field that holds the reference.
    ///   - orderBy: The objects' order.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects, once.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        referenceRecordName: String,
        referenceField: String,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .reference(referenceRecordName, in: referenceField),
                orderBy: Result.success(orderBy),
                desiredKeys: desiredKeys,
                limit: limit
            ),
            isolation: isolation,
            handler: .all(completionHandler),
            errorHandler: errorHandler
        )
    }

    /// Queries the objects that refer to a record, a batch at a time.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - referenceRecordName: The name of the record, in the default zone.
    ///   - referenceField: The field that holds the reference.
    ///   - orderBy: The objects' order.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - batchSize: How many objects to read at a time, at least 1.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects read so far; returns whether to read on.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        referenceRecordName: String,
        referenceField: String,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        batchSize: Int = 100,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object]) -> Bool,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .reference(referenceRecordName, in: referenceField),
                orderBy: Result.success(orderBy),
                desiredKeys: desiredKeys,
                limit: limit,
                batchSize: batchSize
            ),
            isolation: isolation,
            handler: .batch(completionHandler),
            errorHandler: errorHandler
        )
    }

    /// Queries the objects that refer to a record, a batch at a time.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - referenceRecordName: The name of the record, in the default zone.
    ///   - referenceField: The field that holds the reference.
    ///   - orderBy: The objects' order.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - batchSize: How many objects to read at a time, at least 1.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects read so far, and whether they are all; returns whether to read on.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        referenceRecordName: String,
        referenceField: String,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        batchSize: Int = 100,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object], Bool) -> Bool,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .reference(referenceRecordName, in: referenceField),
                orderBy: Result.success(orderBy),
                desiredKeys: desiredKeys,
                limit: limit,
                batchSize: batchSize
            ),
            isolation: isolation,
            handler: .batchOrLast(completionHandler),
            errorHandler: errorHandler
        )
    }
}

extension CloudPredicate {
    /// The objects whose field refers to a record of the default zone.
    static func reference(_ recordName: String, in field: String) -> CloudPredicate {
        let reference = CloudReference(recordID: CloudRecordID(recordName))
        return CloudPredicate(.compare(field: field, .equal, .reference(reference)))
    }
}
