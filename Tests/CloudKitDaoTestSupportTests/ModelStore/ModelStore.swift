import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization

/// The contract as a store that is as simple as can be: dictionaries behind a lock, and every answer computed anew.
///
/// It shows that the contract can be kept, by something other than the stores that it was written for.
final class ModelStore: CloudStore {
    let capabilities = CloudCapabilities(
        storeName: "ModelStore",
        supported: Set(CloudCapabilities.Capability.allCases).subtracting([.notifications]),
        maximumBatchSize: 500
    )

    private let state = Mutex(ModelState())
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
    }

    private func read<Value>(_ body: (ModelState) throws -> Value) throws -> Value {
        if Task.isCancelled { throw CloudError.cancelled }
        return try state.withLock { try body($0) }
    }

    /// Changes the state, unless the body throws.
    private func write<Value>(_ body: (inout ModelState) throws -> Value) throws -> Value {
        if Task.isCancelled { throw CloudError.cancelled }
        return try state.withLock { state in
            var changed = state
            let value = try body(&changed)
            state = changed
            return value
        }
    }

    // MARK: Records

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try read { state in
            recordIDs.map { recordID in
                guard let stored = state.records[recordID] else {
                    return .failure(.problem(.unknownItem, "There is no record \(recordID).", recordID))
                }
                return .success(stored.record.keeping(desiredFields))
            }
        }
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        if Task.isCancelled { throw CloudError.cancelled }
        try modification.checkDuplicates()
        let total = modification.saving.count + modification.deleting.count
        guard total <= 500 else { throw CloudError(.limitExceeded, "\(total) records are more than 500.") }
        var progress = CloudProgress(totalRecordCount: total)
        let records = modification.saving.map { record in
            Result { () throws(CloudError) in try keepAssets(of: record, &progress) }
        }
        modification.progressHandler?(progress)
        do {
            let result = try write { state in
                let result = state.run(modification, records)
                if modification.isAtomic, result.hasFailure { throw RefusedBatch(result: result.asRefused()) }
                return result
            }
            progress.completedRecordCount = total
            modification.progressHandler?(progress)
            return result
        } catch let refused as RefusedBatch {
            return refused.result
        }
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        guard limit >= 1 else { throw CloudError(.invalidArguments, "A page has at least one record.") }
        return try write { try $0.page(query, after: cursor, limit: limit) }
    }

    // MARK: Assets

    /// The record with its assets' files copied, each content once.
    private func keepAssets(
        of record: CloudRecord,
        _ progress: inout CloudProgress
    ) throws(CloudError) -> CloudRecord {
        var record = record
        for name in record.knownFieldNames {
            switch record[name] {
            case .asset(let asset)?:
                record[name] = .asset(try keep(asset, record.recordID, name, &progress))
            case .list(let elements)? where elements.contains { $0.assetValue != nil }:
                var kept: [CloudValue] = []
                for case .asset(let asset) in elements {
                    kept.append(.asset(try keep(asset, record.recordID, name, &progress)))
                }
                record[name] = .list(kept)
            default: continue
            }
        }
        return record
    }

    private func keep(
        _ asset: CloudAsset,
        _ recordID: CloudRecordID,
        _ field: String,
        _ progress: inout CloudProgress
    ) throws(CloudError) -> CloudAsset {
        guard asset.fileURL.isFileURL else {
            throw .problem(.invalidArguments, "\(asset) is no file.", recordID, field)
        }
        do {
            let bytes = try asset.data()
            progress.totalByteCount += Int64(bytes.count)
            progress.completedByteCount += Int64(bytes.count)
            let name = state.withLock { $0.contentName(of: bytes) }
            let url = folder.url.appending(path: name)
            if !FileManager.default.fileExists(atPath: url.path) { try bytes.write(to: url) }
            return CloudAsset(fileURL: url)
        } catch {
            let error = CloudError(error)
            throw .problem(error.code, error.message, recordID, field)
        }
    }

    // MARK: Changes, zones and the rest

    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) async throws -> CloudChanges {
        try read { try $0.changes(since: token, in: zoneID, limit: limit) }
    }

    func zones() async throws -> [CloudZoneID] { try read { $0.zones } }
    func saveZone(_ zoneID: CloudZoneID) async throws { try write { try $0.saveZone(zoneID) } }
    func deleteZone(_ zoneID: CloudZoneID) async throws { try write { try $0.deleteZone(zoneID) } }

    func subscriptions() async throws -> [CloudSubscription] { try read { Array($0.subscriptions.values) } }

    func save(_ subscription: CloudSubscription) async throws {
        guard !subscription.events.isEmpty else {
            throw CloudError(.invalidArguments, "A subscription is to something.")
        }
        try write { $0.subscriptions[subscription.subscriptionID] = subscription }
    }

    func deleteSubscription(withID subscriptionID: String) async throws {
        try write { $0.subscriptions[subscriptionID] = nil }
    }

    func currentUserRecordID() async throws -> CloudRecordID { ModelState.user }
    func schema() async throws -> CloudSchema { try read { $0.schema } }
    func extendSchema(_ schema: CloudSchema) async throws { try write { try $0.extend(schema) } }
    func deploySchema() async throws {}
}

/// An atomic batch of which nothing is to be written.
private struct RefusedBatch: Error {
    let result: CloudModificationResult
}

extension CloudModificationResult {
    fileprivate var hasFailure: Bool { saved.contains { $0.failure != nil } || deleted.contains { $0.failure != nil } }

    /// The same with an error for each record.
    fileprivate func asRefused() -> CloudModificationResult {
        CloudModificationResult(
            saved: saved.map { result in
                result.flatMap { .failure(.problem(.batchRequestFailed, "Another failed.", $0.recordID)) }
            },
            deleted: deleted.map { result in
                result.flatMap { .failure(.problem(.batchRequestFailed, "Another failed.", $0)) }
            }
        )
    }
}

extension CloudModification {
    fileprivate func checkDuplicates() throws {
        var seen: Set<CloudRecordID> = []
        for recordID in saving.map(\.recordID) + deleting where !seen.insert(recordID).inserted {
            throw CloudError.problem(.invalidArguments, "\(recordID) is there twice.", recordID)
        }
    }
}

extension Result where Failure == CloudError {
    var failure: CloudError? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension CloudRecord {
    /// The record with only these fields; nil for all.
    func keeping(_ fields: [String]?) -> CloudRecord {
        guard let fields else { return self }
        var record = self
        for name in record.knownFieldNames where !fields.contains(name) { record.setState(.absent, of: name) }
        return record
    }
}

extension CloudError {
    static func problem(
        _ code: Code,
        _ message: String,
        _ recordID: CloudRecordID? = nil,
        _ field: String? = nil
    ) -> CloudError {
        CloudError(code, message, remedy: "Mend it.", recordID: recordID, field: field)
    }
}
