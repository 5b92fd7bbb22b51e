extension CloudStore {
    /// Calls the store and turns whatever it throws into a ``CloudError``, as its users are promised.
    func wrappingErrors<Value: Sendable>(
        _ body: (any CloudStore) async throws -> Value
    ) async throws -> Value {
        do {
            return try await body(self)
        } catch {
            throw CloudError(error)
        }
    }

    /// Throws if the store did not give one result for each item.
    func checkCount(of results: some Collection, for items: some Collection) throws {
        try checkCount(results.count, for: items)
    }

    func checkCount(_ count: Int, for items: some Collection) throws {
        guard count != items.count else { return }
        throw CloudError(
            .internalError,
            "\(capabilities.storeName) gave \(count) results for \(items.count) records.",
            remedy: "Report this to the author of the store."
        )
    }
}
