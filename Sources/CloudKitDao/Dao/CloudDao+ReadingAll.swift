extension CloudDao {
    /// How many records the first page has when nobody sees the pages; each further one has twice as many.
    ///
    /// While one page is mapped the next one is read, so the sooner there is one the better. Unless a store has to find
    /// and sort everything for each page.
    private static let firstPageSize = 250

    /// Reads all objects that a request asks for.
    func objects<Object: CloudDataObject>(_ request: QueryRequest<Object>) async throws -> [Object] {
        let query = try request.query()
        let plan = try MappingPlan.plan(for: Object.self)
        let loaded = query.desiredFields.map { Set($0) }
        var remaining = request.limit ?? .max
        var pageSize =
            query.predicate.node.isFoundInOrder ? min(Self.firstPageSize, request.batchSize) : request.batchSize
        try Self.checkCancellation()
        let store = try await store()
        let limit = min(pageSize, remaining)
        var rows = try await store.wrappingErrors { try await $0.rows(query, after: nil, limit: limit) }
        var results: [Object] = []
        return try await withThrowingTaskGroup(of: CloudRows.self) { group in
            while true {
                try Self.checkCancellation()
                remaining -= rows.count
                let next = remaining > 0 ? rows.cursor : nil
                if let next {
                    pageSize = min(pageSize * 2, request.batchSize)
                    let limit = min(pageSize, remaining)
                    group.addTask {
                        try await store.wrappingErrors { try await $0.rows(query, after: next, limit: limit) }
                    }
                }
                results += map(rows, to: Object.self, by: plan, loaded: loaded).objects
                guard next != nil, let following = try await group.next() else { return results }
                rows = following
            }
        }
    }
}

extension CloudPredicate.Node {
    /// Whether stores have indexes that find what matches in any order.
    fileprivate var isFoundInOrder: Bool {
        switch self {
        case .everything, .compare(_, .equal, _, []): true
        case .and(let nodes): nodes.allSatisfy(\.isFoundInOrder)
        default: false
        }
    }
}
