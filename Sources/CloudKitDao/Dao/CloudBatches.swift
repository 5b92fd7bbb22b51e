/// The results of a query as a sequence of pages, read one at a time: memory does not grow with the results.
///
/// ```swift
/// for try await batch in dao.batches(of: Message.self, batchSize: 500) {
///     for message in batch { … }
///     bookmark = batch.cursor          // Codable: pass it as after: to go on later, even in another process
/// }
/// ```
///
/// The pages arrive in the isolation of the task that iterates.
public struct CloudBatches<Object: CloudDataObject>: AsyncSequence {
    public typealias Element = CloudBatch<Object>
    public typealias Failure = any Error

    let dao: CloudDao
    let request: QueryRequest<Object>
    let cursor: CloudCursor?

    /// Makes an iterator, which reads from the beginning, or from the cursor that the sequence was made with.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(dao: dao, request: request, cursor: cursor)
    }

    /// Reads one page after the other.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let dao: CloudDao
        fileprivate let request: QueryRequest<Object>
        fileprivate var cursor: CloudCursor?
        private var isFinished = false

        fileprivate init(dao: CloudDao, request: QueryRequest<Object>, cursor: CloudCursor?) {
            self.dao = dao
            self.request = request
            self.cursor = cursor
        }

        /// Reads the next page; nil after the last one. A query without results has one empty page.
        public mutating func next(isolation actor: isolated (any Actor)?) async throws -> CloudBatch<Object>? {
            guard !isFinished else { return nil }
            let batch = try await dao.batch(
                of: Object.self,
                query: request.query(),
                after: cursor,
                batchSize: request.batchSize
            )
            cursor = batch.cursor
            isFinished = batch.cursor == nil
            return batch
        }

        /// Reads the next page; nil after the last one.
        public mutating func next() async throws -> CloudBatch<Object>? {
            try await next(isolation: #isolation)
        }
    }
}
