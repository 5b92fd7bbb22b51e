import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

/// Subscriptions and notifications by the DAO.
@Suite("Notification delivery by the DAO") struct SubscriptionTests {
    private func code(_ body: () async throws -> Void) async -> CloudError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return CloudError(error).code
        }
    }

    @Test func `each form of subscribing and unsubscribing is the counterpart of another one`() async throws {
        let clients = try TwoClients()
        let (store, dao) = (clients.store, clients.listener)
        func names() async throws -> [String] { try await store.subscriptions().map(\.subscriptionID) }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.subscribe(
                Message(),
                predicate: "likes > 3",
                filterId: "popular",
                configureNotificationInfo: { $0.alertBody = "News" },
                completionHandler: { continuation.resume() }
            )
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.subscribe(
                Message(),
                referenceRecordName: "ann",
                referenceField: "to",
                completionHandler: { continuation.resume() }
            )
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.subscribe(Message(), completionHandler: { continuation.resume() })
        }
        #expect(
            try await names() == [
                "type_Message_id_popular", "type_Message_id_reference_to_ann", "type_Message_id_all",
            ]
        )
        let infos = try await store.subscriptions().map(\.notificationInfo)
        #expect(infos.allSatisfy { $0?.shouldSendContentAvailable == true })
        #expect(infos.map { $0?.alertBody } == ["News", nil, nil])
        let message = Message("a", likes: 1)
        message.to = CloudReference(recordID: CloudRecordID("ann"))
        try await clients.writer.save(message)
        #expect(
            try await clients.unread().map(\.subscriptionID) == [
                "type_Message_id_reference_to_ann", "type_Message_id_all",
            ]
        )
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.unsubscribe(Message(), filterId: "popular", completionHandler: { continuation.resume() })
        }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.unsubscribe(
                Message(),
                referenceRecordName: "ann",
                referenceField: "to",
                completionHandler: { continuation.resume() }
            )
        }
        #expect(try await names() == ["type_Message_id_all"])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.unsubscribe(Message(), completionHandler: { continuation.resume() })
        }
        #expect(try await names() == [])
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            dao.unsubscribe(Message(), filterId: "never", completionHandler: { continuation.resume() })
        }
    }

    @Test func `a field that the class does not have is refused before anything is kept`() async throws {
        let clients = try TwoClients()
        let dao = clients.listener
        #expect(
            await code { try await dao.subscribe(Message.self, predicate: "nobody == 1", filterId: "f") }
                == .invalidArguments
        )
        #expect(
            await code { try await dao.subscribe(Message.self) { $0.desiredKeys = ["nobody"] } } == .invalidArguments
        )
        #expect(
            await code { try await dao.subscribe(Message.self) { $0.alertLocalizationArgs = ["nobody"] } }
                == .invalidArguments
        )
        #expect(
            await code { try await dao.subscribe(Message.self, predicate: "likes >", filterId: "f") }
                == .invalidArguments
        )
        #expect(try await clients.store.subscriptions().isEmpty)
    }

    @Test func `the objects are of the class that subscribed`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(BriefMessage.self, filterId: "brief")
        try await clients.writer.save(Message("a", text: "x"))
        let types = Mutex<[String]>([])
        try await clients.listener.fetchChangeNotifications { change in
            if case .inserted(let object) = change { types.withLock { $0.append("\(type(of: object))") } }
        }
        #expect(types.withLock { $0 } == ["BriefMessage"])
    }

    @Test func `a notification whose class is not known is reported, until the class is registered`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self)
        try await clients.writer.save([Message("a"), Message("b")])
        let restarted = CloudDao(store: clients.store)
        let failures = Mutex<[CloudError]>([])
        restarted.mappingFailureHandler = { error in failures.withLock { $0.append(error) } }
        var delivered: [String] = []
        try await restarted.fetchChangeNotifications { delivered.append($0.text) }
        #expect(delivered.isEmpty)
        #expect(failures.withLock { $0.map(\.code) } == [.mappingFailed, .mappingFailed])
        #expect(failures.withLock { $0.allSatisfy { $0.message.contains("Message") } })
        try restarted.register(Message.self)
        try await clients.writer.save(Message("c"))
        try await restarted.fetchChangeNotifications { delivered.append($0.text) }
        #expect(delivered == ["+c"])
    }

    @Test func `calls at the same time deliver each change once`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self)
        try await clients.writer.save(Message.numbered(1...100))
        let counts = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await clients.changes().count } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(counts.reduce(0, +) == 100)
    }

    @Test func `notifications of a container name it and the database`() async throws {
        let folder = try TestFolder()
        let container = CloudContainer("iCloud.\(UUID().uuidString)")
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        let dao = container.database(.public)
        try await dao.subscribe(Message.self)
        let stream = try await dao.notifications()
        let path = folder.url.appending(path: container.identifier).appending(path: "public.sqlite").path
        try await CloudDao(store: try SQLiteStore(path: path)).save(Message("a"))
        var heard = stream.makeAsyncIterator()
        let next = try await heard.next()
        let notification = try #require(next)
        #expect(notification.databaseScope == .public && notification.containerIdentifier == container.identifier)
        let unread = try await dao.store().notifications(since: nil, limit: 10)
        #expect(unread.notifications == [notification])
    }

    @Test func `the badge is set and counted up by subscriptions that say so`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self) { $0.shouldBadge = true }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            clients.listener.setBadgeCounter(5, completionHandler: { continuation.resume() })
        }
        try await clients.writer.save([Message("a"), Message("b")])
        #expect(try await clients.listener.badgeCounter() == 7)
        #expect(await code { try await clients.listener.setBadgeCounter(-1) } == .invalidArguments)
    }

    @Test func `a store without notifications says so`() async throws {
        let dao = CloudDao(store: PickyStore(try SQLiteStore.inMemory()))
        #expect(await code { try await dao.subscribe(Message.self) } == .unsupported)
        #expect(await code { try await dao.fetchChangeNotifications { _ in } } == .unsupported)
        #expect(await code { try await dao.setBadgeCounter(1) } == .unsupported)
    }
}
