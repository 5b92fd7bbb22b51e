import CloudKitDao
import CloudKitDaoTestSupport
import Testing

extension OriginalFaults {
    @Test func `other notification settings are applied though the predicate is the same`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self, filterId: "all")
        let first = try await clients.store.subscriptions()
        #expect(first.map(\.notificationInfo?.alertBody) == [nil])
        try await clients.listener.subscribe(Message.self, filterId: "all") { $0.alertBody = "News" }
        let second = try await clients.store.subscriptions()
        #expect(second.map(\.notificationInfo?.alertBody) == ["News"])
        #expect(second.map(\.subscriptionID) == ["type_Message_id_all"])
    }

    @Test func `a store that fails is neither subscribed to nor unsubscribed from`() async throws {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self)
        let cut = CloudError(.networkFailure, "The wire is cut.")
        clients.store.fail(.saveSubscription, with: cut)
        clients.store.fail(.deleteSubscription, with: cut)
        let outcomes = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            clients.listener.subscribe(
                Message(),
                predicate: "likes > 3",
                filterId: "popular",
                completionHandler: { continuation.resume(returning: ["subscribed"]) },
                errorHandler: { error in
                    clients.listener.unsubscribe(
                        Message(),
                        completionHandler: { continuation.resume(returning: ["unsubscribed"]) },
                        errorHandler: { continuation.resume(returning: [error.message, $0.message]) }
                    )
                }
            )
        }
        #expect(outcomes == ["The wire is cut.", "The wire is cut."])
        #expect(try await clients.store.subscriptions().count == 1)
    }

    @Test func `equal subscriptions under two filters are none too many, and both report`() async throws {
        let clients = try TwoClients()
        for filter in ["one", "two"] {
            try await clients.listener.subscribe(Message.self, where: \.likes > 3, filterId: filter)
        }
        try await clients.writer.save(Message("a", likes: 5))
        #expect(
            try await clients.unread().map(\.subscriptionID) == ["type_Message_id_one", "type_Message_id_two"]
        )
    }

    @Test func `unsubscribeAll completes when all subscriptions are gone`() async throws {
        let clients = try TwoClients()
        for number in 0..<5 {
            try await clients.listener.subscribe(Message.self, predicate: "likes == \(number)", filterId: "\(number)")
        }
        let gate = clients.store.hold(.deleteSubscription, on: 5)
        let count = Task {
            await withCheckedContinuation { (continuation: CheckedContinuation<Int, Never>) in
                clients.listener.unsubscribeAll(
                    completionHandler: { continuation.resume(returning: $0) },
                    errorHandler: { _ in continuation.resume(returning: -1) }
                )
            }
        }
        try await gate.waitForCall()
        #expect(try await clients.store.subscriptions().count == 1)
        gate.open()
        #expect(await count.value == 5)
        #expect(try await clients.store.subscriptions().isEmpty)
    }

    @Test func `unsubscribeAll tries the others when one fails, and says so`() async throws {
        let clients = try TwoClients()
        for filter in ["a", "b", "c"] { try await clients.listener.subscribe(Message.self, filterId: filter) }
        clients.store.fail(.deleteSubscription, on: 1, with: CloudError(.networkFailure, "The wire is cut."))
        let error = await #expect(throws: CloudError.self) { try await clients.listener.unsubscribeAll() }
        #expect(error?.code == .networkFailure)
        #expect(try await clients.store.subscriptions().map(\.subscriptionID) == ["type_Message_id_a"])
    }
}
