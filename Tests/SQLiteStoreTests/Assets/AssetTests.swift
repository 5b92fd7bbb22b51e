import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Assets")
struct Assets {
    @Test("Equal content is kept once, in the store's own folder")
    func keptOnce() async throws {
        let folder = try TestFolder()
        let path = folder.path("assets.sqlite")
        let store = try SQLiteStore(path: path)
        let (first, second) = (try ScratchFile("same"), try ScratchFile("same"))
        let other = try ScratchFile("other")
        let saved = try await store.saveOne(
            item(
                "a",
                [
                    "one": .asset(CloudAsset(fileURL: first.url)), "two": .asset(CloudAsset(fileURL: second.url)),
                    "list": .list([.asset(CloudAsset(fileURL: other.url)), .asset(CloudAsset(fileURL: first.url))]),
                ]
            )
        )
        try Data("changed".utf8).write(to: first.url)
        let one = try #require(saved["one"]?.assetValue)
        #expect(one == saved["two"]?.assetValue)
        #expect(one.fileURL.path.hasPrefix(path + "-assets/"))
        let fetched = try await store.fetchOne("a")
        #expect(fetched == saved)
        #expect(try fetched["one"]?.assetValue?.data() == Data("same".utf8))
        #expect(
            try fetched["list"]?.listValue?.map { try $0.assetValue?.data() } == [
                Data("other".utf8), Data("same".utf8),
            ]
        )
        #expect(try keptContents(path).count == 2)
        #expect(try PlainSQL.run("SELECT size FROM _assets ORDER BY size", path) == [["4"], ["5"]])
    }

    @Test("A fetched asset is saved again without its file being copied")
    func savedAgain() async throws {
        let folder = try TestFolder()
        let path = folder.path("again.sqlite")
        let store = try SQLiteStore(path: path)
        let file = try ScratchFile("content")
        try await store.saveOne(item("a", ["f": .asset(CloudAsset(fileURL: file.url))]))
        let fetched = try await store.fetchOne("a")
        let kept = try #require(fetched["f"]?.assetValue).fileURL
        // A copy would bring the content back under its own name.
        try Data("marked".utf8).write(to: kept)
        let again = try await store.saveOne(fetched)
        #expect(again["f"] == fetched["f"])
        #expect(try Data(contentsOf: kept) == Data("marked".utf8))
        #expect(try keptContents(path).count == 1)
    }

    @Test("An asset whose kept file is gone is refused, in its own record and in a new one")
    func keptFileGone() async throws {
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("gone.sqlite"))
        let file = try ScratchFile("content")
        try await store.saveOne(item("a", ["f": .asset(CloudAsset(fileURL: file.url))]))
        let fetched = try await store.fetchOne("a")
        try FileManager.default.removeItem(at: try #require(fetched["f"]?.assetValue).fileURL)
        for record in [fetched, item("b", ["f": fetched["f"]])] {
            let error = try await error { try await store.saveOne(record) }
            #expect(error.code == .assetFileNotFound)
            #expect(error.recordID == record.recordID)
            #expect(error.field == "f")
        }
    }

    @Test("A pipe is refused instead of waited for", .timeLimit(.minutes(30)))
    func pipe() async throws {
        let folder = try TestFolder()
        let store = try SQLiteStore(path: folder.path("pipe.sqlite"))
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        let record = item("a", ["f": .asset(CloudAsset(fileURL: URL(filePath: path)))])
        #expect(try await error { try await store.saveOne(record) }.code == .assetNotAvailable)
    }

    @Test("A content name from outside does not lead out of the folder", arguments: ["..", "../db.sqlite", "a/b", ""])
    func foreignContentName(name: String) async throws {
        let folder = try TestFolder()
        let path = folder.path("db.sqlite")
        let store = try SQLiteStore(path: path)
        let file = try ScratchFile("content")
        try await store.saveOne(item("a", ["f": .asset(CloudAsset(fileURL: file.url))]))
        try PlainSQL.run("UPDATE \"Item\" SET \"f\" = '\(name)'", path)
        let asset = try #require(try await store.fetchOne("a")["f"]?.assetValue)
        #expect(asset.fileURL.deletingLastPathComponent().lastPathComponent == "db.sqlite-assets" || name.isEmpty)
        #expect(throws: CloudError.self) { try asset.data() }
    }

    @Test("Missing files and folders are refused by name, and the others of the batch are saved")
    func missingFile() async throws {
        let store = try SQLiteStore.inMemory()
        let file = try ScratchFile("content")
        let missing = CloudAsset(fileURL: file.folder.url.appending(path: "gone.txt"))
        let isFolder = CloudAsset(fileURL: file.folder.url)
        let isNoFile = CloudAsset(fileURL: try #require(URL(string: "https://example.com/x")))
        let result = try await store.modify(
            CloudModification(
                saving: [
                    item("a", ["f": .asset(CloudAsset(fileURL: file.url))]), item("b", ["f": .asset(missing)]),
                    item("c", ["f": .asset(isFolder)]), item("d", ["f": .list([.asset(isNoFile)])]),
                ]
            )
        )
        let errors = result.saved.map { outcome -> CloudError? in
            if case .failure(let error) = outcome { error } else { nil }
        }
        #expect(errors.map { $0?.code } == [nil, .assetFileNotFound, .assetNotAvailable, .invalidArguments])
        #expect(errors[1]?.recordID == CloudRecordID("b") && errors[1]?.field == "f")
        #expect(errors[1]?.message.contains("gone.txt") == true)
        #expect(try await store.matches(.everything) == ["a"])
        let atomic = try await store.modify(
            CloudModification(saving: [item("e"), item("f", ["f": .asset(missing)])], isAtomic: true)
        )
        guard case .failure(let error) = atomic.saved[0] else { throw CancellationError() }
        #expect(error.code == .batchRequestFailed)
        #expect(try await store.matches(.everything) == ["a"])
    }

    @Test("A file larger than a chunk, and an empty one, are kept whole")
    func sizes() async throws {
        let store = try SQLiteStore.inMemory()
        let folder = try TestFolder()
        for size in [0, 1, 262_143, 262_144, 262_145, 1_000_000] {
            let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
            let url = folder.url.appending(path: "file\(size)")
            try bytes.write(to: url)
            try await store.saveOne(item("r\(size)", ["f": .asset(CloudAsset(fileURL: url))]))
            #expect(try await store.fetchOne("r\(size)")["f"]?.assetValue?.data() == bytes)
        }
    }

    @Test("The files of a temporary store go with it, and stay while an asset is held")
    func temporaryStore() async throws {
        let file = try ScratchFile("content")
        var kept: URL?
        var held: CloudAsset?
        do {
            let store = try SQLiteStore.inMemory()
            let saved = try await store.saveOne(item("a", ["f": .asset(CloudAsset(fileURL: file.url))]))
            kept = saved["f"]?.assetValue?.fileURL
            #expect(FileManager.default.fileExists(atPath: try #require(kept).path))
            await store.close()
            held = saved["f"]?.assetValue
        }
        #expect(try held?.data() == Data("content".utf8))
        held = nil
        #expect(!FileManager.default.fileExists(atPath: try #require(kept).path))
        #expect(FileManager.default.fileExists(atPath: file.url.path))
    }
}
