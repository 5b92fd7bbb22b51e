import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Synchronization
import Testing

@Suite("AssetKeeping")
struct AssetKeeping {
    let folder: TestFolder
    let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.path("db.sqlite")
    }

    /// An asset of a new file with this text.
    private func asset(_ text: String) throws -> CloudValue {
        let url = folder.url.appending(path: UUID().uuidString)
        try Data(text.utf8).write(to: url)
        return .asset(CloudAsset(fileURL: url))
    }

    private func delete(_ names: String..., in store: SQLiteStore) async throws {
        _ = try await store.modify(CloudModification(deleting: names.map { CloudRecordID($0) }))
    }

    // MARK: Uses

    @Test("Replacing, clearing and deleting release content, each at once")
    func released() async throws {
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["f": try asset("one")]))
        try await store.saveOne(item("b", ["f": try asset("two")]))
        try await store.saveOne(item("c", ["g": .list([try asset("three"), try asset("four")])]))
        #expect(try keptContents(path).count == 4)
        let replaced = item("a", ["f": try asset("five")])
        try await store.saveOne(replaced, .allKeys)
        try await store.saveOne(item("b", ["f": nil]), .allKeys)
        try await delete("c", in: store)
        try await store.collectAssets()
        #expect(try keptContents(path).count == 1)
        #expect(try await store.fetchOne("a")["f"]?.assetValue?.data() == Data("five".utf8))
        #expect(try PlainSQL.run("SELECT count(*) FROM _assets", path) == [["1"]])
        #expect(try PlainSQL.run("SELECT count(*) FROM _garbage", path) == [["0"]])
    }

    @Test("Content stays as long as one field of one record uses it")
    func shared() async throws {
        let store = try SQLiteStore(path: path)
        let fields: [String: CloudValue?] = ["front": try asset("same"), "back": try asset("same")]
        try await store.saveOne(item("a", fields))
        try await store.saveOne(item("b", ["back": try asset("same")]))
        try await store.saveOne(item("a", ["front": nil]), .allKeys)
        try await delete("b", in: store)
        try await store.collectAssets()
        #expect(try keptContents(path).count == 1)
        #expect(try await store.fetchOne("a")["back"]?.assetValue?.data() == Data("same".utf8))
        try await store.saveOne(item("a", ["back": nil]), .allKeys)
        try await store.collectAssets()
        #expect(try keptContents(path).isEmpty)
    }

    @Test("Deleting a zone, and what is deleted with another record, release content too")
    func releasedByOthers() async throws {
        let store = try SQLiteStore(path: path)
        let zone = CloudZoneID("pictures")
        try await store.saveZone(zone)
        var inZone = CloudRecord(recordType: "Item", recordID: CloudRecordID("z", zone: zone))
        inZone["f"] = try asset("zone")
        try await store.saveOne(inZone)
        try await store.saveOne(item("parent"))
        let parent = CloudReference(recordID: CloudRecordID("parent"), action: .deleteSelf)
        try await store.saveOne(item("child", ["f": try asset("child"), "to": .reference(parent)]))
        #expect(try keptContents(path).count == 2)
        try await store.deleteZone(zone)
        try await delete("parent", in: store)
        try await store.collectAssets()
        #expect(try keptContents(path).isEmpty)
    }

    @Test("A save that is refused leaves no content behind")
    func refused() async throws {
        let store = try SQLiteStore(path: path)
        let first = try await store.saveOne(item("a", ["n": .int64(1)]))
        try await store.saveOne(item("a", ["n": .int64(2)]), .allKeys)
        for isAtomic in [false, true] {
            var stale = item("a", ["f": try asset("stale")])
            stale.setTag(of: first)
            let result = try await store.modify(CloudModification(saving: [stale], isAtomic: isAtomic))
            #expect(throws: CloudError.self) { try result.saved[0].get() }
        }
        try await store.collectAssets()
        #expect(try keptContents(path).isEmpty)
        // A batch that fails as a whole: a field of another type.
        let wrong = try await store.modify(
            CloudModification(saving: [item("b", ["f": try asset("b")]), item("c", ["n": try asset("c")])])
        )
        #expect(throws: CloudError.self) { try wrong.saved[1].get() }
        try await store.collectAssets()
        #expect(try keptContents(path).count == 1)
    }

    // MARK: Holding

    @Test("A fetched asset stays readable while it is held, though its record is gone")
    func held() async throws {
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["f": try asset("kept")]))
        var record: CloudRecord? = try await store.fetchOne("a")
        let url = try #require(record?["f"]?.assetValue).fileURL
        try await delete("a", in: store)
        try await store.collectAssets()
        #expect(try record?["f"]?.assetValue?.data() == Data("kept".utf8))
        record = nil
        try await store.collectAssets()
        #expect(!FileManager.default.fileExists(atPath: url.path))
    }

    @Test("A held asset can be saved again in another record after its own is gone")
    func savedAgain() async throws {
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["f": try asset("kept")]))
        let held = try await store.fetchOne("a")["f"]
        try await delete("a", in: store)
        try await store.saveOne(item("b", ["f": held]))
        try await store.collectAssets()
        #expect(try await store.fetchOne("b")["f"]?.assetValue?.data() == Data("kept".utf8))
    }

    @Test("Another store of the same file spares what this one holds")
    func heldElsewhere() async throws {
        let (reader, writer) = (try SQLiteStore(path: path), try SQLiteStore(path: path))
        try await writer.saveOne(item("a", ["f": try asset("kept")]))
        var record: CloudRecord? = try await reader.fetchOne("a")
        try await delete("a", in: writer)
        for _ in 1...3 {
            try await writer.collectAssets()
            try await reader.collectAssets()
        }
        #expect(try record?["f"]?.assetValue?.data() == Data("kept".utf8))
        record = nil
        try await reader.collectAssets()
        try await writer.collectAssets()
        #expect(try keptContents(path).isEmpty)
    }

    @Test("Content that others delete and save at the same time is never missing and never left over")
    func stress() async throws {
        let stores = try (0..<3).map { _ in try SQLiteStore(path: path) }
        let assets = try (0..<4).map { try asset("content \($0)") }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, store) in stores.enumerated() {
                group.addTask {
                    for round in 0..<60 {
                        let name = "r\(number)"
                        let record = item(name, ["f": assets[(round + number) % 4]])
                        try await store.saveOne(record, .allKeys)
                        let fetched = try await store.fetchOne(name)
                        #expect(try fetched["f"]?.assetValue?.data().isEmpty == false)
                        if round % 3 == 2 {
                            _ = try await store.modify(CloudModification(deleting: [CloudRecordID(name)]))
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        // Each store says that it has come to the end and holds nothing.
        for _ in 1...2 {
            for store in stores { try await store.collectAssets() }
        }
        #expect(try keptContents(path).isEmpty)
        #expect(try PlainSQL.run("SELECT count(*) FROM _garbage", path) == [["0"]])
    }

    @Test("A save that is cancelled while it copies or writes leaves no content behind")
    func cancelled() async throws {
        let store = try SQLiteStore(path: path)
        let large = folder.url.appending(path: "large")
        try Data(count: 1 << 20).write(to: large)
        for stopsAtRecords in [false, true] {
            let records =
                [item("a", ["f": try asset("first")]), item("b", ["f": .asset(CloudAsset(fileURL: large))])]
                + (0..<600).map { item("r\($0)") }
            let canceller = Canceller()
            let task = Task { [store, records] in
                _ = try await store.modify(
                    CloudModification(saving: records) { progress in
                        let isTime =
                            stopsAtRecords ? progress.completedRecordCount > 0 : progress.completedByteCount > 1 << 18
                        if isTime { canceller.cancel() }
                    }
                )
            }
            canceller.set(task)
            let error = try await error { try await task.value }
            #expect(error.code == .operationCancelled)
            try await store.collectAssets()
            #expect(try keptContents(path).isEmpty)
        }
    }

    @Test("A store of this process that does nothing is not waited for")
    func idleNeighbour() async throws {
        let idle = try SQLiteStore(path: path)
        try await idle.saveOne(item("i"))
        let writer = try SQLiteStore(path: path)
        try await writer.saveOne(item("a", ["f": try asset("kept")]))
        try await delete("a", in: writer)
        try await writer.collectAssets()
        #expect(try keptContents(path).isEmpty)
    }

    @Test("Content that could not be removed before the store was closed is removed when it is opened again")
    func releasedAfterClose() async throws {
        var record: CloudRecord?
        do {
            let store = try SQLiteStore(path: path)
            try await store.saveOne(item("a", ["f": try asset("kept")]))
            record = try await store.fetchOne("a")
            try await delete("a", in: store)
            await store.close()
        }
        #expect(try record?["f"]?.assetValue?.data() == Data("kept".utf8))
        record = nil
        let store = try SQLiteStore(path: path)
        try await store.collectLeftovers()
        // What the closed store had begun in the background may still be letting go of it, and it counts until then.
        for _ in 0..<10_000 where try !keptContents(path).isEmpty {
            await Task.yield()
            try await store.collectAssets()
        }
        #expect(try keptContents(path).isEmpty)
    }

    // MARK: Crashes

    @Test("What a process left that ended in the middle of a save is removed at the next start, and nothing else")
    func afterCrash() async throws {
        let assetsPath = path + "-assets/"
        let kept: String
        do {
            let store = try SQLiteStore(path: path)
            try await store.saveOne(item("a", ["f": try asset("kept")]))
            kept = try #require(try keptContents(path).first)
            await store.close()
        }
        let orphan = String(repeating: "ab", count: 32)
        let dead = UUID().uuidString
        for name in [orphan, ".client-\(dead)", ".\(dead)-1.tmp", "notes.txt"] {
            try Data("x".utf8).write(to: URL(filePath: assetsPath + name))
        }
        let store = try SQLiteStore(path: path)
        try await store.collectLeftovers()
        let left = try FileManager.default.contentsOfDirectory(atPath: assetsPath)
        #expect(try keptContents(path) == [kept, "notes.txt"])
        #expect(!left.contains { $0.hasSuffix(".tmp") || $0.contains(dead) })
        #expect(try await store.fetchOne("a")["f"]?.assetValue?.data() == Data("kept".utf8))
    }

    // MARK: Copying

    @Test("A file that is changed while it is copied is refused")
    func changedMeanwhile() async throws {
        let store = try SQLiteStore(path: path)
        let url = folder.url.appending(path: "growing")
        try Data(count: 1 << 20).write(to: url)
        let modification = CloudModification(
            saving: [item("a", ["f": .asset(CloudAsset(fileURL: url))])],
            progressHandler: { progress in
                // The first chunk was read.
                if progress.completedByteCount == 1 << 18 { try? Data(count: 1 << 19).write(to: url, options: []) }
            }
        )
        let result = try await store.modify(modification)
        let error = try await error { _ = try result.saved[0].get() }
        #expect(error.code == .assetFileModified)
        #expect(error.field == "f")
        #expect(try keptContents(path).isEmpty)
    }

    @Test("Progress counts the bytes of assets and then the records, up to the whole")
    func progress() async throws {
        let store = try SQLiteStore(path: path)
        let url = folder.url.appending(path: "large")
        try Data(count: 1_000_000).write(to: url)
        let reports = Mutex<[CloudProgress]>([])
        let records = (0..<600).map { item("r\($0)", $0 == 7 ? ["f": .asset(CloudAsset(fileURL: url))] : [:]) }
        _ = try await store.modify(
            CloudModification(saving: records) { progress in reports.withLock { $0.append(progress) } }
        )
        let all = reports.withLock { $0 }
        #expect(all.map(\.completedByteCount) == all.map(\.completedByteCount).sorted())
        #expect(all.map(\.completedRecordCount) == all.map(\.completedRecordCount).sorted())
        #expect(all.map(\.completedByteCount).contains { $0 > 0 && $0 < 1_000_000 })
        #expect(all.map(\.completedRecordCount).contains { $0 > 0 && $0 < 600 })
        #expect(all.last?.completedRecordCount == 600 && all.last?.completedByteCount == 1_000_000)
        #expect(all.last?.fractionCompleted == 1)
    }
}

/// Cancels a task from within, be it known yet or not.
private final class Canceller: Sendable {
    private let state = Mutex<(isWanted: Bool, task: Task<Void, any Error>?)>((false, nil))

    func set(_ task: Task<Void, any Error>) {
        state.withLock { state in
            state.task = task
            if state.isWanted { task.cancel() }
        }
    }

    func cancel() {
        state.withLock { state in
            state.isWanted = true
            state.task?.cancel()
        }
    }
}
