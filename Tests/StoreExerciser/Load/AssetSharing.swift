import CloudKitDao
import Foundation

/// Replaces and deletes assets that others hold and read meanwhile, and reads theirs.
enum AssetSharing {
    private static let contentCount = 5

    static func run(_ path: String, name: String, duration: Duration, gate: String) async throws {
        try Gate.wait(gate)
        let store = try SQLiteStore(path: path)
        let folder = URL(filePath: path + "-sources-\(name)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let sources = try (0..<contentCount).map { try NumberedContent($0).asset(in: folder) }
        let recordID = CloudRecordID("shared-\(name)")
        let end = ContinuousClock.now + duration
        var round = 0
        while ContinuousClock.now < end {
            round += 1
            let number = round % contentCount
            var record = CloudRecord(recordType: "Shared", recordID: recordID)
            record.count = Int64(number)
            record["file"] = .asset(sources[number])
            let read = try await store.page(CloudQuery(recordType: "Shared"), after: nil, limit: 100).records
            let saving = CloudModification(saving: [record], savePolicy: .allKeys)
            _ = try await store.modify(saving).saved.first?.get()
            if round.isMultiple(of: 3) { _ = try await store.modify(CloudModification(deleting: [recordID])) }
            // What was read before is held, whatever became of its record.
            for record in read {
                guard try record["file"]?.assetValue?.data() == NumberedContent(Int(record.count)).data else {
                    throw Surprise("the asset of \(record.recordID) has another content")
                }
            }
        }
        _ = try await store.modify(CloudModification(deleting: [recordID]))
        Report.line("shared \(round)")
        await store.close()
    }
}
