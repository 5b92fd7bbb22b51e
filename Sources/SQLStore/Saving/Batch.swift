import CloudRecords
import Foundation

/// A batch that was looked at as a whole: no record is in it twice.
struct Batch: Sendable {
    let modification: CloudModification
    /// The records with assets, by position: with their assets in the store's keeping, or why they can't be saved.
    private var prepared: [Int: Result<CloudRecord, CloudError>] = [:]
    private var report: ProgressReport?
    /// The content that the assets have in the keeping, with the sizes of what was copied.
    private var kept: [String: Int64?] = [:]

    /// - Throws: ``CloudError/Code/invalidArguments`` naming a record that is in the batch twice.
    init(_ modification: CloudModification) throws {
        self.modification = modification
        let (saving, deleting) = (modification.saving, modification.deleting)
        func recordID(_ position: Int) -> CloudRecordID {
            position < saving.count ? saving[position].recordID : deleting[position - saving.count]
        }
        guard let position = RecordIDs.firstRepeat(count: saving.count + deleting.count, recordID) else { return }
        throw Self.duplicate(recordID(position))
    }

    var isEmpty: Bool { modification.saving.isEmpty && modification.deleting.isEmpty }

    /// The bytes of fields up to which the work on them is short.
    private static let shortByteCount = 65_536

    /// Whether it is done in a short time, whatever the database holds: a few records with little data and without
    /// files. Deletes may take any number of other records with them, and a handler of progress may do anything.
    var isShort: Bool {
        guard
            modification.deleting.isEmpty, modification.saving.count <= SQLRecordStore.shortCount,
            modification.progressHandler == nil
        else { return false }
        guard modification.positionsOfAssets.isEmpty else { return false }
        var byteCount = 0
        for record in modification.saving {
            record.fields.withValues { states in
                for case .value(let value) in states { byteCount += ValueRule.size(of: value) }
            }
        }
        return byteCount <= Self.shortByteCount
    }

