import CloudKitDao
import Synchronization

/// A store that lets a test fail, hold up or change single calls, and passes everything else on to a real one.
final class InterceptedStore: CloudStore {
    typealias Fetch = @Sendable ([CloudRecordID]) async throws -> [Result<CloudRecord, CloudError>]?
    typealias Modify = @Sendable (CloudModification) async throws -> CloudModificationResult?
    typealias Page = @Sendable (CloudQuery, CloudCursor?, Int) async throws -> CloudPage?

    private let base: any CloudStore
    private let onFetch: Fetch
    private let onModify: Modify
    private let onPage: Page
    private let pageCalls = Mutex(0)

    /// Each closure may throw, return an answer of its own, or nil to pass the call on.
    init(
        _ base: any CloudStore,
        onFetch: @escaping Fetch = { _ in nil },
        onModify: @escaping Modify = { _ in nil },
        onPage: @escaping Page = { _, _, _ in nil }
    ) {
        self.base = base
        self.onFetch = onFetch
        self.onModify = onModify
        self.onPage = onPage
    }

    /// A store whose every call fails.
    static func failing(with error: CloudError) throws -> InterceptedStore {
        InterceptedStore(
            try SQLiteStore.inMemory(),
            onFetch: { _ in throw error },
            onModify: { _ in throw error },
            onPage: { _, _, _ in throw error }
        )
    }

    /// How many pages were asked for.
    var pageCount: Int { pageCalls.withLock { $0 } }

    var capabilities: CloudCapabilities { base.capabilities }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        if let answer = try await onFetch(recordIDs) { return answer }
        return try await base.fetch(recordIDs, desiredFields: desiredFields)
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        if let answer = try await onModify(modification) { return answer }
        return try await base.modify(modification)
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        pageCalls.withLock { $0 += 1 }
        if let answer = try await onPage(query, cursor, limit) { return answer }
        return try await base.page(query, after: cursor, limit: limit)
    }

    func currentUserRecordID() async throws -> CloudRecordID {
        try await base.currentUserRecordID()
    }
}
