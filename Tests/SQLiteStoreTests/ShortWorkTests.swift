import CSQLite
import CloudKitDaoTestSupport
import CloudRecords
import Dispatch
import Foundation
import SQLStore
import Synchronization
import Testing

@testable import SQLiteStore

/// Work on few records runs where it is asked for, as long as nothing has to be waited for.
@Suite("Short work", .timeLimit(.minutes(30)))
struct ShortWork {
    private static func currentThread() -> ObjectIdentifier { ObjectIdentifier(Thread.current) }

    @concurrent
    private static func threads(_ store: SQLiteStore) async throws -> [ObjectIdentifier] {
        let asking = currentThread()
        let reading = try await store.driver.readAtOnce { _ in currentThread() }
        let writing = try await store.driver.writeAtOnce { _ in currentThread() }
        return [asking, reading, writing]
    }

    @Test("A free connection is used at once on the thread that asks")
    func atOnce() async throws {
        let store = try SQLiteStore.inMemory()
        // The first read opens a connection, on a thread of its own.
        try await store.saveOne(item("a"))
        _ = try await store.fetchOne("a")
        #expect(Set(try await Self.threads(store)).count == 1)
    }

    @Test("A connection in use is waited for")
    func inUse() async throws {
        let store = try SQLiteStore.inMemory()
        let (held, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        async let write: Void = store.driver.write { _ in
            held.continuation.finish()
            release.wait()
        }
        for await _ in held.stream {}
        async let saved = store.saveOne(item("a"))
        let waiting = Task { try await error { try await store.saveOne(item("b")) } }
        waiting.cancel()
        #expect(try await waiting.value.code == .operationCancelled)
        release.signal()
        try await write
        #expect(try await saved.recordID == CloudRecordID("a"))
        #expect(try await store.names(CloudQuery(recordType: "Item")) == ["a"])
    }

    @MainActor
    @Test("From the main actor no SQL runs on the main actor")
    func fromMainActor() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        _ = try await store.fetchOne("a")
        try await store.driver.read { StatementTrace.start($0) }
        try await store.driver.write { StatementTrace.start($0) }
        try #require(StatementTrace.isOnMainActor)
        for number in 0..<10 {
            try await store.saveOne(item("b\(number)"))
            _ = try await store.fetchOne("b\(number)")
        }
        let (count, countOnMainActor) = StatementTrace.counts
        #expect(count >= 10 * 8)
        #expect(countOnMainActor == 0)
        #expect(StatementTrace.isOnMainActor)
    }

    @Test("Saves that wait for another process's lock leave the threads of the concurrency pool free")
    func locked() async throws {
        let folder = try TestFolder()
        let path = folder.path("locked.sqlite")
        let holder = try SQLiteStore(path: path)
        try await holder.saveOne(item("a"))
        // More stores, each with a writer of its own, than the pool has threads. They wait as long as it takes.
        let stores = try (0..<ProcessInfo.processInfo.activeProcessorCount + 2).map { _ in
            try SQLiteStore(
                path: path,
                userRecordID: CloudRecordID(CloudZoneID.currentOwnerName),
                options: SQLiteOptions(busyTimeout: 1_800_000),
                temporaryFolder: nil
            )
        }
        let (held, release) = (AsyncStream.makeStream(of: Void.self), DispatchSemaphore(value: 0))
        async let hold: Void = holder.driver.write { _ in
            held.continuation.finish()
            release.wait()
        }
        for await _ in held.stream {}
        try await withThrowingTaskGroup(of: Void.self) { group in
            let begun = AsyncStream.makeStream(of: Void.self)
            for (number, store) in stores.enumerated() {
                group.addTask {
                    begun.continuation.yield()
                    try await store.saveOne(item("s\(number)"))
                }
            }
            var beginnings = begun.stream.makeAsyncIterator()
            for _ in stores { await beginnings.next() }
            // Tasks that ask for nothing go on, those too that read.
            #expect(await Task { true }.value)
            for store in stores { _ = try await store.fetchOne("a") }
            release.signal()
            try await group.waitForAll()
        }
        try await hold
        #expect(try await holder.names(CloudQuery(recordType: "Item")).count == 1 + stores.count)
    }

    @Test("Work that ends in an error leaves the connection as it was")
    func failing() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        for _ in 0..<3 {
            let failure = try await error {
                try await store.driver.writeAtOnce { connection in
                    try connection.execute("DELETE FROM \"Item\"")
                    throw CloudError(.internalError, "no")
                }
            }
            #expect(failure.code == .internalError)
        }
        #expect(try await store.fetchOne("a").recordID == CloudRecordID("a"))
        try await store.saveOne(item("b"))
    }

    @Test("A task that is cancelled during short work gets nothing written")
    func cancelled() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a"))
        let task = Task {
            try await error {
                try await store.driver.writeAtOnce { connection in
                    try connection.execute("DELETE FROM \"Item\"")
                    withUnsafeCurrentTask { $0?.cancel() }
                }
            }
        }
        #expect(try await task.value.code == .operationCancelled)
        #expect(try await store.names(CloudQuery(recordType: "Item")) == ["a"])
    }
}

/// Counts the statements of connections, and those that run on the main actor.
private enum StatementTrace {
    private static let state = Mutex((count: 0, countOnMainActor: 0))

    /// A mark on the main actor's queue. On Linux blocks of that queue may run on any thread.
    private static let mark = DispatchSpecificKey<Bool>()
    private static let setMark: Void = DispatchQueue.main.setSpecific(key: mark, value: true)

    static var isOnMainActor: Bool {
        _ = setMark
        return DispatchQueue.getSpecific(key: mark) == true
    }

    static var counts: (Int, Int) { state.withLock { $0 } }

    static func start(_ connection: any SQLConnection) {
        guard let connection = connection as? SQLiteConnection else { return }
        sqlite3_trace_v2(
            connection.handle,
            UInt32(SQLITE_TRACE_STMT),
            { _, _, _, _ in
                StatementTrace.state.withLock { state in
                    state.count += 1
                    if StatementTrace.isOnMainActor { state.countOnMainActor += 1 }
                }
                return 0
            },
            nil
        )
    }
}
