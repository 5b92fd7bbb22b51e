import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

@testable import CloudKitDao

/// What a batch tells of its progress.
@Suite struct BatchProgressTests {
    private let base: SQLiteStore

    init() throws {
        base = try SQLiteStore.inMemory()
    }

    /// A store that tells its own progress, one record after the other.
    private func telling(limit: Int?) -> PickyStore {
        let base = base
        return PickyStore(
            base,
            declaredLimit: limit,
            onModify: { _, request in
                let total = request.saving.count + request.deleting.count
                for count in 0...total {
                    request.progressHandler?(CloudProgress(completedRecordCount: count, totalRecordCount: total))
                }
                return nil
            }
        )
    }

    private func check(_ reports: [CloudProgress], total: Int) {
        #expect(reports.last?.completedRecordCount == total)
        #expect(reports.last?.fractionCompleted == 1)
        #expect(reports.allSatisfy { $0.totalRecordCount == total })
        for (earlier, later) in zip(reports, reports.dropFirst()) {
            #expect(earlier.completedRecordCount <= later.completedRecordCount)
            #expect(earlier.completedByteCount <= later.completedByteCount)
            #expect(earlier.fractionCompleted <= later.fractionCompleted)
        }
    }

    @Test(arguments: [nil, 3, 100])
    func `progress never goes back, over all requests of a batch, and ends with the whole`(limit: Int?) async throws {
        let dao = CloudDao(store: telling(limit: limit))
        var reports: [CloudProgress] = []
        try await dao.save(Message.numbered(1...10), progressHandler: { reports.append($0) })
        check(reports, total: 10)
    }

    @Test func `a store that tells nothing has progress with each request`() async throws {
        let reports = Mutex<[CloudProgress]>([])
        let batch = CloudModification(
            saving: (1...6).map { CloudRecord(recordType: "T", recordID: CloudRecordID("r\($0)")) }
        )
        let progress = BatchProgress(of: batch) { report in reports.withLock { $0.append(report) } }
        _ = try await PickyStore(base, declaredLimit: 2).modifyInPieces(batch, progress: progress)
        progress.finish()
        #expect(reports.withLock { $0.map(\.completedRecordCount) } == [2, 4, 6])
    }

    @Test func `what is sent again is not counted twice`() async throws {
        let reports = Mutex<[CloudProgress]>([])
        let batch = CloudModification(
            saving: (1...6).map { CloudRecord(recordType: "T", recordID: CloudRecordID("r\($0)")) }
        )
        let progress = BatchProgress(of: batch) { report in reports.withLock { $0.append(report) } }
        let store = PickyStore(
            base,
            onModify: { _, request in
                let total = request.saving.count
                for count in 0..<total {
                    request.progressHandler?(CloudProgress(completedRecordCount: count, totalRecordCount: total))
                }
                if total > 2 { throw CloudError(.limitExceeded, "too much") }
                return nil
            }
        )
        _ = try await store.modifyInPieces(batch, progress: progress)
        progress.finish()
        let counts = reports.withLock { $0.map(\.completedRecordCount) }
        #expect(counts == counts.sorted())
        #expect(counts.last == 6)
    }

    @Test func `the bytes of assets count from the first request on`() async throws {
        let folder = try TestFolder()
        let batch = CloudModification(
            saving: try (1...4).map { number in
                var record = CloudRecord(recordType: "T", recordID: CloudRecordID("r\(number)"))
                let file = try folder.file("f\(number)", Data(repeating: UInt8(number), count: 100))
                record["asset"] = .asset(CloudAsset(fileURL: file))
                return record
            }
        )
        let reports = Mutex<[CloudProgress]>([])
        let progress = BatchProgress(of: batch) { report in reports.withLock { $0.append(report) } }
        _ = try await PickyStore(base, declaredLimit: 1).modifyInPieces(batch, progress: progress)
        progress.finish()
        reports.withLock { reports in
            #expect(Set(reports.map(\.completedByteCount)) == [100, 200, 300, 400])
            #expect(reports.allSatisfy { $0.totalByteCount == 400 })
            check(reports, total: 4)
        }
    }

    @Test(arguments: [true, false])
    @MainActor func `the handler is called on the caller's actor, and not after the completion`(
        fails: Bool
    ) async throws {
        let store = telling(limit: 2)
        if fails { try await CloudDao(store: base).save(Message("m003")) }
        let calls = await HandlerReport.calls { handlers in
            CloudDao(store: store).saveItems(
                Message.numbered(1...6),
                completionHandler: { _ in handlers.completed("done") },
                errorHandler: { _ in handlers.completed("failed") },
                progressHandler: { handlers.completed("\($0.completedRecordCount)") }
            )
        }
        #expect(calls.allSatisfy { $0.actorName == "main" })
        #expect(calls.completions.last == (fails ? "failed" : "done"))
        #expect(calls.completions.dropLast().last == "6")
        #expect(calls.completions.filter { $0 == "done" || $0 == "failed" }.count == 1)
    }

    @Test @MainActor func `deletes and single saves have progress too`() async throws {
        let dao = CloudDao(store: telling(limit: 2))
        let messages = Message.numbered(1...5)
        try await dao.save(messages)
        var reports: [CloudProgress] = []
        try await dao.delete(messages, progressHandler: { reports.append($0) })
        check(reports, total: 5)
        reports = []
        try await dao.save(Message("m1"), progressHandler: { reports.append($0) })
        check(reports, total: 1)
    }
}
