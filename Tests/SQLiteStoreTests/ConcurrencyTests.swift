import CloudKitDaoTestSupport
import CloudRecords
import Dispatch
import Foundation
import SQLStore
import Testing

@testable import SQLiteStore

@Suite("Concurrency", .timeLimit(.minutes(30)))
struct Concurrency {
    /// Adds one to a counter by conflict and retry.
    private static func increment(_ store: SQLiteStore) async throws {
        var record = try await store.fetchOne("counter")
        while true {
            record["n"] = .int64((record["n"]?.int64Value ?? 0) + 1)
            do {
                try await store.saveOne(record)
                return
            } catch let error as CloudError where error.code == .serverRecordChanged {
                record = try #require(error.serverRecord)
            }
        }
    }

    @Test("Reading goes on while another connection writes")
    func readingWhileWriting() async throws {
        let folder = try TestFolder()
        let path = folder.path("wal.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["n": .int64(1)]))
        #expect(try PlainSQL.run("PRAGMA journal_mode", path) == [["wal"]])
        // The body of a write transaction waits for a read to come back, which it could not if writers kept readers out.
        let reads = AsyncStream.makeStream(of: Int64?.self)
        async let write: Void = store.driver.write { connection in
            try connection.execute("UPDATE \"Item\" SET \"n\" = 2")
            let done = DispatchSemaphore(value: 0)
            Task {
                reads.continuation.yield(try? await store.fetchOne("a")["n"]?.int64Value)
                done.signal()
            }
            done.wait()
        }
        var seen = reads.stream.makeAsyncIterator()
        #expect(await seen.next() == 1)
        try await write
        #expect(try await store.fetchOne("a")["n"] == .int64(2))
    }

    @Test("Many tasks that count on two stores of one file end at the exact sum")
    func counting() async throws {
        let folder = try TestFolder()
        let path = folder.path("counter.sqlite")
        let stores = [try SQLiteStore(path: path), try SQLiteStore(path: path)]
        try await stores[0].saveOne(item("counter", ["n": .int64(0)]))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<8 {
                group.addTask {
                    for turn in 0..<25 {
                        try await Self.increment(stores[task % 2])
                        try await stores[task % 2].saveOne(item("t\(task)-\(turn)", ["task\(task)": .int64(1)]))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores[0].fetchOne("counter")["n"] == .int64(200))
        #expect(try await stores[1].names(CloudQuery(recordType: "Item"), pageSize: 33).count == 201)
        #expect(try PlainSQL.run("PRAGMA integrity_check", path) == [["ok"]])
        let tags = try await stores[0].records(CloudQuery(recordType: "Item")).compactMap(\.recordChangeTag)
        #expect(Set(tags).count == 201)
    }

    @Test("Stores that open one new file at the same time all can")
    func opening() async throws {
        let folder = try TestFolder()
        let path = folder.path("opened.sqlite")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<6 {
                group.addTask {
                    let store = try SQLiteStore(path: path)
                    try await store.saveOne(item("n\(number)", ["n": .int64(1)]))
                }
            }
            try await group.waitForAll()
        }
        #expect(try await SQLiteStore(path: path).names(CloudQuery(recordType: "Item")).count == 6)
    }

    @Test("A save whose task was cancelled before it began writes nothing")
    func cancelledBefore() async throws {
        let store = try SQLiteStore.inMemory()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await error { try await store.saveOne(item("a")) }
        }
        #expect(try await task.value.code == .operationCancelled)
        #expect(try await store.names(CloudQuery(recordType: "Item")) == [])
    }

    @Test("A long read is interrupted, and hits nobody else")
    func interruptedRead() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        let (stream, started) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await error {
                try await store.driver.read { connection in
                    started.finish()
                    // Without an end: only an interruption ends it.
                    try connection.run(
                        "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT sum(i) FROM n"
                    )
                }
            }
        }
        for await _ in stream {}
        task.cancel()
        #expect(try await task.value.code == .operationCancelled)
        for _ in 0..<20 { #expect(try await store.fetchOne("a").recordID == CloudRecordID("a")) }
    }

