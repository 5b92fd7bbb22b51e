import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import StoreExerciser
import Testing

/// A database whose process was killed, and what must be in it.
struct CrashedDatabase {
    private static let laneCount = 2

    private let scratch: TestFolder
    private let folder: URL
    /// For each lane, how many batches the database had at the last check.
    private var batchCounts = [Int](repeating: 0, count: laneCount)
    /// The records as the change log has told them so far, by name, with their tags.
    private var replica: [String: String] = [:]
    private var token: CloudChangeToken?

    init(in scratch: TestFolder) {
        self.scratch = scratch
        folder = scratch.url.appending(path: "database")
    }

    var path: String { Self.path(in: folder) }

    /// Makes the folder, for a process that may be killed before it has made anything.
    func makeFolder() throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    private static func path(in folder: URL) -> String { folder.appending(path: "crash.sqlite").path }

    /// An empty folder for the files that the program saves as assets.
    func freshSources() throws -> URL {
        let sources = scratch.url.appending(path: "sources")
        try? FileManager.default.removeItem(at: sources)
        try FileManager.default.createDirectory(at: sources, withIntermediateDirectories: true)
        return sources
    }

    /// Looks at a copy of the database.
    ///
    /// - Parameter batches: What the program said that it had saved, as `saved <lane> <number>`.
    mutating func checkCopy(afterSaving batches: [String], _ comment: Comment) async throws {
        let copy = scratch.url.appending(path: "copy")
        try FileManager.default.copyItem(at: folder, to: copy)
        let store = try await open(Self.path(in: copy), comment)
        batchCounts = try await batchCounts(in: store, batches, comment)
        let contents = try await checkRecords(in: store, nil, comment)
        try await close(store, Self.path(in: copy), contents, comment)
        try FileManager.default.removeItem(at: copy)
    }

    /// Looks at the database itself, and follows its change log since the last time.
    mutating func check(afterSaving batches: [String], _ comment: Comment) async throws {
        let store = try await open(path, comment)
        batchCounts = try await batchCounts(in: store, batches, comment)
        let (saved, deleted, newToken) = try await Self.changes(since: token, in: store)
        token = newToken
        for name in deleted { replica[name] = nil }
        for (name, tag) in saved { replica[name] = tag }
        let contents = try await checkRecords(in: store, replica, comment)
        try await close(store, path, contents, comment)
    }

    private func open(_ path: String, _ comment: Comment) async throws -> SQLiteStore {
        if FileManager.default.fileExists(atPath: path) {
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"], comment)
        }
        let store = try SQLiteStore(path: path)
        try await store.collectLeftovers()
        return store
    }

    private func close(
        _ store: SQLiteStore,
        _ path: String,
        _ contents: Set<String>,
        _ comment: Comment
    ) async throws {
        try await store.collectAssets()
        try checkFiles(beside: path, contents, comment)
        await store.close()
        #expect(try PlainSQL.run("SELECT count(*) FROM _garbage", path) == ["0"], comment)
    }

    /// The number of batches of each lane: all that were acknowledged, and perhaps one more.
    private func batchCounts(in store: SQLiteStore, _ batches: [String], _ comment: Comment) async throws -> [Int] {
        var counts: [Int] = []
        for lane in 0..<Self.laneCount {
            let last = batches.last { $0.hasPrefix("saved \(lane) ") }?.split(separator: " ").last.flatMap { Int($0) }
            let acknowledged = last ?? batchCounts[lane]
            let head = try await store.record(PlannedBatch.headName(lane: lane))
            let count = Int(head?["batch"]?.int64Value ?? 0)
            #expect((acknowledged...acknowledged + 1).contains(count), comment)
            counts.append(count)
        }
        return counts
    }

    /// Compares all records with those that were planned.
    ///
    /// - Parameter replica: The tags of all records by name, as the change log has told them; nil if it is not known.
    /// - Returns: The names of the contents of their assets. The records themselves are let go.
    private func checkRecords(
        in store: SQLiteStore,
        _ replica: [String: String]?,
        _ comment: Comment
    ) async throws -> Set<String> {
        var planned: [String: PlannedBatch.Record] = [:]
        for (lane, count) in batchCounts.enumerated() {
            planned.merge(PlannedBatch.records(lane: lane, after: count)) { first, _ in first }
        }
        let tags = try await Self.changes(since: nil, in: store).saved
        #expect(Set(tags.keys) == Set(planned.keys), comment)
        #expect(replica == nil || replica == tags, comment)
        var contents: Set<String> = []
        var names: Set<String> = []
        for type in Set(planned.values.map(\.type)) {
            for record in try await Self.records(of: type, in: store) {
                let name = record.recordID.recordName
                names.insert(name)
                guard let plan = planned[name] else { continue }
                #expect(record.recordType == plan.type && record.plainFields == plan.fields, "\(name), \(comment)")
                #expect(record.recordChangeTag == tags[name], "\(name), \(comment)")
                for (field, numbers) in plan.contents {
                    let assets = record.assets(field)
                    let isWhole = try assets.map { try $0.data() } == numbers.map { NumberedContent($0).data }
                    #expect(isWhole, "\(name).\(field), \(assets), \(comment)")
                    contents.formUnion(assets.map(\.fileURL.lastPathComponent))
                }
            }
        }
        #expect(names == Set(planned.keys), comment)
        return contents
    }

    /// In the folder of assets is the content of the records, and nothing else but the sign of the open store.
    private func checkFiles(beside path: String, _ contents: Set<String>, _ comment: Comment) throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: path + "-assets")
        let others = files.filter { !contents.contains($0) }
        #expect(contents.isSubset(of: files), comment)
        #expect(others.count == 1 && others[0].hasPrefix(".client-"), "\(others), \(comment)")
    }

    /// The tags of the records that were saved, by name, and the names of those that were deleted.
    private static func changes(
        since token: CloudChangeToken?,
        in store: SQLiteStore
    ) async throws -> (saved: [String: String], deleted: [String], token: CloudChangeToken) {
        var (saved, deleted): ([String: String], [String]) = ([:], [])
        var token = token
        while true {
            let page = try await store.changes(since: token, in: nil, limit: 40)
            for record in page.saved { saved[record.recordID.recordName] = record.recordChangeTag }
            deleted += page.deleted.map(\.recordID.recordName)
            if !page.moreComing { return (saved, deleted, page.token) }
            token = page.token
        }
    }

    private static func records(of type: String, in store: SQLiteStore) async throws -> [CloudRecord] {
        var records: [CloudRecord] = []
        var cursor: CloudCursor?
        repeat {
            let page = try await store.page(CloudQuery(recordType: type), after: cursor, limit: 30)
            records += page.records
            cursor = page.cursor
        } while cursor != nil
        return records
    }
}

extension CloudRecord {
    fileprivate func assets(_ field: String) -> [CloudAsset] {
        switch self[field] {
        case .asset(let asset): [asset]
        case .list(let elements): elements.compactMap(\.assetValue)
        default: []
        }
    }

    /// The fields without assets.
    fileprivate var plainFields: [String: CloudValue] {
        var fields: [String: CloudValue] = [:]
        for name in knownFieldNames where assets(name).isEmpty { fields[name] = self[name] }
        return fields
    }
}
