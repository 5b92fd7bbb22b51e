import CloudKitDao
import Synchronization
import Testing

/// Whose data is in stores that the app makes without being told for whom.
extension Accounts {
    @Test(arguments: [CloudDatabaseScope.private, .shared], [CloudDatabaseScope.private, .shared])
    func `a store that is made for nobody in particular serves the first user only`(
        first: CloudDatabaseScope,
        second: CloudDatabaseScope
    ) async throws {
        let store = try SQLiteStore.inMemory()
        CloudContainer.configure(container, storage: .custom { _ in store })
        try container.signIn(alice)
        try await container.database(first).save(Message("diary", text: "alice's"))
        try container.signIn(bob)
        let error = await #expect(throws: CloudError.self) {
            try await container.database(second).fetch(Message.self, "diary")
        }
        #expect(error?.code == .badContainer)
        #expect(error?.remedy.contains("customPerUser") == true)
        try container.signIn(alice)
        #expect(try await container.database(first).fetch(Message.self, "diary")?.text == "alice's")
    }

    @Test func `the public store that the app makes is one for all users, the private one is made once`() async throws {
        let made = Mutex<[CloudDatabaseScope]>([])
        CloudContainer.configure(
            container,
            storage: .custom { scope in
                made.withLock { $0.append(scope) }
                return try SQLiteStore.inMemory()
            }
        )
        for user in [alice, bob, alice] {
            try container.signIn(user)
            try await publicDB.save(Message())
            _ = try? await privateDB.save(Message())
        }
        #expect(made.withLock { $0 } == [.public, .private])
        #expect(try await publicDB.query(Message.self).count == 3)
        #expect(try await privateDB.query(Message.self).count == 2)
    }

    @Test func `a user whose store can't be opened does not keep out the next one`() async throws {
        let isLocked = Mutex(true)
        CloudContainer.configure(
            container,
            storage: .custom { _ in
                if isLocked.withLock({ $0 }) { throw CloudError(.internalError, "The cellar is locked.") }
                return try SQLiteStore.inMemory()
            }
        )
        try container.signIn(alice)
        #expect(await code { try await privateDB.save(Message("m1")) } == .internalError)
        isLocked.withLock { $0 = false }
        try container.signIn(bob)
        try await privateDB.save(Message("m1"))
        try container.signIn(alice)
        #expect(await code { try await privateDB.save(Message("m1")) } == .badContainer)
    }
}
