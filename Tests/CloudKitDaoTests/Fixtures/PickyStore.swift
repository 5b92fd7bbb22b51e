import CloudKitDao
import Synchronization

/// A store that takes only so many records at once, says so or not, and remembers what was asked of it.
final class PickyStore: CloudStore {
    /// What became of a request before it reached the real store; nil lets it through.
    typealias Answer = @Sendable (_ number: Int, CloudModification) async throws -> CloudModificationResult?

    private let base: any CloudStore
    private let declaredLimit: Int?
    private let actualLimit: Int
    private let onModify: Answer
    private let seen = Mutex<(modifications: [CloudModification], fetches: [[CloudRecordID]])>(([], []))

    /// - Parameters:
    ///   - declaredLimit: The limit that the store's capabilities name.
    ///   - actualLimit: The limit above which it fails a request with limitExceeded.
    ///   - onModify: Gets each request of at most the actual limit, with its number from 1.
    init(
        _ base: any CloudStore,
        declaredLimit: Int? = nil,
        actualLimit: Int = .max,
        onModify: @escaping Answer = { _, _ in nil }
    ) {
        self.base = base
        self.declaredLimit = declaredLimit
        self.actualLimit = actualLimit
        self.onModify = onModify
    }

    var modifications: [CloudModification] { seen.withLock { $0.modifications } }
    var fetches: [[CloudRecordID]] { seen.withLock { $0.fetches } }

    /// The numbers of records of the requests.
    var requestSizes: [Int] { modifications.map { $0.saving.count + $0.deleting.count } }

    var capabilities: CloudCapabilities {
        CloudCapabilities(
            storeName: "PickyStore",
            supported: base.capabilities.supported,
            maximumBatchSize: declaredLimit
        )
    }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        seen.withLock { $0.fetches.append(recordIDs) }
        if recordIDs.count > actualLimit { throw Self.tooMany }
        return try await base.fetch(recordIDs, desiredFields: desiredFields)
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        let number = seen.withLock { seen in
            seen.modifications.append(modification)
            return seen.modifications.count
        }
        if modification.saving.count + modification.deleting.count > actualLimit { throw Self.tooMany }
        if let answer = try await onModify(number, modification) { return answer }
        return try await base.modify(modification)
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await base.page(query, after: cursor, limit: limit)
    }

    func currentUserRecordID() async throws -> CloudRecordID { try await base.currentUserRecordID() }

    private static let tooMany = CloudError(.limitExceeded, "That is too much at once.")
}
