import CloudKitDao
import CloudKitDaoTestSupport
import StoreExerciser
import Testing

extension Reliability {
    /// Two processes of 16 tasks each that add to one counter by conflict and retry.
    @Suite("ConflictCounter")
    struct ConflictCounter {
        /// RELIABILITY_INCREMENTS says how often each of the 32 tasks adds one; 1,000 for the full size.
        @Test("Two processes of 16 tasks each end at the exact sum")
        func exactSum() async throws {
            let increments = setting("RELIABILITY_INCREMENTS", default: 1_000)
            let folder = try TestFolder()
            let path = folder.path("counter.sqlite")
            let store = try SQLiteStore(path: path)
            try await makeCounter(in: store)
            let processes = try (0..<2).map { _ in try ExerciserProcess("count", path, "16", "\(increments)") }
            for process in processes { _ = try await process.finish("counted") }
            let counter = try #require(try await store.record(Counting.recordID.recordName))
            #expect(counter.count == Int64(2 * 16 * increments))
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }
    }
}