    @Test("A write that is cancelled midway is rolled back")
    func cancelledMidway() async throws {
        let store = try SQLiteStore.inMemory()
        let (stream, started) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await error {
                try await store.driver.write { connection in
                    try connection.execute("UPDATE _meta SET next_sequence = 1000")
                    started.finish()
                    while true { try connection.checkCancellation() }
                }
            }
        }
        for await _ in stream {}
        task.cancel()
        #expect(try await task.value.code == .operationCancelled)
        let saved = try await store.saveOne(item("a"))
        #expect(saved.recordChangeTag != ChangeTag.text(1000))
    }

    @Test("A write that waits behind another one can be cancelled while it waits")
    func cancelledWaiting() async throws {
        let store = try SQLiteStore.inMemory()
        let (stream, started) = AsyncStream.makeStream(of: Void.self)
        let blocker = Task {
            try await error {
                try await store.driver.write { connection in
                    started.finish()
                    while true { try connection.checkCancellation() }
                }
            }
        }
        for await _ in stream {}
        let waiting = Task { try await error { try await store.saveOne(item("a")) } }
        waiting.cancel()
        #expect(try await waiting.value.code == .operationCancelled)
        blocker.cancel()
        _ = try await blocker.value
        #expect(try await store.names(CloudQuery(recordType: "Item")) == [])
    }

    @Test("A database that stays busy is reported with a time to try again")
    func busy() async throws {
        let folder = try TestFolder()
        let path = folder.path("busy.sqlite")
        let options = SQLiteOptions(busyTimeout: 1)
        let user = CloudRecordID("u")
        let store = try SQLiteStore(path: path, userRecordID: user, options: options, temporaryFolder: nil)
        let other = try SQLiteStore(path: path, userRecordID: user, options: options, temporaryFolder: nil)
        try await store.driver.write { _ in
            // Inside the first store's transaction, on another connection.
            let connection = try SQLiteConnection(path: path, role: .writer, options: options)
            do {
                try connection.transaction(.write) {}
                Issue.record("two writers at once")
            } catch let error as CloudError {
                #expect(error.code == .serviceUnavailable)
                #expect(error.retryAfter != nil)
            }
        }
        try await other.saveOne(item("a"))
    }

    @Test("A full database is reported as such, and nothing is lost")
    func full() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["t": .string("x")]))
        _ = try await store.driver.write { try $0.run("PRAGMA max_page_count = 40") }
        let big = (0..<200).map { item("b\($0)", ["t": .string(String(repeating: "x", count: 10_000))]) }
        let refused = try await error { _ = try await store.modify(CloudModification(saving: big)) }
        #expect(refused.code == .quotaExceeded)
        #expect(try await store.names(CloudQuery(recordType: "Item")) == ["a"])
        _ = try await store.driver.write { try $0.run("PRAGMA max_page_count = 100000") }
        try await store.saveOne(item("c", ["t": .string("x")]))
    }

    @Test("One task's reads share a connection, so that its cache is warm")
    func oneReader() async throws {
        let store = try SQLiteStore.inMemory()
        var readers: Set<ObjectIdentifier> = []
        for _ in 0..<50 {
            readers.insert(try await store.driver.read { ObjectIdentifier($0) })
        }
        #expect(readers.count == 1)
    }

    @Test("Closing waits for what is running and refuses what comes later")
    func closing() async throws {
        let folder = try TestFolder()
        let path = folder.path("closing.sqlite")
        let store = try SQLiteStore(path: path)
        let outcomes = await withTaskGroup(of: CloudError.Code?.self) { group in
            for number in 0..<20 {
                group.addTask {
                    do {
                        try await store.saveOne(item("n\(number)"))
                        return nil
                    } catch {
                        return (error as? CloudError)?.code ?? .internalError
                    }
                }
            }
            await store.close()
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.allSatisfy { $0 == nil || $0 == .badDatabase })
        // The last connection takes the log with it.
        #expect(!FileManager.default.fileExists(atPath: path + "-wal"))
        let saved = try await SQLiteStore(path: path).names(CloudQuery(recordType: "Item"))
        #expect(saved.count == outcomes.filter { $0 == nil }.count)
        await store.close()
    }
}
