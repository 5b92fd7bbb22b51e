import CloudKitDao
import Foundation

/// Saves planned batches until it is killed, and says of each when it is saved.
enum BatchSaver {
    static let laneCount = 2

    static func run(_ path: String, sources: URL) async throws {
        Report.line("started")
        let store = try SQLiteStore(path: path)
        Report.line("opened")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for lane in 0..<laneCount {
                group.addTask { try await save(lane: lane, in: store, sources: sources) }
            }
            group.addTask { while true { try await read(store) } }
            try await group.waitForAll()
        }
    }

    private static func save(lane: Int, in store: SQLiteStore, sources: URL) async throws {
        let head = try await store.record(PlannedBatch.headName(lane: lane))
        var number = Int(head?["batch"]?.int64Value ?? 0)
        while true {
            number += 1
            let modification = try PlannedBatch(lane: lane, number: number).modification(sources: sources)
            let result = try await store.modify(modification)
            for record in result.saved { _ = try record.get() }
            for recordID in result.deleted { _ = try recordID.get() }
            Report.line("saved \(lane) \(number)")
            for asset in modification.saving.flatMap(\.assets) { try FileManager.default.removeItem(at: asset.fileURL) }
        }
    }

    /// Holds assets and reads their files while they are replaced and deleted.
    private static func read(_ store: SQLiteStore) async throws {
        let page = try await store.page(CloudQuery(recordType: "Child"), after: nil, limit: 10)
        for asset in page.records.flatMap(\.assets) {
            guard try !asset.data().isEmpty else { throw Surprise("the asset \(asset) is empty") }
        }
    }
}

extension CloudRecord {
    /// The assets in all fields.
    package var assets: [CloudAsset] {
        layout.names.indices.flatMap { index -> [CloudAsset] in
            switch fields[index] {
            case .value(.asset(let asset)): [asset]
            case .value(.list(let elements)): elements.compactMap(\.assetValue)
            default: []
            }
        }
    }
}
