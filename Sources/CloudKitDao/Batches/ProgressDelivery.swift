extension CloudDao {
    /// Runs work and tells its progress to a handler of the caller, on the caller's actor.
    ///
    /// The handler is not called any more when the method returns. A report that comes while the one before it waits
    /// for the actor takes its place.
    static func delivering<Value>(
        progressTo handler: ((CloudProgress) -> Void)?,
        isolation: isolated (any Actor)? = #isolation,
        work: ((@Sendable (CloudProgress) -> Void)?) async throws -> Value
    ) async throws -> Value {
        guard let handler else { return try await work(nil) }
        let (reports, continuation) = AsyncStream<CloudProgress>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let delivery = Task {
            _ = isolation
            for await report in reports { handler(report) }
        }
        do {
            let value = try await work { continuation.yield($0) }
            continuation.finish()
            await delivery.value
            return value
        } catch {
            continuation.finish()
            await delivery.value
            throw error
        }
    }
}
