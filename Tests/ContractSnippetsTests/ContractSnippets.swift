import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// What the design promises its users to be able to write, compiled and run.
@Suite(.timeLimit(.minutes(30)))
struct ContractSnippets {
    /// A name that nothing else in the process uses.
    private let me = "me-\(UUID().uuidString)"

    /// The public database of the default container.
    ///
    /// Other tests configure the default container as well. It is one or the other database in memory: tests tell
    /// their own records by ``me``.
    private var publicDB: CloudDao {
        CloudContainer.configure(.default, storage: .inMemory)
        return CloudDao.publicDB
    }

    private func message(likes: Int, text: String = "") -> Message {
        let message = Message()
        message.from = me
        message.likes = likes
        message.text = text
        return message
    }

    // MARK: From no actor

    @Test func `the snippets with await save, find, fetch and delete`() async throws {
        let dao = publicDB
        let popular = message(likes: 4)
        let id = popular.recordID
        let (all, one) = try await AsWritten.withAwait(dao, popular, me: me, id: id)
        #expect(all == [popular])
        #expect(one == popular)
        #expect(all.first?.recordChangeTag != nil)
        #expect(try await dao.fetch(Message.self, id) == nil)
    }

    @Test func `the snippets with handlers reach the store, and the message is saved`() async throws {
        let store = try FaultyStore.inMemory()
        let dao = CloudDao(store: store)
        let message = message(likes: 1)
        let id = message.recordID
        AsWritten.withHandlers(dao, message, me: me, id: id.recordName)
        let requests = try await store.answeredCalls(6)
        #expect(requests.count { $0.operation == .modify } == 1)
        #expect(requests.count { $0.operation == .page } == 5)
        #expect(try await dao.fetch(Message.self, id)?.from == me)
    }

