import CloudKitDao

/// A store in memory that tells what was asked of it, when it has answered.
///
/// The snippets' handlers do nothing that a test could see; so the test waits for what their requests do to the store.
nonisolated final class ObservedStore: CloudStore {
    enum Request: Sendable { case fetch, modify, page }

    private let base: SQLiteStore
    private let continuation: AsyncStream<Request>.Continuation
    private let requests: AsyncStream<Request>

    init() throws {
        base = try SQLiteStore.inMemory()
        (requests, continuation) = AsyncStream.makeStream()
    }

    /// Waits until so many requests were answered, and returns them.
    func next(_ count: Int) async -> [Request] {
        var seen: [Request] = []
        for await request in requests {
            seen.append(request)
            if seen.count == count { break }
        }
        return seen
    }

    var capabilities: CloudCapabilities { base.capabilities }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        defer { continuation.yield(.fetch) }
        return try await base.fetch(recordIDs, desiredFields: desiredFields)
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        defer { continuation.yield(.modify) }
        return try await base.modify(modification)
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        defer { continuation.yield(.page) }
        return try await base.page(query, after: cursor, limit: limit)
    }

    func currentUserRecordID() async throws -> CloudRecordID { try await base.currentUserRecordID() }
}
