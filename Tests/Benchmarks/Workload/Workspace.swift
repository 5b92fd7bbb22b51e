import CloudKitDao
import Foundation

/// A temporary folder with the databases that are measured. Each is made when it is first asked for.
final class Workspace {
    let isQuick: Bool
    let objectCount: Int
    /// How many objects the long walk reads.
    let longCount: Int
    let folder: URL
    private var copies = 0

    init(isQuick: Bool) throws {
        self.isQuick = isQuick
        objectCount = isQuick ? 10_000 : 100_000
        longCount = isQuick ? 50_000 : 1_000_000
        folder = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }

    /// The path of a file that does not exist.
    func newPath() -> String {
        copies += 1
        return folder.appending(path: "\(copies).sqlite").path
    }

    /// Removes a database with what lies beside it.
    func remove(_ path: String) {
        for suffix in ["", "-wal", "-shm", "-assets"] {
            try? FileManager.default.removeItem(atPath: path + suffix)
        }
    }

    /// A copy of a database that nobody has open.
    func copy(_ path: String) throws -> String {
        let copy = newPath()
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        return copy
    }

    // MARK: The databases

    private var paths: [String: String] = [:]

    private func path(_ name: String, _ make: (String) async throws -> Void) async throws -> String {
        if let path = paths[name] { return path }
        let path = folder.appending(path: "\(name).sqlite").path
        try await make(path)
        paths[name] = path
        return path
    }

    /// A store with all objects and the indexes for the newest first and for categories.
    func storePath() async throws -> String {
        try await path("store") { try await Self.fill($0, objectCount) }
    }

    /// The bare database with the same objects, and an index on the date of creation and one on the category.
    func floorPath() async throws -> String {
        try await path("floor") { try FloorDatabase.fill($0, objectCount) }
    }

    /// The store, with the words of the texts.
    func tokenStorePath() async throws -> String {
        let original = try await storePath()
        return try await path("token-store") { path in
            try FileManager.default.copyItem(atPath: original, toPath: path)
            let store = try SQLiteStore(path: path)
            _ = try await CloudDao(store: store).query(Reading.self, tokens: Vocabulary.word(0), limit: 1)
            await store.close()
        }
    }

    /// The bare database, with the words of the texts.
    func tokenFloorPath() async throws -> String {
        let original = try await floorPath()
        return try await path("token-floor") { path in
            try FileManager.default.copyItem(atPath: original, toPath: path)
            try FloorDatabase(path: path, role: .writer).makeTokens()
        }
    }

    /// The store that is too large for any cache.
    func longStorePath() async throws -> String {
        try await path("long-store") { try await Self.fill($0, longCount) }
    }

    private static func fill(_ path: String, _ count: Int) async throws {
        let store = try SQLiteStore(path: path)
        let dao = CloudDao(store: store)
        for start in stride(from: 0, to: count, by: 10_000) {
            try await dao.save(Reading.numbered(start..<min(count, start + 10_000)))
        }
        _ = try await dao.query(Reading.self, limit: 1)
        _ = try await dao.query(Reading.self, where: \.category == "", limit: 1)
        await store.close()
    }
}
