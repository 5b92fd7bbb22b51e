import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

/// Who is signed in to a container, and whose data it gives.
@Suite struct Accounts {
    let folder: TestFolder
    let container = CloudContainer("test.accounts.\(UUID().uuidString)")
    let alice = CloudRecordID("alice")
    let bob = CloudRecordID("_b0b")

    init() throws {
        folder = try TestFolder()
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
    }

    var publicDB: CloudDao { container.database(.public) }
    var privateDB: CloudDao { container.database(.private) }
    var sharedDB: CloudDao { container.database(.shared) }

    func code(_ body: () async throws -> Void) async -> CloudError.Code? {
        do {
            try await body()
            return nil
        } catch {
            return CloudError(error).code
        }
    }

    // MARK: Whose data

    @Test func `each user has private databases, and sees nothing of the others'`() async throws {
        for scope in [CloudDatabaseScope.private, .shared] {
            for user in [alice, bob] {
                try container.signIn(user)
                #expect(try await container.database(scope).query(Message.self).isEmpty)
                try await container.database(scope).save(Message("diary", text: "\(user) \(scope)"))
            }
            for user in [alice, bob] {
                try container.signIn(user)
                #expect(try await container.database(scope).fetch(Message.self, "diary")?.text == "\(user) \(scope)")
            }
        }
    }

    @Test func `the user who never signed in keeps the files of before`() async throws {
        try await privateDB.save(Message("m1", text: "first"))
        #expect(FileManager.default.fileExists(atPath: folder.path("\(container.identifier)/private.sqlite")))
        try container.signIn(alice)
        #expect(try await privateDB.query(Message.self).isEmpty)
        try container.signIn(CloudRecordID(CloudZoneID.currentOwnerName))
        #expect(try await privateDB.fetch(Message.self, "m1")?.text == "first")
    }

    @Test(arguments: [
        ("alice", "Alice"), ("a/b", "a%2fb"), ("..", "."), ("a b", "a+b"), ("%41", "A"),
        (String(repeating: "x", count: 80), String(repeating: "x", count: 81)),
        (String(repeating: "/", count: 81), String(repeating: "/", count: 82)),
        (String(repeating: "x", count: 80), String(repeating: "x", count: 80) + "private.sqlite"),
    ])
    func `names that differ, in whatever way, have folders that differ on every file system`(
        one: String,
        other: String
    ) async throws {
        for name in [one, other] {
            try container.signIn(CloudRecordID(name))
            try await privateDB.save(Message("m1", text: name))
        }
        for name in [one, other] {
            try container.signIn(CloudRecordID(name))
            #expect(try await privateDB.fetch(Message.self, "m1")?.text == name)
        }
        let paths = FileManager.default.enumerator(atPath: folder.url.path)?.compactMap { $0 as? String } ?? []
        let databases = paths.filter { $0.hasSuffix("private.sqlite") }
        #expect(databases.count == 2)
        #expect(Set(databases.map { $0.lowercased() }).count == 2)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [container.identifier])
    }

    @Test(arguments: [false, true])
    func `the creator of a record is the user who is signed in`(isInMemory: Bool) async throws {
        if isInMemory { CloudContainer.configure(container, storage: .inMemory) }
        let dao = publicDB
        try container.signIn(alice)
        try await dao.save(Message("m1"))
        try container.signIn(bob)
        try await dao.save(Message("m2"))
        let first = try #require(try await dao.fetch(Message.self, "m1"))
        first.text = "changed"
        try await dao.save(first)
        #expect(first.creatorUserRecordID == alice)
        #expect(first.lastModifiedUserRecordID == bob)
        #expect(try await dao.fetch(Message.self, "m2")?.creatorUserRecordID == bob)
        #expect(try await dao.store().currentUserRecordID() == bob)
        #expect(try await dao.query(Message.self, where: \.creatorUserRecordID == alice).count == 1)
    }

    @Test func `a private DAO from before a switch serves its user only`() async throws {
        try container.signIn(alice)
        let ofAlice = privateDB
        let store = try await ofAlice.store()
        let message = Message("m1", text: "alice's")
        try await ofAlice.save(message)
        try container.signIn(bob)
        #expect(privateDB !== ofAlice)
        let codes = [
            await code { try await ofAlice.save(message) },
            await code { _ = try await ofAlice.fetch(Message.self, "m1") },
            await code { _ = try await ofAlice.query(Message.self) },
            await code { try await ofAlice.delete(message) },
            await code { _ = try await ofAlice.store() },
            await code { _ = try await store.fetch([message.recordID], desiredFields: nil) },
            await code { _ = try await store.modify(CloudModification(deleting: [message.recordID])) },
            await code { _ = try await store.zones() },
            await code { _ = try await store.currentUserRecordID() },
        ]
        #expect(codes == Array(repeating: .notAuthenticated, count: codes.count))
        #expect(try await privateDB.query(Message.self).isEmpty)
        try container.signIn(alice)
        #expect(privateDB === ofAlice)
        #expect(try await ofAlice.fetch(Message.self, "m1")?.text == "alice's")
    }

