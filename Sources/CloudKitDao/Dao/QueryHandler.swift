/// The completion handler of a query, in any of its three forms.
enum QueryHandler<Object> {
    /// Wants everything at once.
    case all(([Object]) -> Void)
    /// Wants what was read so far after each batch, and says whether to read on.
    case batch(([Object]) -> Bool)
    /// The same, and is told whether there is nothing more.
    case batchOrLast(([Object], Bool) -> Bool)
}

extension CloudDao {
    /// Runs a query in the isolation of the caller and calls its handlers there.
    func startQuery<Object: CloudDataObject>(
        _ request: QueryRequest<Object>,
        isolation: isolated (any Actor)?,
        handler: QueryHandler<Object>,
        errorHandler: ((CloudError) -> Void)?
    ) -> CloudOperation {
        CloudOperation(
            Task {
                _ = isolation
                do {
                    var results: [Object] = []
                    try await self.readBatches(request) { batch, isLast in
                        results.append(contentsOf: batch)
                        return handler.receive(results, isLast: isLast)
                    }
                } catch {
                    Self.handle(CloudError(error), by: errorHandler)
                }
            }
        )
    }
}

extension QueryHandler {
    /// Passes on what was read so far; returns whether to read on.
    fileprivate func receive(_ results: [Object], isLast: Bool) -> Bool {
        switch self {
        case .all(let handler):
            if isLast { handler(results) }
            return true
        case .batch(let handler):
            return handler(results)
        case .batchOrLast(let handler):
            return handler(results, isLast)
        }
    }
}