    @Test func `record types are made without sample records`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let schema = try await AsWritten.schema(dao)
        #expect(schema["Message"]?.fields.count == 8)
        #expect(try await dao.query(Message.self).isEmpty)
    }

    // MARK: From the main actor

    @Test @MainActor func `the snippets with await work on the main actor`() async throws {
        let dao = publicDB
        let popular = message(likes: 4)
        let (all, one) = try await AsWrittenOnMainActor.withAwait(dao, popular, me: me, id: popular.recordID)
        #expect(all == [popular])
        #expect(one == popular)
        #expect(try await dao.fetch(Message.self, popular.recordID) == nil)
    }

    @Test @MainActor func `the snippets with handlers work on the main actor`() async throws {
        let store = try FaultyStore.inMemory()
        let dao = CloudDao(store: store)
        let message = message(likes: 1)
        AsWrittenOnMainActor.withHandlers(dao, message, me: me, id: message.recordID.recordName)
        let requests = try await store.answeredCalls(6)
        #expect(requests.count { $0.operation == .modify } == 1)
        #expect(requests.count { $0.operation == .page } == 5)
        #expect(try await dao.fetch(Message.self, message.recordID)?.from == me)
    }

    // MARK: What the handlers get

    @Test @MainActor func `a query's handlers get what the snippets say`() async throws {
        let dao = publicDB
        let friend = message(likes: 0)
        let letter = message(likes: 1)
        letter.to = CloudReference(to: friend)
        try await dao.save([friend, letter])
        let me = me

        let all = await withCheckedContinuation { continuation in
            dao.query(
                Message(),
                completionHandler: { results in continuation.resume(returning: results.count { $0.from == me }) },
                errorHandler: { _ in continuation.resume(returning: -1) }
            )
        }
        #expect(all == 2)

        let mine = await withCheckedContinuation { (continuation: CheckedContinuation<[CloudRecordID], Never>) in
            dao.query(
                Message(),
                predicate: "from == \(me)",
                orderBy: .descending("creationDate"),
                batchSize: 200,
                completionHandler: { results, isFinished in
                    if isFinished { continuation.resume(returning: results.map(\.recordID)) }
                    return results.count < 1000
                },
                errorHandler: { _ in continuation.resume(returning: []) }
            )
        }
        #expect(mine == [letter.recordID, friend.recordID])

        let letters = await withCheckedContinuation { (continuation: CheckedContinuation<[CloudRecordID], Never>) in
            dao.query(
                Message(),
                referenceRecordName: friend.recordID.recordName,
                referenceField: "to",
                completionHandler: { results in continuation.resume(returning: results.map(\.recordID)) },
                errorHandler: { _ in continuation.resume(returning: []) }
            )
        }
        #expect(letters == [letter.recordID])
    }

    @Test(arguments: [false, true])
    func `searches by words and by distance find what they are for`(isNearby: Bool) async throws {
        let dao = publicDB
        let near = Message()
        near.text = "Hello there"
        near.from = "World"
        near.place = CloudLocation(latitude: 52.11, longitude: 4.31)
        let far = Message()
        far.text = "Hello"
        far.place = CloudLocation(latitude: 53, longitude: 4.3)
        try await dao.save([near, far])
        let found = await withCheckedContinuation { (continuation: CheckedContinuation<[CloudRecordID], Never>) in
            if isNearby {
                dao.query(
                    Message(),
                    fieldname: "place",
                    latitude: 52.1,
                    longitude: 4.3,
                    distance: 5_000,
                    completionHandler: { results in continuation.resume(returning: results.map(\.recordID)) },
                    errorHandler: { _ in continuation.resume(returning: []) }
                )
            } else {
                dao.query(
                    Message(),
                    tokens: "hello world",
                    completionHandler: { results in continuation.resume(returning: results.map(\.recordID)) },
                    errorHandler: { _ in continuation.resume(returning: []) }
                )
            }
        }
        #expect(found == [near.recordID])
    }

    // MARK: The rest

    @Test func `the databases are what their names say`() throws {
        let databases = try AsWritten.databases()
        #expect(Set(databases.map(ObjectIdentifier.init)).count == 6)
    }

    @Test func `a file is a database, and a container keeps its own in a directory or in the app's stores`()
        async throws
    {
        let url = FileManager.default.temporaryDirectory.appending(path: "ContractSnippets-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: url) }
        let mine = CloudDao(store: try SQLiteStore(path: url.appending(path: "chat.sqlite").path))
        try await mine.save(message(likes: 1))
        #expect(FileManager.default.fileExists(atPath: url.appending(path: "chat.sqlite").path))

        let container = CloudContainer(me)
        CloudContainer.configure(container, storage: .embedded(directory: url))
        try await CloudDao.publicDBForContainer(me).save(message(likes: 2))
        #expect(FileManager.default.fileExists(atPath: url.appending(path: "\(me)/public.sqlite").path))

        let store = try SQLiteStore.inMemory()
        try await CloudDao(store: store).save(message(likes: 3))
        CloudContainer.configure(container, storage: .custom { scope in store })
        #expect(try await CloudDao.privateDBForContainer(me).query(Message.self).map(\.likes) == [3])
    }

    @Test func `IDs, references, assets, places and predicates are values`() throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "ContractSnippets-\(UUID().uuidString)")
        try Data([1, 2, 3]).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let user = message(likes: 0)
        let (reference, data, distance, predicate) = try AsWritten.values(user, url, me: me)
        #expect(reference == CloudReference(recordID: user.recordID, action: .none))
        #expect(data == Data([1, 2, 3]))
        #expect(distance == 0)
        #expect(predicate == "from == \(me) AND likes > \(3)")
    }

    @Test func `an object and an error have the parts that are listed`() {
        let object = AsWritten.parts(of: message(likes: 0))
        #expect(object.map { $0 == nil } == [false, false, true, true, true, true, true, false])
        let error = AsWritten.parts(of: CloudError(.zoneBusy, "Later.", retryAfter: 7))
        #expect(error.map { $0 == nil } == [false, false, false, false, true, true, true])
        #expect(error[2] as? Double == 7)
    }

    @Test func `a retry has its seconds`() {
        let error = CloudError(.requestRateLimited, "Later.", retryAfter: 7)
        #expect(CloudDao.handleCloudKitErrorAs(error, retryAttempt: 1) == .retry(afterSeconds: 7))
        AsWritten.classification(error)
    }

    @Test func `a message needs no initializer, and JSON goes both ways`() throws {
        let message = message(likes: 3, text: "hello")
        let read = try Message(json: try message.toJSON())
        #expect(read == message)
        #expect(read.hashValue == message.hashValue)
        #expect(message.description.contains("hello"))
    }
}
