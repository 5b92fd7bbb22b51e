/// What a query asks for, before it is checked against the class.
struct QueryRequest<Object: CloudDataObject>: Sendable {
    /// How many records are read at a time when the caller does not see the batches.
    static var unseenBatchSize: Int { 1_000 }

    let predicate: CloudPredicate
    let orderBy: Result<OrderBy, CloudError>
    var desiredKeys: [String]?
    /// The most objects to read in all; nil for no limit.
    var limit: Int?
    var batchSize: Int = unseenBatchSize

    /// The query for the objects of the class.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a literal that is no predicate, for a field that is no
    ///   property of the class, for a value or operator that its type does not have, and for a limit below 1: a slip
    ///   of the pen would find nothing otherwise. ``CloudError/Code/unsupported`` for an order of what is kept as
    ///   text and sorts otherwise.
    func query() throws -> CloudQuery {
        let plan = try MappingPlan.plan(for: Object.self)
        let layout = plan.layout
        let query = CloudQuery(
            recordType: layout.recordType,
            predicate: predicate,
            orderBy: try orderBy.get(),
            desiredFields: desiredKeys
        )
        let subject = "class \(Object.self)"
        let check = QueryCheck(subject: subject, checkOrder: plan.checkOrder) { name in
            guard let index = layout.index(of: name) else { return .unknown }
            return layout.types[index].map(QueryCheck.Field.typed) ?? .untyped
        }
        try check.check(query)
        if let key = desiredKeys?.first(where: { layout.index(of: $0) == nil }) {
            throw CloudError(
                .invalidArguments,
                "The query asks for the field \(key), but \(subject) has no field of this name.",
                remedy: "Correct the name in desiredKeys.",
                field: key
            )
        }
        try checkCount(batchSize, "batchSize")
        if let limit { try checkCount(limit, "limit") }
        return query
    }

    private func checkCount(_ count: Int, _ name: String) throws {
        guard count < 1 else { return }
        throw CloudError(
            .invalidArguments,
            "A \(name) of \(count) objects can't be read.",
            remedy: "Use a \(name) of at least 1."
        )
    }
}
