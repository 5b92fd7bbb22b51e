import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// Live data without a network.
@MainActor
@Suite(.timeLimit(.minutes(30))) struct Offline {
    private let folder: TestFolder
    private let database: SharedDatabase
    private let store: ClientStore
    private let other: CloudDao
    private let clock = ManualClock()

    init() throws {
        folder = try TestFolder()
        database = try SharedDatabase()
        store = database.client()
        other = CloudDao(store: database.client())
    }

    private func data() -> CloudData {
        CloudData(CloudDao(store: store), cacheDirectory: folder.url, clock: clock)
    }

    private static let noNetwork = CloudError(.networkUnavailable, "There is no network.")

    /// An earlier run, which leaves a cache.
    private func runBefore() async throws {
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        await screen.waitForFinal()
        try data.backupAllData()
        data.disconnectAll()
    }

    @Test func `a start without a network shows the cache, tells the error once and catches up`() async throws {
        try await other.save(Message.numbered(1...5))
        try await runBefore()
        store.fail(with: Self.noNetwork)
        try await other.save(Message("m0", likes: 9))
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        #expect(screen.events == ["fromCache 3"] && data.shown() == ["m003 3", "m004 4", "m005 5"])
        await screen.wait(for: "error networkUnavailable")
        // Each attempt waits longer than the one before.
        #expect(await clock.wakeNext() == .seconds(2))
        #expect(await clock.wakeNext() == .seconds(4))
        #expect(await clock.wakeNext() == .seconds(8))
        await clock.sleeper()
        #expect(screen.events == ["fromCache 3", "error networkUnavailable"])
        store.fail(with: nil)
        _ = await clock.wakeNext()
        await screen.waitForFinal()
        #expect(screen.events == ["fromCache 3", "error networkUnavailable", "finalResult 4"])
        #expect(data.shown() == ["m003 3", "m004 4", "m005 5", "m0 9"])
        // And is live.
        try await other.delete([CloudRecordID("m004")])
        await screen.wait(for: "-m004 at 1")
    }

    @Test func `a start without a network and without a cache tells so`() async throws {
        store.fail(with: Self.noNetwork)
        let screen = Screen()
        let data = data()
        defer { data.disconnectAll() }
        screen.connect(to: data)
        await screen.wait(for: "error networkUnavailable")
        #expect(screen.events == ["retrieving 0", "error networkUnavailable"])
        store.fail(with: nil)
        _ = await clock.wakeNext()
        await screen.waitForFinal()
        #expect(screen.events.last == "finalResult 0")
    }

    @Test func `what happened while the network was gone is told step by step`() async throws {
        try await other.save(Message.numbered(1...6))
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        await screen.waitForFinal()
        store.fail(with: Self.noNetwork)
        store.endStreams(with: CloudError(.networkFailure, "The connection broke."))
        await screen.wait(for: "error networkFailure")
        try await other.delete([CloudRecordID("m004")])
        try await other.save(Message("m0", likes: 8))
        store.fail(with: nil)
        _ = await clock.wakeNext()
        await screen.wait { data.shown() == ["m003 3", "m005 5", "m006 6", "m0 8"] }
        #expect(
            Set(screen.events) == ["retrieving 0", "finalResult 4", "error networkFailure", "-m004 at 1", "+m0"]
        )
        #expect(screen.events.count == 5)
    }

    @Test func `the delay that the store asks for is kept`() async throws {
        store.fail(with: CloudError(.requestRateLimited, "Slow down.", retryAfter: 7))
        let screen = Screen()
        let data = data()
        defer { data.disconnectAll() }
        screen.connect(to: data)
        await screen.wait(for: "error requestRateLimited")
        #expect(await clock.wakeNext() == .seconds(7))
    }

    @Test func `an error that does not pass is told, and is not tried again`() async throws {
        store.fail(with: CloudError(.badContainer, "No such container."))
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        await screen.wait(for: "error badContainer")
        #expect(clock.sleeperCount == 0)
        // But when it is asked for.
        store.fail(with: nil)
        await withCheckedContinuation { continuation in
            data.fetchChangeNotifications { continuation.resume() }
        }
        #expect(screen.events == ["retrieving 0", "error badContainer", "finalResult 0"])
    }

    @Test func `a save without a network is taken back, and is not in the cache`() async throws {
        try await other.save(Message("m1", likes: 4))
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        await screen.waitForFinal()
        store.failModifications(with: Self.noNetwork)
        let error = await withCheckedContinuation { continuation in
            data.saveItem(
                Message("m2", likes: 5),
                completionHandler: { _ in },
                errorHandler: { continuation.resume(returning: $0) }
            )
            #expect(data.shown() == ["m1 4", "m2 5"])
            #expect(throws: Never.self) { try data.backupAllData() }
        }
        #expect(error.code == .networkUnavailable && data.shown() == ["m1 4"])
        #expect(Array(screen.events.suffix(2)) == ["+m2", "-m2 at 1"])
        data.disconnectAll()
        store.fail(with: Self.noNetwork)
        let later = Screen()
        let laterData = self.data()
        later.connect(to: laterData)
        #expect(laterData.shown() == ["m1 4"])
    }

    @Test func `a connection that ends stops trying`() async throws {
        store.fail(with: Self.noNetwork)
        let screen = Screen()
        let data = data()
        screen.connect(to: data)
        await screen.wait(for: "error networkUnavailable")
        await clock.sleeper()
        data.disconnect("mine")
        while clock.sleeperCount > 0, !Task.isCancelled { await Task.yield() }
        #expect(data.data["mine"] == nil)
    }
}