    @Test func `what is read when the user changes is not handed to the next one`() async throws {
        let (reading, proceed) = (Gate(), Gate())
        CloudContainer.configure(
            container,
            storage: .custom { _ in
                InterceptedStore(
                    try SQLiteStore.inMemory(),
                    onPage: { _, _, _ in
                        reading.open()
                        await proceed.wait()
                        return nil
                    }
                )
            }
        )
        try container.signIn(alice)
        let dao = privateDB
        let task = Task { await code { _ = try await dao.query(Message.self) } }
        await reading.wait()
        try container.signIn(bob)
        proceed.open()
        #expect(await task.value == .notAuthenticated)
    }

    @Test func `a query that goes on ends with a typed error when the account changes`() async throws {
        try container.signIn(alice)
        let dao = privateDB
        try await dao.save(Message.numbered(1...10))
        var count = 0
        let error = await #expect(throws: CloudError.self) {
            for try await batch in dao.batches(of: Message.self, batchSize: 4) {
                count += batch.count
                container.signOut()
            }
        }
        #expect(error?.code == .notAuthenticated)
        #expect(count == 4)
    }

    @Test func `a change token of one user is refused in another's database, whose changes come from the start`()
        async throws
    {
        try container.signIn(alice)
        try await privateDB.save(Message.numbered(1...5))
        let token = try await privateDB.store().changes(since: nil, in: nil, limit: 100).token
        try container.signIn(bob)
        try await privateDB.save(Message("m1"))
        let store = try await privateDB.store()
        let error = await #expect(throws: CloudError.self) {
            try await store.changes(since: token, in: nil, limit: 100)
        }
        #expect(error?.code == .changeTokenExpired)
        let changes = try await store.changes(since: nil, in: nil, limit: 100)
        #expect(changes.saved.map(\.recordID.recordName) == ["m1"])
        #expect(!changes.moreComing)
    }

    @Test func `private, public and other containers' databases have values of their own`() async throws {
        let other = CloudContainer(container.identifier + ".other")
        CloudContainer.configure(other, storage: .embedded(directory: folder.url))
        let daos = [privateDB, publicDB, sharedDB, other.database(.private), other.database(.public)]
        for (number, dao) in daos.enumerated() { try await dao.save(Message("same", likes: number)) }
        for (number, dao) in daos.enumerated() {
            #expect(try await dao.fetch(Message.self, "same")?.likes == number)
            #expect(try await dao.query(Message.self).count == 1)
        }
        // An account is that of one container.
        try container.signIn(alice)
        #expect(other.account.userRecordID != alice)
        #expect(try await other.database(.private).fetch(Message.self, "same")?.likes == 3)
    }

    @Test func `a DAO of a named container stays with it when the account changes`() async throws {
        let dao = CloudDao.publicDBForContainer(container.identifier)
        try await dao.save(Message("m1", text: "here"))
        try container.signIn(alice)
        #expect(try await dao.fetch(Message.self, "m1")?.text == "here")
        #expect(CloudDao.publicDBForContainer(container.identifier) === dao)
        container.signOut()
        #expect(try await dao.fetch(Message.self, "m1")?.text == "here")
    }

    @Test func `stores that the app makes per user are told the user`() async throws {
        let folder = folder
        CloudContainer.configure(
            container,
            storage: .customPerUser { scope, user in
                let name = scope == .public ? "all" : user.recordName
                return try SQLiteStore(path: folder.path("\(name).sqlite"), userRecordID: user)
            }
        )
        for user in [alice, bob] {
            try container.signIn(user)
            let (everybodys, own) = (Message(), Message())
            try await publicDB.save(everybodys)
            try await privateDB.save(own)
            #expect(everybodys.creatorUserRecordID == user)
            #expect(own.creatorUserRecordID == user)
        }
        #expect(try await publicDB.query(Message.self).count == 2)
        #expect(try await privateDB.query(Message.self).count == 1)
    }

    @Test(arguments: ["", "Ærø", String(repeating: "x", count: 256)])
    func `a name that no user can have is refused`(name: String) throws {
        let error = #expect(throws: CloudError.self) { try container.signIn(CloudRecordID(name)) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.remedy.isEmpty == false)
        #expect(container.account.userRecordID == CloudRecordID(CloudZoneID.currentOwnerName))
        #expect(throws: CloudError.self) { try container.signIn(CloudRecordID("alice", zone: CloudZoneID("z"))) }
    }

    @Test func `a name that is too long for the path of a file is an error that says so`() async throws {
        try container.signIn(CloudRecordID(String(repeating: "/", count: 255)))
        let error = await #expect(throws: CloudError.self) { try await privateDB.save(Message("m1")) }
        #expect(error?.code == .badContainer)
        #expect(error?.message.contains("long") == true)
        #expect(error?.remedy.isEmpty == false)
    }

    // MARK: Zones

    @Test func `custom zones are for private and shared databases`() async throws {
        let zone = CloudZoneID("notes")
        for scope in [CloudDatabaseScope.private, .shared] {
            let dao = container.database(scope)
            try await dao.store().saveZone(zone)
            let message = Message()
            message.recordID = CloudRecordID("m1", zone: zone)
            try await dao.save(message)
        }
        let store = try await publicDB.store()
        let error = await #expect(throws: CloudError.self) { try await store.saveZone(zone) }
        #expect(error?.code == .badDatabase)
        #expect(error?.message.contains("notes") == true && error?.message.contains("public") == true)
        #expect(try await store.zones().allSatisfy(\.isDefault))
        try await SQLiteStore.inMemory().saveZone(zone)
    }
}
