extension CloudDao {
    /// Returns all objects of a class that match a predicate.
    ///
    /// ```swift
    /// let popular = try await dao.query(Message.self, where: \.likes > 3, orderBy: .descending(\.likes))
    /// ```
    ///
    /// Records that can't be mapped are left out and reported to ``mappingFailureHandler``.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a wrong predicate or order.
    /// - Complexity: O(log *n* + *k*) for *k* matches among *n* records, if the store has an index for the query.
    public func query<Object: CloudDataObject>(
        _ type: Object.Type,
        where predicate: ObjectPredicate<Object> = .all,
        orderBy: ObjectOrder<Object> = .newestFirst
    ) async throws -> [Object] {
        try await query(type, predicate: predicate.predicate, orderBy: try orderBy.orderBy())
    }

    /// Returns all objects of a class that match a predicate, see ``query(_:where:orderBy:)``.
    public func query<Object: CloudDataObject>(
        _ type: Object.Type,
        predicate: CloudPredicate,
        orderBy: OrderBy = .newestFirst
    ) async throws -> [Object] {
        let query = try CloudQuery(of: type, predicate: predicate, orderBy: orderBy)
        var results: [Object] = []
        try await readBatches(of: type, query: query, batchSize: Self.internalBatchSize) { batch in
            results.append(contentsOf: batch)
            return true
        }
        return results
    }

    /// Returns all objects that match a predicate, as a sequence of batches.
    ///
    /// - Parameters:
    ///   - type: The class.
    ///   - predicate: What the objects match.
    ///   - orderBy: Their order.
    ///   - batchSize: The most objects of a batch, at least 1.
    ///   - cursor: A batch's ``CloudBatch/cursor``, to go on after that batch.
    public func batches<Object: CloudDataObject>(
        of type: Object.Type,
        where predicate: ObjectPredicate<Object> = .all,
        orderBy: ObjectOrder<Object> = .newestFirst,
        batchSize: Int = 100,
        after cursor: CloudCursor? = nil
    ) -> CloudBatches<Object> {
        let query = Result {
            try CloudQuery(of: type, predicate: predicate.predicate, orderBy: try orderBy.orderBy())
        }
        return CloudBatches(
            dao: self,
            query: query.mapError { CloudError($0) },
            batchSize: batchSize,
            cursor: cursor
        )
    }

    /// Returns all objects that match a predicate, as a sequence of batches, see
    /// ``batches(of:where:orderBy:batchSize:after:)``.
    public func batches<Object: CloudDataObject>(
        of type: Object.Type,
        predicate: CloudPredicate,
        orderBy: OrderBy = .newestFirst,
        batchSize: Int = 100,
        after cursor: CloudCursor? = nil
    ) -> CloudBatches<Object> {
        let query = Result { try CloudQuery(of: type, predicate: predicate, orderBy: orderBy) }
        return CloudBatches(
            dao: self,
            query: query.mapError { CloudError($0) },
            batchSize: batchSize,
            cursor: cursor
        )
    }
}

extension CloudDao {
    /// How many records are read at a time when the caller does not see the batches.
    static let internalBatchSize = 1_000

    /// Reads one batch and maps it.
    func batch<Object: CloudDataObject>(
        of type: Object.Type,
        query: CloudQuery,
        after cursor: CloudCursor?,
        batchSize: Int
    ) async throws -> CloudBatch<Object> {
        guard batchSize >= 1 else {
            throw CloudError(
                .invalidArguments,
                "A batch of \(batchSize) records can't be read.",
                remedy: "Use a batchSize of at least 1."
            )
        }
        let plan = try MappingPlan.plan(for: type)
        let page = try await store().wrappingErrors { try await $0.page(query, after: cursor, limit: batchSize) }
        var objects: [Object] = []
        objects.reserveCapacity(page.records.count)
        var failures: [CloudError] = []
        var binding: LayoutBinding?
        for record in page.records {
            let current = binding.flatMap { $0.layout === record.layout ? $0 : nil } ?? plan.binding(for: record.layout)
            binding = current
            do {
                objects.append(try plan.makeObject(type, from: record, binding: current))
            } catch {
                let failure = CloudError(error)
                failures.append(failure)
                report(mappingFailure: failure)
            }
        }
        return CloudBatch(objects: objects, cursor: page.cursor, failures: failures)
    }

    /// Reads batches until there are no more, or the body returns false.
    func readBatches<Object: CloudDataObject>(
        of type: Object.Type,
        query: CloudQuery,
        batchSize: Int,
        _ body: (CloudBatch<Object>) throws -> Bool
    ) async throws {
        var cursor: CloudCursor?
        repeat {
            try Self.checkCancellation()
            let batch = try await batch(of: type, query: query, after: cursor, batchSize: batchSize)
            try Self.checkCancellation()
            guard try body(batch) else { return }
            cursor = batch.cursor
        } while cursor != nil
    }
}

extension CloudQuery {
    /// A query for the objects of a class.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a literal that is no predicate, and for a field that is no
    ///   property of the class: a slip of the pen would find nothing otherwise.
    init<Object: CloudDataObject>(of type: Object.Type, predicate: CloudPredicate, orderBy: OrderBy) throws {
        try predicate.checkWellFormed()
        let layout = try MappingPlan.plan(for: type).layout
        self.init(recordType: layout.recordType, predicate: predicate, orderBy: orderBy)
        let unknown = fieldNames.filter { layout.index(of: $0) == nil && SystemField(rawValue: $0) == nil }
        guard let field = unknown.min() else { return }
        throw CloudError(
            .invalidArguments,
            "The query names the field \(field), but class \(type) keeps no property in a field of this name.",
            remedy: "Correct the name, or add the property to the class.",
            field: field
        )
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
