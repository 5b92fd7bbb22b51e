import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Observation
import Synchronization
import Testing

@MainActor
@Suite(.timeLimit(.minutes(30))) struct LiveQueries {
    private let database: SharedDatabase
    private let store: ClientStore
    private let dao: CloudDao
    /// What somebody else uses.
    private let other: CloudDao

    init() throws {
        database = try SharedDatabase()
        store = database.client()
        dao = CloudDao(store: store)
        other = CloudDao(store: database.client())
    }

    private func popular(limit: Int? = nil) throws -> LiveQuery<Message> {
        try LiveQuery(dao, where: \Message.likes >= 3, orderBy: .ascending(\.likes), limit: limit)
    }

    @Test func `it shows what there is, in order`() async throws {
        try await other.save(Message.numbered(1...5))
        let watcher = try await Watcher.start(try popular())
        #expect(watcher.shown == ["m003 3", "m004 4", "m005 5"])
        #expect(
            watcher.live.index(of: CloudRecordID("m004")) == 1 && watcher.live.index(of: CloudRecordID("m1")) == nil
        )
    }

    @Test func `what others do is told, each step with its positions`() async throws {
        try await other.save(Message.numbered(1...5))
        let watcher = try await Watcher.start(try popular())
        let first = try #require(try await other.fetch(Message.self, "m003"))
        let object = try #require(watcher.live.items.first)
        first.text = "new"
        try await other.save(first)
        await watcher.wait(for: 1)
        first.likes = 9
        try await other.save(first)
        await watcher.wait(for: 2)
        try await other.save(Message("m000", likes: 4))
        await watcher.wait(for: 3)
        first.likes = 1
        try await other.save(first)
        await watcher.wait(for: 4)
        try await other.delete([CloudRecordID("m005")])
        await watcher.wait(for: 5)
        #expect(watcher.steps == ["=m003 at 0", "~m003 0 to 2", "+m000 at 0", "-m003 at 3", "-m005 at 2"])
        #expect(watcher.shown == ["m000 4", "m004 4"])
        // The object is the one of the beginning, with what it had last while it was shown.
        #expect(object.text == "new" && object.likes == 9)
    }

    @Test func `an object stays the same one, and a field that is cleared is nil`() async throws {
        let message = Message("m1", text: "text", likes: 5)
        message.place = CloudLocation(latitude: 1, longitude: 2)
        message.tags = ["one"]
        try await other.save(message)
        let watcher = try await Watcher.start(try popular())
        let object = watcher.live.items[0]
        message.place = nil
        message.tags = []
        message.likes = 6
        try await other.save(message)
        await watcher.wait(for: 1)
        #expect(watcher.live.items[0] === object)
        #expect(object.place == nil && object.tags == [] && object.likes == 6)
        #expect(object.recordChangeTag == message.recordChangeTag && object.recordID.recordName == "m1")
    }

    @Test func `what is saved here is shown at once, with one step, and is not the object that was passed`()
        async throws
    {
        let watcher = try await Watcher.start(try popular())
        let gate = Gate()
        store.holdModifications(at: gate)
        let message = Message("m1", likes: 5)
        let saving = Task { try await dao.save(message) }
        await watcher.wait(for: 1)
        #expect(watcher.shown == ["m1 5"] && watcher.live.items[0] !== message)
        gate.open()
        try await saving.value
        await watcher.live.settled()
        #expect(watcher.live.items[0].recordChangeTag == message.recordChangeTag && message.recordChangeTag != nil)
        // Its own echo is no news.
        store.notify(message.recordID, subscriptionID: try #require(store.subscriptionIDs.first))
        try await other.save(Message("m2", likes: 6))
        await watcher.wait(for: 2)
        #expect(watcher.steps == ["+m1 at 0", "+m2 at 1"])
    }

    @Test func `what the store refuses is taken back, with one step`() async throws {
        try await other.save([Message("m1", likes: 4), Message("m2", likes: 5)])
        let watcher = try await Watcher.start(try popular())
        store.failModifications(with: CloudError(.permissionFailure, "No."))
        await #expect(throws: CloudError.self) { try await dao.save(Message("m0", likes: 9)) }
        await watcher.wait(for: 2)
        await #expect(throws: CloudError.self) { try await dao.delete([CloudRecordID("m1")]) }
        await watcher.wait(for: 4)
        let message = try #require(try await dao.fetch(Message.self, "m2"))
        message.likes = 3
        await #expect(throws: CloudError.self) { try await dao.save(message) }
        await watcher.wait(for: 6)
        #expect(
            watcher.steps == [
                "+m0 at 2", "-m0 at 2", "-m1 at 0", "+m1 at 0", "~m2 1 to 0", "~m2 0 to 1",
            ]
        )
        #expect(watcher.shown == ["m1 4", "m2 5"])
    }

    @Test func `a conflict leads to what the store has`() async throws {
        let message = Message("m1", likes: 4)
        try await other.save(message)
        let watcher = try await Watcher.start(try popular())
        let stale = try #require(try await dao.fetch(Message.self, "m1"))
        store.loseNotifications(true)
        message.likes = 7
        try await other.save(message)
        stale.likes = 5
        await #expect(throws: CloudError.self) { try await dao.save(stale) }
        await watcher.wait(for: 2)
        #expect(watcher.shown == ["m1 7"])
    }

    @Test func `with a limit the first ones are shown, and the next one follows`() async throws {
        try await other.save(Message.numbered(1...40))
        let watcher = try await Watcher.start(try popular(limit: 3))
        #expect(watcher.shown == ["m003 3", "m004 4", "m005 5"])
        try await other.delete([CloudRecordID("m004")])
        await watcher.wait(for: 2)
        try await other.save(Message("m0", likes: 3))
        await watcher.wait(for: 4)
        #expect(watcher.steps == ["-m004 at 1", "+m006 at 2", "-m006 at 2", "+m0 at 0"])
        // More than stood by.
        try await other.delete((3...30).map { CloudRecordID("m\($0 < 10 ? "00" : "0")\($0)") })
        await watcher.wait { watcher.shown == ["m0 3", "m031 31", "m032 32"] }
    }

    @Test func `after lost notifications a refresh shows what a query finds`() async throws {
        try await other.save(Message.numbered(1...60))
        let watcher = try await Watcher.start(try popular())
        store.loseNotifications(true)
        try await other.delete((10...35).map { CloudRecordID("m0\($0)") })
        let updated = try await other.query(Message.self, where: \.likes > 40)
        for message in updated { message.likes = 100 - (message.likes ?? 0) }
        try await other.save(updated)
        try await other.save((0..<30).map { Message("n\($0)", likes: 20 + $0) })
        try await watcher.live.refresh()
        await watcher.catchUp()
        let fresh = try await dao.query(Message.self, where: \.likes >= 3, orderBy: .ascending(\.likes))
        #expect(watcher.live.items.map(\.recordID) == fresh.map(\.recordID))
        #expect(watcher.live.items.map(\.likes) == fresh.map(\.likes))
    }

    @Test func `an object of an observable class is replaced, so that its observers notice`() async throws {
        let message = ObservedMessage()
        message.recordID = CloudRecordID("m1")
        message.likes = 1
        try await other.save(message)
        let live = try LiveQuery<ObservedMessage>(dao)
        live.start()
        try await live.refresh()
        let before = live.items[0]
        var changes = live.changes.makeAsyncIterator()
        message.likes = 2
        try await other.save(message)
        guard case .updated(let after, let index)? = await changes.next(isolation: #isolation) else {
            return #expect(Bool(false), "an update is told")
        }
        #expect(after !== before && index == 0 && before.likes == 1 && after.likes == 2 && live.items[0] === after)
    }

    @Test func `its items can be observed`() async throws {
        let watcher = try await Watcher.start(try popular())
        let changed = Gate()
        withObservationTracking {
            _ = watcher.live.items
        } onChange: {
            changed.open()
        }
        try await other.save(Message("m1", likes: 5))
        await changed.wait()
        await watcher.wait(for: 1)
        #expect(watcher.shown == ["m1 5"])
    }

    @Test func `snapshots are what there is, and then whatever it becomes`() async throws {
        try await other.save(Message("m1", likes: 5))
        let live = try popular()
        var sizes: [Int] = []
        live.start()
        for await snapshot in live.snapshots {
            sizes.append(snapshot.count)
            if snapshot.count == 1 { try await other.save(Message("m2", likes: 6)) }
            if snapshot.count == 2 { live.stop() }
        }
        #expect(sizes == [0, 1, 2])
    }

    @Test func `it lives on any actor`() async throws {
        actor Server {
            func count(_ dao: CloudDao, _ other: CloudDao) async throws -> Int {
                let live = try LiveQuery(dao, where: \Message.likes >= 3)
                live.start()
                var changes = live.changes.makeAsyncIterator()
                try await live.refresh()
                try await other.save(Message("m1", likes: 5))
                _ = await changes.next(isolation: self)
                return live.items.count
            }
        }
        #expect(try await Server().count(dao, other) == 1)
    }

    @Test func `a stopped query tells nothing more, and its subscription goes when nobody uses it`() async throws {
        let first = try await Watcher.start(try popular())
        let second = try await Watcher.start(try popular())
        let subscriptionIDs = store.subscriptionIDs
        #expect(subscriptionIDs.count == 1)
        first.live.stop()
        try await other.save(Message("m1", likes: 5))
        await second.wait(for: 1)
        await first.next()
        #expect(first.steps == [] && first.shown == [] && store.subscriptionIDs == subscriptionIDs)
        second.live.stop()
        while !store.subscriptionIDs.isEmpty, !Task.isCancelled { await Task.yield() }
        await #expect(throws: CloudError.self) { try await second.live.refresh() }
    }

    @Test func `to start and stop hundreds of times leaves nothing behind`() async throws {
        try await other.save(Message.numbered(1...5))
        for round in 0..<500 {
            let live = try popular()
            live.start()
            for _ in 0..<(round % 7) { await Task.yield() }
            if round.isMultiple(of: 50) { try await dao.save(Message("m\(round)", likes: 5)) }
            live.stop()
        }
        let last = try await Watcher.start(try popular())
        last.live.stop()
        while !store.subscriptionIDs.isEmpty, !Task.isCancelled { await Task.yield() }
        #expect(last.shown.count == 13)
    }

    @Test func `a query that nobody holds is gone, with its subscription`() async throws {
        weak var live: LiveQuery<Message>?
        do {
            let watcher = try await Watcher.start(try popular())
            live = watcher.live
            #expect(store.subscriptionIDs.count == 1)
        }
        while live != nil || !store.subscriptionIDs.isEmpty, !Task.isCancelled { await Task.yield() }
    }

    @Test func `a record that can't be mapped is left out and reported`() async throws {
        let failures = Mutex<[CloudRecordID?]>([])
        dao.mappingFailureHandler = { error in failures.withLock { $0.append(error.recordID) } }
        try await other.save(NewerSignal("s1", "one", .paused))
        try await other.save(NewerSignal("s2", "two", .running))
        let live = try LiveQuery<Signal>(dao, orderBy: .ascending(\.title))
        live.start()
        try await live.refresh()
        #expect(live.items.map(\.title) == ["two"])
        #expect(failures.withLock { $0 }.contains(CloudRecordID("s1")))
    }

    @Test func `what a deletion takes with it goes too`() async throws {
        let parent = Message("parent", likes: 9)
        let child = Message("child", likes: 5)
        child.to = CloudReference(to: parent, action: .deleteSelf)
        try await other.save([parent, child])
        let watcher = try await Watcher.start(try popular())
        try await dao.delete(parent)
        await watcher.wait(for: 2)
        #expect(watcher.shown == [])
    }

    @Test func `a wrong predicate or limit is an error at once`() throws {
        #expect(throws: CloudError.self) { try LiveQuery<Message>(dao, where: ObjectPredicate("nobody == 1")) }
        #expect(throws: CloudError.self) { try LiveQuery<Message>(dao, limit: 0) }
    }

    @Test func `two clients at random end with what a query finds, and the steps lead there`() async throws {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        try await other.save(Message.numbered(1...30))
        let watcher = try await Watcher.start(try popular(limit: random.once(in: 2) ? 8 : nil))
        for _ in 0..<150 {
            let name = "m0\(random.number(10..<40))"
            let writer = random.once(in: 2) ? dao : other
            store.failModifications(with: random.once(in: 5) ? CloudError(.permissionFailure, "No.") : nil)
            if random.once(in: 4) {
                _ = try? await writer.delete([CloudRecordID(name)])
            } else {
                _ = try? await writer.save(Message(name, likes: random.number(0..<12)), savePolicy: .allKeys)
            }
        }
        store.failModifications(with: nil)
        let fresh = try await dao.query(
            Message.self,
            where: \.likes >= 3,
            orderBy: .ascending(\.likes),
            limit: watcher.live.limit
        )
        let expected = fresh.map { "\($0.recordID.recordName) \($0.likes ?? -1)" }
        await watcher.wait { watcher.shown == expected }
        await watcher.catchUp()
        #expect(watcher.live.items.map(\.recordID) == fresh.map(\.recordID), "seed \(seed)")
        #expect(watcher.live.items.map(\.likes) == fresh.map(\.likes), "seed \(seed)")
        #expect(!store.readNotifications.isEmpty)
    }
}

@Observable
final class ObservedMessage: CloudDataObject {
    var likes = 0
}
