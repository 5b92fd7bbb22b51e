extension CloudDao {
    /// Returns all objects of a class that match a predicate.
    ///
    /// ```swift
    /// let popular = try await dao.query(Message.self, where: \.likes > 3, orderBy: .descending(\.likes))
    /// ```
    ///
    /// Records that can't be mapped are left out and reported to ``mappingFailureHandler``.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: What the objects match.
    ///   - orderBy: Their order.
    ///   - desiredKeys: The fields to load, nil for all. The other properties keep their initial values; saving such
    ///     an object, or a copy of it by its record or JSON, leaves their fields alone, unless the property has another
    ///     value than after loading. So a property that was not loaded can't be set back to its initial value: name the
    ///     field here to clear it.
    ///   - limit: The most objects to read, nil for all.
    /// - Throws: ``CloudError/Code/invalidArguments`` for a wrong predicate or order.
    /// - Complexity: O(log *n* + *k*) for *k* matches among *n* records, if the store has an index for the query.
    public func query<Object: CloudDataObject>(
        _ type: Object.Type,
        where predicate: ObjectPredicate<Object> = .all,
        orderBy: ObjectOrder<Object> = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil
    ) async throws -> [Object] {
        try await objects(
            QueryRequest(
                predicate: predicate.predicate,
                orderBy: orderBy.result,
                desiredKeys: desiredKeys,
                limit: limit
            )
        )
    }

    /// Returns all objects of a class that match a predicate, see ``query(_:where:orderBy:desiredKeys:limit:)``.
    public func query<Object: CloudDataObject>(
        _ type: Object.Type,
        predicate: CloudPredicate,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil
    ) async throws -> [Object] {
        try await objects(
            QueryRequest(predicate: predicate, orderBy: .success(orderBy), desiredKeys: desiredKeys, limit: limit)
        )
    }

    /// Returns the objects that contain all of some words, each in any of their text fields, regardless of case and
    /// diacritics. Without any word nothing is found.
    public func query<Object: CloudDataObject>(
        _ type: Object.Type,
        tokens: String,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        limit: Int? = nil
    ) async throws -> [Object] {
        try await objects(
            QueryRequest(
                predicate: CloudPredicate(.tokens(tokens)),
                orderBy: .success(orderBy),
                desiredKeys: desiredKeys,
                limit: limit
            )
        )
    }

    /// Returns all objects that match a predicate, as a sequence of batches.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: What the objects match.
    ///   - orderBy: Their order.
    ///   - desiredKeys: The fields to load, nil for all.
    ///   - batchSize: The most objects of a batch, at least 1.
    ///   - cursor: A batch's ``CloudBatch/cursor``, to go on after that batch.
    public func batches<Object: CloudDataObject>(
        of type: Object.Type,
        where predicate: ObjectPredicate<Object> = .all,
        orderBy: ObjectOrder<Object> = .newestFirst,
        desiredKeys: [String]? = nil,
        batchSize: Int = 100,
        after cursor: CloudCursor? = nil
    ) -> CloudBatches<Object> {
        CloudBatches(
            dao: self,
            request: QueryRequest(
                predicate: predicate.predicate,
                orderBy: orderBy.result,
                desiredKeys: desiredKeys,
                batchSize: batchSize
            ),
            cursor: cursor
        )
    }

    /// Returns all objects that match a predicate, as a sequence of batches, see
    /// ``batches(of:where:orderBy:desiredKeys:batchSize:after:)``.
    public func batches<Object: CloudDataObject>(
        of type: Object.Type,
        predicate: CloudPredicate,
        orderBy: OrderBy = .newestFirst,
        desiredKeys: [String]? = nil,
        batchSize: Int = 100,
        after cursor: CloudCursor? = nil
    ) -> CloudBatches<Object> {
        CloudBatches(
            dao: self,
            request: QueryRequest(
                predicate: predicate,
                orderBy: .success(orderBy),
                desiredKeys: desiredKeys,
                batchSize: batchSize
            ),
            cursor: cursor
        )
    }
}

extension CloudDao {
    /// Reads one batch and maps it.
    func batch<Object: CloudDataObject>(
        of type: Object.Type,
        query: CloudQuery,
        after cursor: CloudCursor?,
        batchSize: Int
    ) async throws -> CloudBatch<Object> {
        let plan = try MappingPlan.plan(for: type)
        let rows = try await store().wrappingErrors { try await $0.rows(query, after: cursor, limit: batchSize) }
        let (objects, failures) = map(rows, to: type, by: plan, loaded: query.desiredFields.map { Set($0) })
        return CloudBatch(objects: objects, cursor: rows.cursor, failures: failures)
    }

    /// Reads batches until there are no more, the limit is reached, or the body returns false.
    ///
    /// The body is told whether the batch is the last one.
    func readBatches<Object: CloudDataObject>(
        _ request: QueryRequest<Object>,
        _ body: (CloudBatch<Object>, Bool) throws -> Bool
    ) async throws {
        let query = try request.query()
        var remaining = request.limit ?? .max
        var cursor: CloudCursor?
        repeat {
            try Self.checkCancellation()
            let batchSize = min(request.batchSize, remaining)
            let batch = try await batch(of: Object.self, query: query, after: cursor, batchSize: batchSize)
            try Self.checkCancellation()
            remaining -= batch.count + batch.failures.count
            cursor = remaining > 0 ? batch.cursor : nil
            guard try body(batch, cursor == nil) else { return }
        } while cursor != nil
    }
}

extension OrderBy {
    /// By creation date, newest first: the order of queries that name none.
    public static let newestFirst = OrderBy.descending(SystemField.creationDate.rawValue)
}

extension ObjectOrder {
    /// By creation date, newest first: the order of queries that name none.
    public static var newestFirst: ObjectOrder { ObjectOrder(.newestFirst) }
}
