extension CloudDao {
    /// Queries the objects near a place, nearest first.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - fieldname: The field that holds a location.
    ///   - latitude: The place's latitude in degrees.
    ///   - longitude: The place's longitude in degrees.
    ///   - distance: How far the objects may be, in metres.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects, once.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        fieldname: String,
        latitude: Double,
        longitude: Double,
        distance: Double,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .near(fieldname, latitude: latitude, longitude: longitude, distance: distance),
                orderBy: Result.success(
                    .distance(fieldname, from: CloudLocation(latitude: latitude, longitude: longitude))
                ),
                desiredKeys: desiredKeys,
                limit: limit
            ),
            isolation: isolation,
            handler: .all(completionHandler),
            errorHandler: errorHandler
        )
    }

    /// Queries the objects near a place, nearest first, a batch at a time.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - fieldname: The field that holds a location.
    ///   - latitude: The place's latitude in degrees.
    ///   - longitude: The place's longitude in degrees.
    ///   - distance: How far the objects may be, in metres.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - batchSize: How many objects to read at a time, at least 1.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects read so far; returns whether to read on.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        fieldname: String,
        latitude: Double,
        longitude: Double,
        distance: Double,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        batchSize: Int = 100,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object]) -> Bool,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .near(fieldname, latitude: latitude, longitude: longitude, distance: distance),
                orderBy: Result.success(
                    .distance(fieldname, from: CloudLocation(latitude: latitude, longitude: longitude))
                ),
                desiredKeys: desiredKeys,
                limit: limit,
                batchSize: batchSize
            ),
            isolation: isolation,
            handler: .batch(completionHandler),
            errorHandler: errorHandler
        )
    }

    /// Queries the objects near a place, nearest first, a batch at a time.
    ///
    /// - Parameters:
    ///   - type: An object of the class; its values play no part.
    ///   - fieldname: The field that holds a location.
    ///   - latitude: The place's latitude in degrees.
    ///   - longitude: The place's longitude in degrees.
    ///   - distance: How far the objects may be, in metres.
    ///   - desiredKeys: The fields to load, nil for all; the other properties keep their initial values.
    ///   - limit: The most objects to read, nil for all.
    ///   - batchSize: How many objects to read at a time, at least 1.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets all objects read so far, and whether they are all; returns whether to read on.
    ///   - errorHandler: Gets the error that ended the query.
    @discardableResult
    public func query<Object: CloudDataObject>(
        _ type: Object,
        fieldname: String,
        latitude: Double,
        longitude: Double,
        distance: Double,
        desiredKeys: [String]? = nil,
        limit: Int? = nil,
        batchSize: Int = 100,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([Object], Bool) -> Bool,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        startQuery(
            QueryRequest(
                predicate: .near(fieldname, latitude: latitude, longitude: longitude, distance: distance),
                orderBy: Result.success(
                    .distance(fieldname, from: CloudLocation(latitude: latitude, longitude: longitude))
                ),
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
    fileprivate static func near(
        _ field: String,
        latitude: Double,
        longitude: Double,
        distance: Double
    ) -> CloudPredicate {
        CloudPredicate(.near(field: field, CloudLocation(latitude: latitude, longitude: longitude), metres: distance))
    }
}
