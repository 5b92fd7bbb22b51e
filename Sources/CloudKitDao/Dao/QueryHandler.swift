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
                    switch handler {
                    case .all(let handler):
                        handler(try await self.objects(request))
                    case .batch(let handler):
                        try await self.readGrowing(request) { results, _ in handler(results) }
                    case .batchOrLast(let handler):
                        try await self.readGrowing(request, handler)
                    }
                } catch {
                    Self.handle(CloudError(error), by: errorHandler)
                }
            }
        )
    }

    /// Passes on what was read so far after each batch, until that returns false.
    private func readGrowing<Object: CloudDataObject>(
        _ request: QueryRequest<Object>,
        _ handler: ([Object], Bool) -> Bool
    ) async throws {
        var results: [Object] = []
        try await readBatches(request) { batch, isLast in
            results.append(contentsOf: batch)
            return handler(results, isLast)
        }
    }
}
