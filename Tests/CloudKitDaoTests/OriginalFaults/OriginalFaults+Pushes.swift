import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

extension OriginalFaults {
    private static let cut = CloudError(.networkFailure, "The wire is cut.")

    /// Two clients, of which one listens to all messages.
    private func subscribed() async throws -> TwoClients {
        let clients = try TwoClients()
        try await clients.listener.subscribe(Message.self)
        return clients
    }

    @Test func `what waits at launch is delivered, and nothing is skipped without a reason`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save([Message("a"), Message("b")])
        try await clients.writer.delete([CloudRecordID("b")])
        #expect(try await clients.changes() == ["+a", "-b"])
        #expect(try await clients.changes() == [])
        #expect(try await clients.unread().isEmpty)
    }

    @Test func `a push of one notification skips no other one of the same record`() async throws {
        let clients = try await subscribed()
        let message = Message("a", text: "1")
        try await clients.writer.save(message)
        message.text = "2"
        try await clients.writer.save(message)
        try await clients.writer.delete(message)
        let unread = try await clients.unread()
        #expect(unread.map(\.event) == [.create, .update, .delete])
        // The record is gone, so that the first two have nothing to show any more.
        #expect(try await clients.changes(skipping: unread[0].notificationID) == ["-a"])
        try await clients.writer.save([Message("b"), Message("c")])
        let second = try await clients.unread()
        #expect(try await clients.changes(skipping: second[0].notificationID) == ["+c"])
    }

    @Test func `what was not delivered stays unread, whatever fails on the way`() async throws {
        for operation in [StoreOperation.notificationPage, .fetch] {
            let clients = try await subscribed()
            try await clients.writer.save([Message("a"), Message("b")])
            clients.store.fail(operation, with: Self.cut)
            let error = await #expect(throws: CloudError.self) { _ = try await clients.changes() }
            #expect(error?.code == .networkFailure)
            #expect(try await clients.changes() == ["+a", "+b"])
        }
        // What was delivered but not marked is marked the next time, and not delivered again.
        let clients = try await subscribed()
        try await clients.writer.save(Message("a"))
        clients.store.fail(.markNotificationsRead, with: Self.cut)
        let delivered = Mutex<[String]>([])
        await #expect(throws: CloudError.self) {
            try await clients.listener.fetchChangeNotifications { change in
                delivered.withLock { $0.append(change.text) }
            }
        }
        #expect(delivered.withLock { $0 } == ["+a"])
        #expect(try await clients.changes() == [])
        #expect(try await clients.unread().isEmpty)
    }

    @Test func `a record that can't be fetched now is delivered later, and the others at once`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save([Message("a"), Message("b")])
        clients.store.failRecord(CloudRecordID("a"), on: .first(1), with: Self.cut)
        let delivered = Mutex<[String]>([])
        await #expect(throws: CloudError.self) {
            try await clients.listener.fetchChangeNotifications { change in
                delivered.withLock { $0.append(change.text) }
            }
        }
        #expect(delivered.withLock { $0 } == ["+b"])
        clients.store.recover()
        #expect(try await clients.changes() == ["+a"])
    }

    @Test func `a token that expires between two pages is forgotten`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save(Message.numbered(1...450))
        clients.store.fail(.notificationPage, on: 2, with: CloudError(.changeTokenExpired, "Too old."))
        #expect(try await clients.changes().count == 450)
        let tokens = clients.store.calls(of: .notificationPage).map { call in
            if case .notificationPage(let token, _) = call { token == nil } else { false }
        }
        #expect(tokens == [true, false, true, false])
    }

    @Test func `a push goes to its own container and its own database`() async throws {
        let containers = [CloudContainer.inMemory(), CloudContainer.inMemory()]
        let daos = containers.map { $0.database(.public) }
        for dao in daos {
            try await dao.subscribe(Message.self)
            try await dao.save(Message("a", text: "x"))
        }
        let clients = try await subscribed()
        let own = queryPush("a", 1, cloudKit: ["cid": containers[0].identifier])
        #expect(await clients.report(own, dao: daos[0]) == ["+a x", "completed"])
        #expect(await clients.report(own, dao: daos[1]) == ["completed"])
        // The private database has no such subscription.
        #expect(await clients.report(own, dao: containers[0].database(.private)) == ["completed"])
        let pruned: [AnyHashable: Any] = ["ck": ["p": 1, "qry": ["dbs": 2]] as [String: Any]]
        let ofPrivate = try #require(CloudRemoteNotification(pruned))
        let isTaken = try await (
            public: daos[0].didReceive(ofPrivate) { _ in },
            private: containers[0].database(.private).didReceive(ofPrivate) { _ in }
        )
        #expect(!isTaken.public && isTaken.private)
    }

    @Test func `completed is called when all objects were delivered`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save([Message("a", text: "1"), Message("b", text: "2")])
        let gate = clients.store.hold(.fetch)
        let calls = Task { await clients.report(queryPush("b", 2)) }
        try await gate.waitForCall()
        gate.open()
        #expect(await calls.value == ["+a 1", "+b 2", "~b 2", "completed"])
    }

    @Test func `a pruned push leads to a fetch of what is unread`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save(Message("a", text: "1"))
        #expect(await clients.report(["ck": ["ce": 2, "p": 1]]) == ["+a 1", "completed"])
        try await clients.writer.save(Message("b", text: "2"))
        #expect(await clients.report(queryPush(nil, 1)) == ["+b 2", "completed"])
        try await clients.writer.save(Message("c", text: "3"))
        let zone: [AnyHashable: Any] = ["ck": ["fet": ["zid": "_defaultZone"]]]
        #expect(await clients.report(zone) == ["no query", "+c 3", "completed"])
    }

    @Test func `pushes of other kinds end in nothing but completed`() async throws {
        let clients = try await subscribed()
        let strange: [[AnyHashable: Any]] = [
            [:], ["aps": ["alert": "Hi"]], ["ck": 3], [1: 2, AnyHashable([3]): "x"],
        ]
        for push in strange { #expect(await clients.report(push) == ["no query", "completed"]) }
        #expect(await clients.report(queryPush("a", 1, subscription: "of another app")) == ["completed"])
        // The record is not there, or the reason is one that nobody knows.
        #expect(await clients.report(queryPush("a", 1)) == ["completed"])
        #expect(await clients.report(queryPush("a", 9)) == ["completed"])
        #expect(await clients.report(queryPush("a", 3)) == ["-a", "completed"])
    }

    @Test func `a push of what was delivered already delivers nothing again`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save(Message("a", text: "1"))
        let notification = try #require(try await clients.unread().first)
        let push = CloudRemoteNotification(notification).userInfo
        #expect(await clients.report(push) == ["+a 1", "completed"])
        #expect(await clients.report(push) == ["completed"])
    }

    @Test func `an error is reported once, and then completed is called`() async throws {
        let clients = try await subscribed()
        try await clients.writer.save(Message("a", text: "1"))
        clients.store.fail(.fetch, with: Self.cut)
        #expect(await clients.report(queryPush("a", 1)) == ["error networkFailure", "completed"])
        #expect(await clients.report(queryPush("a", 2)) == ["+a 1", "~a 1", "completed"])
    }
}
