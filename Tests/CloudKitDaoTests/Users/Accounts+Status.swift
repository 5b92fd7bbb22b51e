import CloudKitDao
import Foundation
import Synchronization
import Testing

// What an account that can't be used closes, and who hears of it.
extension Accounts {
    // MARK: Without an account

    @Test func `without an account, private and shared databases are closed and the public one can only be read`()
        async throws
    {
        try container.signIn(alice)
        let (oldPrivate, dao) = (privateDB, publicDB)
        try await dao.save(Message("m1"))
        container.signOut()
        #expect(container.account == CloudAccount(status: .noAccount, userRecordID: nil))
        #expect(try await dao.fetch(Message.self, "m1") != nil)
        #expect(try await dao.query(Message.self).count == 1)
        let store = try await dao.store()
        let codes = [
            await code { try await dao.save(Message("m2")) },
            await code { try await dao.delete([CloudRecordID("m1")]) },
            await code { try await store.deleteZone(CloudZoneID("z")) },
            await code { try await store.deleteSubscription(withID: "s") },
            await code { try await store.extendSchema(CloudSchema()) },
            await code { try await store.deploySchema() },
            await code { _ = try await oldPrivate.query(Message.self) },
            await code { _ = try await privateDB.query(Message.self) },
            await code { try await sharedDB.save(Message("m1")) },
        ]
        #expect(codes == Array(repeating: .notAuthenticated, count: codes.count))
        #expect(try await dao.query(Message.self).count == 1)
    }

    @Test func `a DAO from when nobody was signed in has nobody's data`() async throws {
        container.signOut()
        let dao = privateDB
        try container.signIn(alice)
        #expect(await code { try await dao.save(Message("m1")) } == .notAuthenticated)
        #expect(try await privateDB.query(Message.self).isEmpty)
    }

    @Test(arguments: [
        (CloudAccountStatus.restricted, CloudError.Code.notAuthenticated),
        (.couldNotDetermine, .notAuthenticated),
        (.temporarilyUnavailable, .accountTemporarilyUnavailable),
    ])
    func `each status that is not available closes the databases, until it is again`(
        status: CloudAccountStatus,
        expected: CloudError.Code
    ) async throws {
        try container.signIn(alice)
        let dao = privateDB
        try await dao.save(Message("m1"))
        container.setAccountStatus(status)
        #expect(container.account == CloudAccount(status: status, userRecordID: alice))
        #expect(await code { _ = try await dao.query(Message.self) } == expected)
        #expect(await code { try await publicDB.save(Message("m1")) } == expected)
        #expect(try await dao.accountStatus() == status)
        container.setAccountStatus(.available)
        #expect(try await dao.query(Message.self).count == 1)
        #expect(try await dao.accountStatus() == .available)
    }

    @Test func `an error names the account status`() async throws {
        container.setAccountStatus(.couldNotDetermine)
        let error = await #expect(throws: CloudError.self) { try await privateDB.save(Message("m1")) }
        #expect(error?.message.contains("couldNotDetermine") == true)
    }

    @Test func `the account status is never stale`() async throws {
        let dao = privateDB
        #expect(try await dao.accountStatus() == .available)
        container.signOut()
        #expect(try await dao.accountStatus() == .noAccount)
        #expect(try await publicDB.accountStatus() == .noAccount)
        try container.signIn(alice)
        #expect(try await privateDB.accountStatus() == .available)
        #expect(try await publicDB.accountStatus() == .available)
        #expect(try await dao.accountStatus() == .noAccount)
        #expect(try await CloudDao(store: try SQLiteStore.inMemory()).accountStatus() == .available)
        let calls = await HandlerReport.calls { handlers in
            dao.accountStatus(completionHandler: { handlers.completed($0.rawValue) })
        }
        #expect(calls.completions == ["noAccount"])
    }

    @Test func `asking for a database opens nothing and waits for nothing, whatever the account`() async throws {
        CloudContainer.configure(
            container,
            storage: .custom { _ in
                Issue.record("The store was opened.")
                throw CloudError(.badContainer, "Never.")
            }
        )
        _ = (privateDB, publicDB, sharedDB)
        container.signOut()
        #expect(try await privateDB.accountStatus() == .noAccount)
        #expect(await code { try await privateDB.save(Message("m1")) } == .notAuthenticated)
    }

    // MARK: Changes

    @Test func `everybody who listens hears of the present account first, and then of each change once`() async throws {
        var listeners = (0..<3).map { _ in container.accountChanges.makeAsyncIterator() }
        try container.signIn(alice)
        try container.signIn(alice)
        container.setAccountStatus(.available)
        container.setAccountStatus(.restricted)
        try container.signIn(bob)
        container.signOut()
        container.signOut()
        let expected = [
            CloudAccount(status: .available, userRecordID: CloudRecordID(CloudZoneID.currentOwnerName)),
            CloudAccount(status: .available, userRecordID: alice),
            CloudAccount(status: .restricted, userRecordID: alice),
            CloudAccount(status: .available, userRecordID: bob),
            CloudAccount(status: .noAccount, userRecordID: nil),
        ]
        for index in listeners.indices {
            for account in expected { #expect(await listeners[index].next() == account) }
        }
        var late = container.accountChanges.makeAsyncIterator()
        #expect(await late.next() == expected.last)
        container.setAccountStatus(.available)
        for index in listeners.indices { #expect(await listeners[index].next()?.userRecordID == bob) }
        #expect(await late.next()?.userRecordID == bob)
    }

    @Test func `configuring a container again leaves who is signed in and who listens`() async throws {
        var changes = container.accountChanges.makeAsyncIterator()
        _ = await changes.next()
        try container.signIn(alice)
        CloudContainer.configure(container, storage: .inMemory)
        #expect(container.account.userRecordID == alice)
        container.signOut()
        #expect(await changes.next()?.userRecordID == alice)
        #expect(await changes.next()?.status == .noAccount)
    }

    @Test func `a task that listens ends when it is cancelled`() async throws {
        let (container, started) = (container, Gate())
        let task = Task {
            for await _ in container.accountChanges { started.open() }
        }
        await started.wait()
        task.cancel()
        await task.value
    }

    @Test func `databases that are asked for from many threads at once are the same`() async throws {
        let container = container
        let daos = Mutex<[CloudDatabaseScope: Set<ObjectIdentifier>]>([:])
        DispatchQueue.concurrentPerform(iterations: 300) { number in
            let scope = CloudDatabaseScope.allCases[number % 3]
            let dao = container.database(scope)
            daos.withLock { _ = $0[scope, default: []].insert(ObjectIdentifier(dao)) }
        }
        #expect(daos.withLock { $0.values.map(\.count) } == [1, 1, 1])
    }
}
