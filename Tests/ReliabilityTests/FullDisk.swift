import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import StoreExerciser
import Testing

extension Reliability {
    /// Space that comes to an end, and is there again.
    @Suite("FullDisk")
    struct FullDisk {
        private let folder: TestFolder

        init() throws {
            folder = try TestFolder()
        }

        private static func record(_ number: Int) -> CloudRecord {
            var record = CloudRecord(recordType: "Filler", recordID: CloudRecordID("filler-\(number)"))
            record["text"] = .string(String(repeating: "\(number % 10)", count: 20_000))
            return record
        }

        /// Saves records until one is refused because there is no space.
        ///
        /// - Returns: How many were saved, from this number on.
        private static func fill(_ store: SQLiteStore, from start: Int) async throws -> Int {
            for number in start..<start + 10_000 {
                do {
                    guard try await store.saveUnchanged([record(number)]) != nil else { throw Unexpected("a conflict") }
                } catch let error as CloudError where error.code == .quotaExceeded {
                    return number - start
                }
            }
            throw Unexpected("the disk is never full")
        }

        private static func expect(_ count: Int, in store: SQLiteStore) async throws {
            for number in 0..<count {
                let stored = try await store.record("filler-\(number)")
                #expect(stored?["text"] == record(number)["text"])
            }
            #expect(try await store.record("filler-\(count)") == nil)
        }

        @Test("A database that may not grow refuses what does not fit, loses nothing, and goes on after deletions")
        func largestSize() async throws {
            let path = folder.path("full.sqlite")
            func open(_ pages: Int32?) throws -> SQLiteStore {
                try SQLiteStore(
                    path: path,
                    userRecordID: CloudRecordID("user"),
                    options: SQLiteOptions(largestPageCount: pages),
                    temporaryFolder: nil
                )
            }
            let store = try open(150)
            let count = try await Self.fill(store, from: 0)
            #expect(count > 5)
            try await Self.expect(count, in: store)
            let big = CloudModification(saving: (count..<count + 20).map(Self.record), isAtomic: true)
            await #expect(throws: CloudError.self) { _ = try await store.modify(big) }
            try await Self.expect(count, in: store)
            // What is deleted makes room.
            _ = try await store.modify(
                CloudModification(deleting: [CloudRecordID("filler-0"), CloudRecordID("filler-1")])
            )
            #expect(try await store.saveUnchanged([Self.record(0), Self.record(1)]) != nil)
            try await Self.expect(count, in: store)
            await store.close()
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
            // The limit is the connection's, not the file's.
            #expect(try await open(nil).saveUnchanged([Self.record(count)]) != nil)
        }

        @Test("An asset that can't be copied for lack of space is refused by record and field, and leaves nothing")
        func assetTooLarge() async throws {
            let path = folder.path("limited.sqlite")
            let process = try ExerciserProcess("limited-files", path, folder.url.path)
            #expect(try await process.finish("refused") == ["quotaExceeded file"])
            let store = try SQLiteStore(path: path)
            for name in ["before", "after"] {
                #expect(try await store.record(name)?["file"]?.assetValue?.data() == Data(count: 1_000))
            }
            #expect(try await store.record("large") == nil)
            let files = try FileManager.default.contentsOfDirectory(atPath: path + "-assets")
            #expect(files.filter { !$0.hasPrefix(".client-") }.count == 1)
        }

        #if os(Linux)
        @Test(
            "On a disk that is full nothing is lost, and when there is space again all goes on",
            .enabled(if: SmallDisk.isPossible)
        )
        func disk() async throws {
            let disk = try #require(SmallDisk(in: folder, megabytes: 6))
            let ballast = disk.url.appending(path: "ballast")
            try Data(count: 2 << 20).write(to: ballast)
            let path = disk.url.appending(path: "full.sqlite").path
            let store = try SQLiteStore(path: path)
            let source = folder.url.appending(path: "source")
            try Data(repeating: 1, count: 300_000).write(to: source)
            var withAsset = CloudRecord(recordType: "Filler", recordID: CloudRecordID("with-asset"))
            withAsset["file"] = .asset(CloudAsset(fileURL: source))
            #expect(try await store.saveUnchanged([withAsset]) != nil)
            let count = try await Self.fill(store, from: 0)
            #expect(count > 5)
            try await Self.expect(count, in: store)
            try Data(repeating: 2, count: 300_000).write(to: source)
            var another = CloudRecord(recordType: "Filler", recordID: CloudRecordID("another"))
            another["file"] = .asset(CloudAsset(fileURL: source))
            let outcome = try await store.modify(CloudModification(saving: [another])).saved[0]
            #expect(throws: CloudError.self) { try outcome.get() }
            if case .failure(let error) = outcome { #expect(error.code == .quotaExceeded && error.field == "file") }
            // Others can still open and read it.
            let other = try SQLiteStore(path: path)
            try await Self.expect(count, in: other)
            try FileManager.default.removeItem(at: ballast)
            #expect(try await store.saveUnchanged([another]) != nil)
            #expect(try await other.saveUnchanged([Self.record(count)]) != nil)
            try await Self.expect(count + 1, in: store)
            for (name, byte) in [("with-asset", 1), ("another", 2)] {
                let data = try await store.record(name)?["file"]?.assetValue?.data()
                #expect(data == Data(repeating: UInt8(byte), count: 300_000))
            }
            await store.close()
            await other.close()
            #expect(try PlainSQL.run("PRAGMA integrity_check", path) == ["ok"])
        }
        #endif
    }
}

#if os(Linux)
/// A disk of its own in memory, which only the superuser can make.
private final class SmallDisk: Sendable {
    let url: URL

    static var isPossible: Bool {
        guard geteuid() == 0, let folder = try? TestFolder() else { return false }
        return SmallDisk(in: folder, megabytes: 1) != nil
    }

    /// Makes the disk; nil if the system does not let it.
    init?(in folder: TestFolder, megabytes: Int) {
        url = folder.url.appending(path: "disk")
        guard
            (try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)) != nil,
            mount("tmpfs", url.path, "tmpfs", 0, "size=\(megabytes)m") == 0
        else { return nil }
    }

    deinit {
        // Files that are still open keep it until they are closed.
        _ = umount2(url.path, Int32(MNT_DETACH))
    }
}
#endif
