import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

/// Where the databases of a container are.
@Suite struct Containers {
    private let folder: TestFolder
    private let container = CloudContainer("test.containers.\(UUID().uuidString)")

    init() throws {
        folder = try TestFolder()
    }

    @Test func `a container hands out the same DAO each time, and another one for each scope`() {
        CloudContainer.configure(container, storage: .inMemory)
        let daos = CloudDatabaseScope.allCases.map { container.database($0) }
        #expect(Set(daos.map(ObjectIdentifier.init)).count == 3)
        #expect(
            CloudDatabaseScope.allCases.map { ObjectIdentifier(container.database($0)) }
                == daos.map(ObjectIdentifier.init)
        )
        #expect(CloudDao.publicDBForContainer(container.identifier) === daos[0])
        #expect(CloudDao.privateDBForContainer(container.identifier) === daos[1])
    }

    @Test func `an embedded container keeps one file for each database in its folder`() async throws {
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        for scope in CloudDatabaseScope.allCases {
            try await container.database(scope).save(Message("m1", text: "\(scope)"))
        }
        for scope in CloudDatabaseScope.allCases {
            let path = folder.path("\(container.identifier)/\(scope.rawValue).sqlite")
            let fetched = try await CloudDao(store: try SQLiteStore(path: path)).fetch(Message.self, "m1")
            #expect(fetched?.text == "\(scope)")
        }
    }

    @Test func `data outlives the container that wrote it`() async throws {
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        try await container.database(.public).save(Message("m1", text: "still here"))
        // Configured again, the container opens its files anew.
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        #expect(try await container.database(.public).fetch(Message.self, "m1")?.text == "still here")
    }

    @Test func `configuring again gives new databases, and leaves the old DAOs their stores`() async throws {
        CloudContainer.configure(container, storage: .inMemory)
        let old = container.database(.public)
        try await old.save(Message("m1"))
        CloudContainer.configure(container, storage: .inMemory)
        #expect(container.database(.public) !== old)
        #expect(try await container.database(.public).fetch(Message.self, "m1") == nil)
        #expect(try await old.fetch(Message.self, "m1") != nil)
    }

    @Test func `nothing is opened before it is used`() async throws {
        let opened = Mutex<[CloudDatabaseScope]>([])
        let box = OpenedStores(opened: { scope in opened.withLock { $0.append(scope) } })
        CloudContainer.configure(container, storage: .custom { try box.open($0) })
        let dao = container.database(.private)
        #expect(opened.withLock { $0 } == [])
        try await dao.save(Message("m1"))
        _ = try await dao.query(Message.self)
        #expect(opened.withLock { $0 } == [.private])
    }

    @Test func `an error of opening is not remembered`() async throws {
        let isLocked = Mutex(true)
        let box = OpenedStores(opened: { _ in
            if isLocked.withLock({ $0 }) { throw CloudError(.badContainer, "The cellar is locked.") }
        })
        CloudContainer.configure(container, storage: .custom { try box.open($0) })
        let dao = container.database(.public)
        let error = await #expect(throws: CloudError.self) { try await dao.save(Message("m1")) }
        #expect(error?.message == "The cellar is locked.")
        isLocked.withLock { $0 = false }
        try await dao.save(Message("m1"))
        #expect(try await dao.query(Message.self).count == 1)
    }

    @Test(arguments: ["../../escape", "a/b", "a%2Fb", "iCloud.com.example.app", "Ærø 日本", "CON", "a\\b"])
    func `whatever an identifier is, its files stay within the directory`(identifier: String) async throws {
        let container = CloudContainer(identifier)
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        try await container.database(.public).save(Message("m1", text: identifier))
        let folders = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(folders.count == 1)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path(try #require(folders.first)))
        #expect(files.contains("public.sqlite"))
    }

    @Test func `identifiers that differ have files that differ`() async throws {
        let identifiers = ["a/b", "a%2Fb", "a_b", "A_b", "a b"]
        for identifier in identifiers {
            let container = CloudContainer(identifier + container.identifier)
            CloudContainer.configure(container, storage: .embedded(directory: folder.url))
            try await container.database(.public).save(Message("m1", text: identifier))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == identifiers.count)
        for identifier in identifiers {
            let fetched = try await CloudContainer(identifier + container.identifier).database(.public)
                .fetch(Message.self, "m1")
            #expect(fetched?.text == identifier)
        }
    }

    @Test(arguments: ["", ".", ".."])
    func `an identifier that can't name a folder is an error`(identifier: String) async throws {
        let container = CloudContainer(identifier)
        CloudContainer.configure(container, storage: .embedded(directory: folder.url))
        let error = await #expect(throws: CloudError.self) { try await container.database(.public).save(Message("m1")) }
        #expect(error?.code == .badContainer)
        #expect(error?.remedy.isEmpty == false)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test func `a directory that is a file is an error with a remedy`() async throws {
        let file = try folder.file("file", Data())
        CloudContainer.configure(container, storage: .embedded(directory: file))
        let error = await #expect(throws: CloudError.self) { try await container.database(.public).save(Message("m1")) }
        #expect(error?.remedy.isEmpty == false)
    }

    @Test func `a reference by record name is deleted with its target, as in the original`() throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        #expect(
            dao.referenceForId("m1") == CloudReference(recordID: CloudRecordID("m1"), action: .deleteSelf)
        )
    }
}

/// Opens stores in memory, after the test had its say.
private final class OpenedStores: Sendable {
    private let opened: @Sendable (CloudDatabaseScope) throws -> Void

    init(opened: @escaping @Sendable (CloudDatabaseScope) throws -> Void) {
        self.opened = opened
    }

    func open(_ scope: CloudDatabaseScope) throws -> any CloudStore {
        try opened(scope)
        return try SQLiteStore.inMemory()
    }
}
