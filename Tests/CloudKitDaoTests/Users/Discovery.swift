import CloudKitDao
import Foundation
import Synchronization
import Testing

/// What users of a container may know of each other.
@Suite struct Discovery {
    private let container = CloudContainer("test.discovery.\(UUID().uuidString)")
    private let ann = CloudUserInfo(userRecordID: CloudRecordID("ann"), firstName: "Ann", lastName: "Arbor")
    private let bob = CloudUserInfo(userRecordID: CloudRecordID("bob"), emailAddress: "bob@example.com")
    private let dao: CloudDao

    init() throws {
        CloudContainer.configure(container, storage: .inMemory)
        dao = container.database(.public)
        container.register(bob)
        container.register(ann)
    }

    private func giveConsent(_ users: CloudUserInfo...) async throws {
        for user in users {
            try container.signIn(user.userRecordID)
            #expect(try await dao.requestDiscoverabilityPermission())
        }
    }

    @Test func `a user is discovered only after the permission`() async throws {
        try container.signIn(ann.userRecordID)
        let error = await #expect(throws: CloudError.self) { try await dao.discoverUserInfo() }
        #expect(error?.code == .permissionFailure)
        #expect(error?.remedy.contains("requestDiscoverabilityPermission") == true)
        try await giveConsent(ann)
        #expect(try await dao.discoverUserInfo() == ann)
        try container.signIn(bob.userRecordID)
        #expect(try await dao.allContactsUserInfo() == [ann])
    }

    @Test func `contacts are the others who consented, and an empty list if there is none`() async throws {
        try await giveConsent(bob)
        #expect(try await dao.allContactsUserInfo().isEmpty)
        try await giveConsent(ann)
        #expect(try await dao.allContactsUserInfo() == [bob])
        let carl = CloudUserInfo(userRecordID: CloudRecordID("carl"))
        container.register(carl)
        try await giveConsent(carl)
        #expect(try await dao.allContactsUserInfo() == [ann, bob])
    }

    @Test func `who refuses is not discovered, nor any more who did not refuse before`() async throws {
        try await giveConsent(ann)
        let asked = Mutex<[CloudRecordID]>([])
        container.setDiscoverabilityPrompt { user in
            asked.withLock { $0.append(user) }
            return false
        }
        try container.signIn(ann.userRecordID)
        #expect(try await dao.requestDiscoverabilityPermission() == false)
        #expect(asked.withLock { $0 } == [ann.userRecordID])
        try container.signIn(bob.userRecordID)
        #expect(try await dao.allContactsUserInfo().isEmpty)
    }

    @Test func `a user who is not registered has a record ID and nothing else`() async throws {
        let dora = CloudUserInfo(userRecordID: CloudRecordID("dora"))
        try await giveConsent(dora)
        #expect(try await dao.discoverUserInfo() == dora)
    }

    @Test func `without an account nobody is discovered, and a store of one's own knows no users`() async throws {
        container.signOut()
        let ownDao = CloudDao(store: try SQLiteStore.inMemory())
        for (dao, code) in [(dao, CloudError.Code.notAuthenticated), (ownDao, .unsupported)] {
            #expect(await #expect(throws: CloudError.self) { try await dao.discoverUserInfo() }?.code == code)
            #expect(await #expect(throws: CloudError.self) { try await dao.allContactsUserInfo() }?.code == code)
            let error = await #expect(throws: CloudError.self) { try await dao.requestDiscoverabilityPermission() }
            #expect(error?.code == code)
        }
    }

    @Test @MainActor func `each handler is called once, also when there is nothing to tell`() async throws {
        try container.signIn(ann.userRecordID)
        let dao = dao
        let calls = await HandlerReport.calls { handlers in
            dao.allContactsUserInfo(
                completionHandler: { handlers.completed("contacts \($0.count)") },
                errorHandler: { handlers.failed($0) }
            )
            dao.discoverUserInfo(
                completionHandler: { handlers.completed($0.firstName ?? "") },
                errorHandler: { handlers.failed($0) }
            )
        }
        #expect(calls.completions == ["contacts 0"])
        #expect(calls.errors.map(\.code) == [.permissionFailure])
        let later = await HandlerReport.calls { handlers in
            dao.requestDiscoverabilityPermission(completionHandler: { handlers.completed("\($0)") })
        }
        #expect(later.completions == ["true"])
        #expect(later.first?.actorName == "main")
    }
}