    private static func duplicate(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            .invalidArguments,
            "Record \(recordID) is in one batch more than once, to be saved or deleted.",
            remedy: "Put each record into the batch once.",
            recordID: recordID
        )
    }

    // MARK: Assets

    /// Takes all assets into the store's keeping; those that were taken before an error are ``keptContents``.
    ///
    /// This comes before the transaction, so that no writer waits for the copying of files.
    mutating func keepAssets(_ assets: any AssetKeeping) async throws {
        let report = ProgressReport(modification, assets)
        self.report = report
        for index in modification.positionsOfAssets {
            let record = modification.saving[index]
            do {
                try Task.checkCancellation()
                try RecordValidator.validate(record)
                prepared[index] = .success(try await keepAssets(of: record, assets, report))
            } catch let error as CloudError where error.recordID == record.recordID {
                prepared[index] = .failure(error)
            } catch {
                throw CloudError(error)
            }
        }
    }

    private mutating func keepAssets(
        of record: CloudRecord,
        _ assets: any AssetKeeping,
        _ report: ProgressReport?
    ) async throws -> CloudRecord {
        var changed = record
        for (index, name) in record.layout.names.enumerated() {
            guard case .value(let value) = record.fields[index] else { continue }
            let all = value.assets
            if all.isEmpty { continue }
            var keptAssets: [CloudValue] = []
            for asset in all {
                let keptAsset = try await assets.keep(asset, recordID: record.recordID, field: name) {
                    report?.add(bytes: $0)
                }
                kept[keptAsset.contentName] = keptAsset.size
                keptAssets.append(.asset(keptAsset.asset))
            }
            if case .list = value {
                changed.fields[index] = .value(.list(keptAssets))
            } else {
                changed.fields[index] = .value(keptAssets[0])
            }
        }
        return changed
    }

    /// The content that was kept for the batch.
    var keptContents: [String] { kept.keys.sorted() }

    // MARK: Writing

    /// Writes the batch in a transaction.
    ///
    /// - Throws: ``AtomicFailure`` with the results when a record of an atomic batch was refused, ``ContentVanished``
    ///   when the keeping lost content since it was kept for this batch.
    func run(_ session: WriteSession, writer: BatchWriter) throws -> CloudModificationResult {
        try noteContents(session)
        let report = report ?? ProgressReport(modification, session.assets)
        var saved: [Result<CloudRecord, CloudError>] = []
        saved.reserveCapacity(modification.saving.count)
        var hasFailed = false
        // Through the buffer, a record is passed on without being copied.
        try modification.saving.withUnsafeBufferPointer { records in
            for index in records.indices {
                // An error that is not about the record is about the database, and ends the batch.
                do {
                    if !prepared.isEmpty, let kept = prepared[index] {
                        saved.append(.success(try writer.save(try kept.get())))
                    } else {
                        saved.append(.success(try writer.save(records[index])))
                    }
                } catch let error as CloudError where error.recordID == records[index].recordID {
                    saved.append(.failure(error))
                    hasFailed = true
                }
                if saved.count % 256 == 0 { try pause(session, report, saved.count) }
            }
        }
        var deleted: [Result<CloudRecordID, CloudError>] = []
        for recordID in modification.deleting {
            do {
                try writer.delete(recordID)
                deleted.append(.success(recordID))
            } catch let error as CloudError where error.recordID == recordID {
                deleted.append(.failure(error))
                hasFailed = true
            }
            if deleted.count % 256 == 0 { try pause(session, report, saved.count + deleted.count) }
        }
        if hasFailed, modification.isAtomic {
            throw AtomicFailure(result: allFailed(saved, deleted))
        }
        report?.set(records: saved.count + deleted.count)
        return CloudModificationResult(saved: saved, deleted: deleted)
    }

    /// Writes down what content there is, which nobody can remove while the transaction lasts.
    private func noteContents(_ session: WriteSession) throws {
        for (contentName, size) in kept {
            guard session.assets.contains(contentName) else { throw ContentVanished() }
            try session.connection.run(
                "INSERT INTO \"_assets\" VALUES (?1, ?2) ON CONFLICT DO NOTHING",
                [.text(contentName), .integer(size ?? 0)]
            )
            session.links.touch(contentName)
        }
    }

    private func pause(_ session: WriteSession, _ report: ProgressReport?, _ count: Int) throws {
        try session.connection.checkCancellation()
        report?.set(records: count)
    }

    private func allFailed(
        _ saved: [Result<CloudRecord, CloudError>],
        _ deleted: [Result<CloudRecordID, CloudError>]
    ) -> CloudModificationResult {
        CloudModificationResult(
            saved: zip(modification.saving, saved).map { record, result in
                result.flatMap { _ in .failure(.rolledBack(record.recordID)) }
            },
            deleted: zip(modification.deleting, deleted).map { recordID, result in
                result.flatMap { _ in .failure(.rolledBack(recordID)) }
            }
        )
    }
}

/// Rolls the transaction of a batch back because content that was kept for it is gone.
struct ContentVanished: Error {}

/// Rolls the transaction of an atomic batch back, carrying the results.
struct AtomicFailure: Error {
    let result: CloudModificationResult
}

extension CloudModification {
    /// The positions of the records to save that have assets.
    fileprivate var positionsOfAssets: [Int] {
        // Records of a batch mostly share their layout, and mostly it says that there are none.
        var last: FieldLayout?
        var canHaveAssets = true
        return saving.withUnsafeBufferPointer { records in
            records.indices.filter { index in
                if last !== records[index].layout {
                    last = records[index].layout
                    canHaveAssets = records[index].layout.types.contains { $0?.isOfAssets ?? true }
                }
                return canHaveAssets && records[index].hasAssets
            }
        }
    }
}

extension CloudFieldType {
    /// Whether a value of the type is an asset or may have some.
    fileprivate var isOfAssets: Bool {
        switch self {
        case .asset, .list(of: nil), .list(of: .asset?): true
        default: false
        }
    }
}

extension CloudRecord {
    fileprivate var hasAssets: Bool {
        fields.withValues { values in
            values.contains { state in
                switch state {
                case .value(.asset): true
                case .value(.list(let elements)): if case .asset = elements.first { true } else { false }
                default: false
                }
            }
        }
    }
}

extension CloudValue {
    /// The asset, or those of the list.
    var assets: [CloudAsset] {
        switch self {
        case .asset(let asset): [asset]
        case .list(let elements): elements.compactMap(\.assetValue)
        default: []
        }
    }
}
