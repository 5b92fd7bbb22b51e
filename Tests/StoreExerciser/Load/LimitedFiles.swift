import CloudKitDao
import Foundation

/// Saves an asset that is larger than files may become, as if the disk were full, and goes on.
enum LimitedFiles {
    private static let limit = 1 << 20

    static func run(_ path: String, folder: URL) async throws {
        let store = try SQLiteStore(path: path)
        let (small, large) = (folder.appending(path: "small"), folder.appending(path: "large"))
        try Data(count: 1_000).write(to: small)
        try Data(count: 2 * limit).write(to: large)
        try await save(small, "before", in: store)
        // Without a handler, writing more would end the process.
        signal(SIGXFSZ, SIG_IGN)
        var limits = rlimit()
        limits.rlim_cur = rlim_t(limit)
        limits.rlim_max = rlim_t(limit)
        #if canImport(Darwin)
        let outcome = setrlimit(RLIMIT_FSIZE, &limits)
        #else
        let outcome = setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limits)
        #endif
        guard outcome == 0 else { throw Surprise("files can't be limited") }
        do {
            try await save(large, "large", in: store)
            throw Surprise("a file over the limit was saved")
        } catch let error as CloudError where error.recordID == CloudRecordID("large") {
            Report.line("refused \(error.code) \(error.field ?? "")")
        }
        try await save(small, "after", in: store)
        await store.close()
    }

    private static func save(_ source: URL, _ name: String, in store: SQLiteStore) async throws {
        var record = CloudRecord(recordType: "Limited", recordID: CloudRecordID(name))
        record["file"] = .asset(CloudAsset(fileURL: source))
        _ = try await store.modify(CloudModification(saving: [record])).saved.first?.get()
    }
}
