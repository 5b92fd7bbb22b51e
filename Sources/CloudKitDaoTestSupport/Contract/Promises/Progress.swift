import CloudKitDao
import Foundation
import Synchronization
import Testing

extension StoreContract {
    /// What a batch tells while it goes on.
    static let progress: [StorePromise] = [
        StorePromise("The last report of a batch that succeeds is of the whole") { store in
            try await store.save(item("out"))
            let folder = try TestFolder()
            let files = try [10, 20].map { CloudAsset(fileURL: try folder.file("f\($0)", Data(count: $0))) }
            let reports = try await reports(
                of: CloudModification(
                    saving: [
                        item("a", ["f": .asset(files[0])]), item("b", ["all": .list([.asset(files[1])])]), item("c"),
                    ],
                    deleting: [CloudRecordID("out")]
                ),
                in: store
            )
            let last = try #require(reports.last)
            #expect(last.completedRecordCount == 4 && last.totalRecordCount == 4)
            #expect(last.completedByteCount == last.totalByteCount)
            #expect(last.totalByteCount == 30)
            #expect(last.fractionCompleted == 1)
        },
        StorePromise("Reports never go back") { store in
            let folder = try TestFolder()
            let records = try (0..<20).map { number in
                let file = try folder.file("f\(number)", Data(repeating: UInt8(number), count: 50_000))
                return item("n\(number)", ["f": .asset(CloudAsset(fileURL: file))])
            }
            let reports = try await reports(of: CloudModification(saving: records), in: store)
            #expect(!reports.isEmpty)
            for (earlier, later) in zip(reports, reports.dropFirst()) {
                #expect(later.completedRecordCount >= earlier.completedRecordCount)
                #expect(later.completedByteCount >= earlier.completedByteCount)
                #expect(later.totalRecordCount == earlier.totalRecordCount)
            }
            #expect(reports.allSatisfy { $0.completedRecordCount <= $0.totalRecordCount })
        },
        StorePromise("No report comes when the batch is over") { store in
            let log = ProgressLog()
            _ = try await store.modify(
                CloudModification(saving: (0..<50).map { item("n\($0)") }, progressHandler: { log.add($0) })
            )
            let count = log.reports.count
            try await store.save(item("later"))
            #expect(log.reports.count == count)
        },
        StorePromise("A batch of which a record is refused reports no more than was to be done") { store in
            let reports = try await reports(of: CloudModification(saving: [item("a"), item("_x")]), in: store)
            #expect(reports.allSatisfy { $0.completedRecordCount <= 2 && $0.totalRecordCount == 2 })
        },
    ]

    private static func reports(
        of modification: CloudModification,
        in store: any CloudStore
    ) async throws -> [CloudProgress] {
        let log = ProgressLog()
        var modification = modification
        modification.progressHandler = { log.add($0) }
        _ = try await store.modify(modification)
        return log.reports
    }
}

private final class ProgressLog: Sendable {
    private let list = Mutex<[CloudProgress]>([])

    var reports: [CloudProgress] { list.withLock { $0 } }

    func add(_ progress: CloudProgress) {
        list.withLock { $0.append(progress) }
    }
}
