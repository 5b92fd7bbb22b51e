import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

@testable import CloudKitDao

/// The faults of the original's live arrays.
extension OriginalFaults {
    @MainActor
    @Suite(.timeLimit(.minutes(30))) struct LiveData {
        private let folder: TestFolder
        private let database: SharedDatabase
        private let store: ClientStore
        private let dao: CloudDao
        private let other: CloudDao
        private let data: CloudData
        private let clock = ManualClock()
        private let screen = Screen()

        init() throws {
            folder = try TestFolder()
            database = try SharedDatabase()
            store = database.client()
            dao = CloudDao(store: store)
            other = CloudDao(store: database.client())
            data = CloudData(dao, cacheDirectory: folder.url, clock: clock)
        }

        /// The array's objects.
        private var messages: [Message] { data.data["mine"]?.compactMap { $0 as? Message } ?? [] }

        private func connected(_ strategy: CachingStrategy = .direct, posts: Bool? = nil) async {
            screen.connect(to: data, cachingStrategy: strategy, postNotifications: posts)
            await screen.waitForFinal()
        }

        private func save(_ message: Message, to data: CloudData? = nil) async throws -> Message {
            try await withCheckedThrowingContinuation { continuation in
                (data ?? self.data).saveItem(
                    message,
                    completionHandler: { _ in continuation.resume() },
                    errorHandler: { continuation.resume(throwing: $0) }
                )
            } as Void
            return message
        }

        /// The same app at its next start.
        private func nextStart() -> CloudData {
            CloudData(CloudDao(store: store), cacheDirectory: folder.url, clock: clock)
        }

        // MARK: Values

        @Test func `record ID and reference are the same after an update, and after a restore`() async throws {
            let zoned = CloudReference(recordID: CloudRecordID("u1", zone: CloudZoneID("notes")), action: .deleteSelf)
            let message = Message("m1", likes: 4)
            message.to = zoned
            try await other.save(message)
            await connected()
            message.likes = 5
            try await other.save(message)
            await screen.wait(for: "=m1 at 0")
            #expect(messages[0].recordID == CloudRecordID("m1") && messages[0].to == zoned)
            try data.backupAllData()
            data.disconnectAll()
            let restored = nextStart()
            Screen().connect(to: restored)
            let first = try #require(restored.data["mine"]?.first as? Message)
            #expect(first.recordID == CloudRecordID("m1") && first.to == zoned && first == message)
            first.likes = 6
            _ = try await save(first, to: restored)
        }

        @Test func `a field that somebody cleared is nil here`() async throws {
            let message = Message("m1", text: "text", likes: 4)
            message.place = CloudLocation(latitude: 1, longitude: 2)
            try await other.save(message)
            await connected()
            message.place = nil
            try await other.save(message)
            await screen.wait(for: "=m1 at 0")
            #expect(messages[0].place == nil)
        }

        @Test func `the picture of a cached object can be read after the store has gone`() async throws {
            let message = Message("m1", likes: 4)
            message.picture = CloudAsset(fileURL: try folder.file("picture", Data("pixels".utf8)))
            try await other.save(message)
            await connected()
            try data.backupAllData()
            data.disconnectAll()
            let restored = nextStart()
            Screen().connect(to: restored)
            let first = try #require(restored.data["mine"]?.first as? Message)
            #expect(first.picture?.fileURL.path.hasPrefix(folder.url.path) == true)
            #expect(try first.picture?.data() == Data("pixels".utf8))
        }

        // MARK: Saving and deleting

        @Test func `a save that is refused is taken back, and so is a deletion`() async throws {
            try await other.save(Message("m1", likes: 4))
            await connected()
            store.failModifications(with: CloudError(.permissionFailure, "No."))
            await #expect(throws: CloudError.self) { _ = try await save(Message("m2", likes: 5)) }
            #expect(data.shown() == ["m1 4"])
            let error = await withCheckedContinuation { continuation in
                data.deleteItem(
                    "m1",
                    completionHandler: { _ in },
                    errorHandler: { continuation.resume(returning: $0) }
                )
                #expect(data.shown() == [])
            }
            #expect(error.code == .permissionFailure && data.shown() == ["m1 4"])
            #expect(screen.events.suffix(4) == ["+m2", "-m2 at 1", "-m1 at 0", "+m1"])
        }

        @Test func `one save is one event, and one call that data changed`() async throws {
            await connected()
            let before = screen.log.count
            _ = try await save(Message("m1", likes: 4))
            store.notify(CloudRecordID("m1"), subscriptionID: "type_Message_id_mine")
            _ = try await save(Message("m2", likes: 5))
            #expect(screen.log.dropFirst(before) == ["+m1", "changed", "+m2", "changed"])
        }

        @Test func `an event has the position after sorting, and the object of the array`() async throws {
            try await other.save(Message.numbered(3...5))
            let positions = Mutex<[String]>([])
            data.connect(
                Message(),
                predicate: "likes >= 3",
                orderBy: .ascending("likes"),
                filterId: "mine",
                updatedHandler: { message, index in
                    let isStored = self.data.data["mine"]?[index] === message
                    positions.withLock { $0.append("\(message.recordID) at \(index) \(isStored)") }
                },
                changeHandler: { change in
                    guard case .moved(let message, let from, let to) = change else { return }
                    positions.withLock { $0.append("\(message.recordID) from \(from) to \(to)") }
                }
            )
            while data.data["mine"]?.count != 3, !Task.isCancelled { await Task.yield() }
            let message = try #require(try await dao.fetch(Message.self, "m003"))
            message.likes = 9
            _ = try await save(message)
            #expect(positions.withLock { $0 } == ["m003 from 0 to 2", "m003 at 2 true"])
            #expect(messages[2] !== message)
        }

        @Test func `a deletion by somebody else arrives, however the object came here`() async throws {
            try await other.save([Message("cached", likes: 3), Message("queried", likes: 4)])
            await connected()
            try data.backupAllData()
            data.disconnectAll()
            let later = nextStart()
            let screen = Screen()
            screen.connect(to: later)
            await screen.waitForFinal()
            try await other.save(Message("pushed", likes: 5))
            await screen.wait(for: "+pushed")
            _ = try await save(Message("saved", likes: 6), to: later)
            for name in ["cached", "queried", "pushed", "saved"] {
                try await other.delete([CloudRecordID(name)])
                await screen.wait(for: "-\(name) at 0")
            }
            #expect(later.shown() == [])
        }

        // MARK: Connecting

        @Test func `a handler may disconnect while more is on its way`() async throws {
            await connected()
            screen.onNote = { line in if line.hasPrefix("+") { self.data.disconnect("mine") } }
            try await other.save(Message.numbered(3...9))
            await screen.wait { self.screen.log.contains { $0.hasPrefix("+") } }
            let count = screen.log.count
            try await other.save(Message("m1", likes: 8))
            let later = Screen()
            later.connect(to: data, filterId: "later")
            await later.waitForFinal()
            #expect(screen.log.count == count && screen.log.filter { $0.hasPrefix("+") }.count == 1)
        }

        @Test func `two screens with one name don't take each other's data`() async throws {
            try await other.save(Message("m1", likes: 4))
            let first = screen.connect(to: data)
            let second = Screen()
            let connection = second.connect(to: data)
            await second.waitForFinal()
            first.disconnect()
            #expect(data.shown() == ["m1 4"] && !first.isConnected && connection.isConnected)
            try await other.save(Message("m2", likes: 5))
            await second.wait(for: "+m2")
            #expect(!screen.log.contains("+m2"))
        }

        @Test func `a late page does not bring a disconnected array back`() async throws {
            try await other.save(Message.numbered(1...250))
            let gate = Gate()
            store.holdPages(at: gate)
            screen.connect(to: data)
            while store.pageCount == 0, !Task.isCancelled { await Task.yield() }
            data.disconnect("mine")
            gate.open()
            let later = Screen()
            later.connect(to: data, filterId: "later")
            await later.waitForFinal()
            #expect(data.data["mine"] == nil && screen.events == ["retrieving 0"])
        }

        @Test func `the final call comes also if everything is as in the cache, and all pages are read`() async throws {
            try await other.save(Message.numbered(1...250))
            await connected()
            #expect(screen.events == ["retrieving 0", "partialResult 100", "partialResult 200", "finalResult 248"])
            try data.backupAllData()
            data.disconnectAll()
            try await other.save(Message("m999", likes: 999))
            let later = nextStart()
            let screen = Screen()
            var sizes: [Int] = []
            screen.onNote = { _ in sizes.append(later.data["mine"]?.count ?? -1) }
            screen.connect(to: later)
            await screen.waitForFinal()
            #expect(screen.events == ["fromCache 248", "partialResult 100", "partialResult 200", "finalResult 249"])
            // The array never shrinks to a page.
            #expect(sizes.allSatisfy { $0 >= 248 })
        }

        @Test func `a handler that has enough ends the reading, and is told that it was the end`() async throws {
            try await other.save(Message.numbered(1...450))
            screen.readsOn = false
            await connected()
            #expect(screen.events == ["retrieving 0", "partialResult 100", "finalResult 100"])
            // What comes later in the order is not followed, the rest is.
            try await other.save(Message("m9", likes: 999))
            try await other.save(Message("m8", likes: 50))
            await screen.wait(for: "+m8")
            #expect(!screen.log.contains("+m9"))
        }

        @Test func `without a completion handler everything is read`() async throws {
            try await other.save(Message.numbered(1...250))
            await withCheckedContinuation { continuation in
                var isDone = false
                data.connect(
                    Message(),
                    filterId: "mine",
                    dataChangedHandler: {
                        guard !isDone, self.data.data["mine"]?.count == 250 else { return }
                        isDone = true
                        continuation.resume()
                    }
                )
            }
        }

        @Test func `to connect waits for nobody`() async throws {
            store.holdPages(at: Gate())
            screen.connect(to: data)
            #expect(screen.events == ["retrieving 0"] && data.shown() == [])
            data.disconnectAll()
        }

        @Test func `a disconnected array's subscription goes if that is wanted`() async throws {
            await connected()
            #expect(store.subscriptionIDs == ["type_Message_id_mine"])
            data.disconnect("mine")
            #expect(store.subscriptionIDs == ["type_Message_id_mine"])
            // Also one that has not got as far as to subscribe.
            screen.connect(to: data)
            data.disconnect("mine", unsubscribe: true)
            while !store.subscriptionIDs.isEmpty, !Task.isCancelled { await Task.yield() }
        }

        @Test func `a sort key that does not exist is an error`() throws {
            screen.connect(to: data, orderBy: .ascending("nothing"))
            #expect(screen.errors.map(\.code) == [.invalidArguments] && data.data["mine"] == nil)
        }

        @Test(arguments: ["self CONTAINS 'hello'", "distanceToLocation:fromLocation:(place, %@) < 5000", "to == %@"])
        func `a predicate that only servers knew is followed here`(format: String) async throws {
            let place = CloudLocation(latitude: 52, longitude: 4)
            let argument: any CloudValueConvertible =
                format.hasPrefix("to") ? CloudReference(recordID: CloudRecordID("u1")) : place
            let predicate =
                format.contains("%@")
                ? try CloudPredicate(format: format, argument) : try CloudPredicate(format: format)
            screen.connect(to: data, predicate: predicate)
            await screen.waitForFinal()
            let message = Message("m1", text: "Hello, you", likes: 1)
            message.place = place
            message.to = CloudReference(recordID: CloudRecordID("u1"))
            _ = try await save(message)
            _ = try await save(Message("m2", text: "bye", likes: 2))
            #expect(data.shown() == ["m1 1"])
        }

        // MARK: Notifications

        private func posted(_ body: () async throws -> Void) async rethrows -> [String] {
            let posts = Mutex<[String]>([])
            let types: [DataChangeNotificationType] = [.completed, .inserted, .updated, .deleted, .dataChanged, .error]
            let tokens = types.map { type in
                NotificationCenter.default.addObserver(
                    forName: Notification.Name(CloudData.getNotificationCenterId("mine", changeType: type)),
                    object: data,
                    queue: nil
                ) { notification in
                    var line = type.rawValue
                    if let status = CloudData.getCompletionStatusFromNotification(notification) { line += " \(status)" }
                    if let index = notification.userInfo?["dataIndex"] as? Int { line += " \(index)" }
                    if let error = notification.userInfo?["error"] as? CloudError { line += " \(error.code)" }
                    if notification.userInfo?["filterId"] as? String != "mine" { line += " of nobody" }
                    posts.withLock { $0.append(line) }
                }
            }
            defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
            try await body()
            return posts.withLock { $0 }
        }

        @Test func `everything is posted, errors too`() async throws {
            let posts = try await posted {
                await connected(posts: true)
                let message = try await save(Message("m1", likes: 4))
                message.likes = 5
                _ = try await save(message)
                try await other.delete([CloudRecordID("m1")])
                await screen.wait(for: "-m1 at 0")
                store.fail(with: CloudError(.networkFailure, "No network."))
                data.fetchChangeNotifications()
                await screen.wait(for: "error networkFailure")
            }
            #expect(
                posts == [
                    "completed retrieving", "dataChanged", "completed finalResult", "dataChanged", "inserted 0",
                    "dataChanged", "updated 0", "dataChanged", "deleted 0", "dataChanged", "error networkFailure",
                ]
            )
            #expect(screen.errors.count == 1)
        }

        @Test func `posting can be switched off`() async throws {
            let posts = await posted {
                screen.connect(to: data, postNotifications: true)
                screen.connect(to: data, postNotifications: false)
                await screen.waitForFinal()
                data.disconnectAll()
                await connected()
            }
            #expect(posts == ["completed retrieving", "dataChanged"])
        }

        @Test func `a push makes the array read what it is about, and what it does not say`() async throws {
            await connected()
            store.loseNotifications(true)
            try await other.save([Message("m1", likes: 4), Message("m2", likes: 5)])
            func receive(_ userInfo: [AnyHashable: Any]) async -> Bool {
                var isOther = false
                await withCheckedContinuation { continuation in
                    data.didReceiveRemoteNotification(
                        userInfo,
                        executeIfNonQuery: { isOther = true },
                        completed: { continuation.resume() }
                    )
                }
                return isOther
            }
            let query: [AnyHashable: Any] = ["rid": "m1", "sid": "type_Message_id_mine", "fo": 1, 7: 8]
            #expect(await !receive(["aps": [:] as [String: Any], "ck": ["qry": query] as [String: Any], 5: "five"]))
            #expect(data.shown() == ["m1 4"])
            #expect(await receive(["aps": ["alert": "news"]]))
            #expect(data.shown() == ["m1 4"])
            #expect(await !receive(["ck": ["qry": ["sid": "type_Message_id_mine"]]]))
            #expect(data.shown() == ["m1 4", "m2 5"])
        }

        // MARK: The cache

        @Test func `backupAllData writes what is new, whatever the strategy says`() async throws {
            try await other.save(Message("m1", likes: 4))
            await connected(.every(minute: 30))
            _ = try await save(Message("m2", likes: 5))
            #expect(data.cachingChangesCount["mine"] != 0)
            try data.backupAllData()
            data.disconnectAll()
            #expect(data.shown() == nil)
            let later = nextStart()
            Screen().connect(to: later)
            #expect(later.shown() == ["m1 4", "m2 5"])
        }

        @Test func `the minutes of a strategy pass without a run loop`() async throws {
            await connected(.every(minute: 3))
            while data.cachingLastWrite["mine"] == nil, !Task.isCancelled { await Task.yield() }
            _ = try await save(Message("m1", likes: 4))
            _ = try await save(Message("m2", likes: 5))
            #expect(await clock.wakeNext() == .seconds(180))
            while data.cachingChangesCount["mine"] != 0, !Task.isCancelled { await Task.yield() }
            store.fail(with: CloudError(.networkFailure, "No network."))
            data.disconnectAll()
            let later = nextStart()
            Screen().connect(to: later)
            #expect(later.shown() == ["m1 4", "m2 5"])
        }

        @Test func `databases, users and odd names have caches of their own`() async throws {
            let container = CloudContainer("live.\(UUID().uuidString)")
            CloudContainer.configure(container, storage: .embedded(directory: folder.url))
            try container.signIn(CloudRecordID("anna"))
            func connect(_ scope: CloudDatabaseScope, _ filterId: String) async -> (CloudData, Screen) {
                let data = CloudData(container.database(scope))
                let screen = Screen()
                screen.connect(to: data, filterId: filterId)
                return (data, screen)
            }
            for (scope, name) in [(CloudDatabaseScope.private, "secret"), (.public, "news")] {
                let (data, screen) = await connect(scope, "a/b")
                await screen.waitForFinal()
                _ = try await save(Message(name, likes: 4), to: data)
                try data.backupAllData()
                data.disconnectAll()
            }
            let (annas, screen) = await connect(.private, "a/b")
            #expect(screen.events.first == "fromCache 1" && annas.shown("a/b") == ["secret 4"])
            let annasDatabase = annas.dao
            annas.disconnectAll()
            try container.signIn(CloudRecordID("bob"))
            let (_, bobsScreen) = await connect(.private, "a/b")
            #expect(bobsScreen.events.first == "retrieving 0")
            let former = Screen()
            former.connect(to: CloudData(annasDatabase), filterId: "a/b")
            #expect(former.events.first == "retrieving 0")
            try container.signIn(CloudRecordID("anna"))
            let (_, again) = await connect(.private, "a/b")
            #expect(again.events.first == "fromCache 1")
        }

        @Test func `a damaged cache is an error, and the array is read from the store`() async throws {
            try await other.save(Message("m1", likes: 4))
            await connected()
            try data.backupAllData()
            data.disconnectAll()
            let file = try #require(data.cacheFile("mine")?.url)
            try Data("damaged".utf8).write(to: file)
            let later = nextStart()
            let screen = Screen()
            screen.connect(to: later)
            await screen.waitForFinal()
            #expect(screen.events == ["error internalError", "retrieving 0", "finalResult 1"])
            while later.cachingLastWrite["mine"] == nil, !Task.isCancelled { await Task.yield() }
            later.disconnectAll()
            let again = Screen()
            again.connect(to: nextStart())
            #expect(again.events == ["fromCache 1"])
        }

        @Test func `a cache that can't be read is not written over`() async throws {
            let file = try #require(data.cacheFile("mine")?.url)
            let folder = file.deletingLastPathComponent()
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: file)
            try await other.save(Message("m1", likes: 4))
            await connected()
            #expect(screen.events == ["error internalError", "retrieving 0", "finalResult 1"])
            try data.backupAllData()
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == file.path)
        }

        @Test func `restoring does not bring back what is disconnected, and removing removes`() async throws {
            try await other.save(Message("m1", likes: 4))
            await connected()
            try data.backupAllData()
            data.disconnectAll()
            data.restoreAllData()
            #expect(data.data.isEmpty && !data.restoreDataForFilter("mine"))
            try data.removeBackupForFilter("mine")
            try data.removeBackupForFilter("mine")
            let later = Screen()
            later.connect(to: nextStart())
            #expect(later.events == ["retrieving 0"])
        }

        @Test func `a connected array shows its cache again until the store is read`() async throws {
            try await other.save([Message("m1", likes: 4), Message("m2", likes: 5)])
            await connected(.every(minute: 30))
            try data.backupAllData()
            try await other.delete([CloudRecordID("m2")])
            await screen.wait(for: "-m2 at 1")
            #expect(data.restoreDataForFilter("mine"))
            #expect(data.shown() == ["m1 4", "m2 5"])
            await screen.wait { self.data.shown() == ["m1 4"] }
        }

        @Test func `without caching the file of an earlier run is not read`() async throws {
            try await other.save(Message("m1", likes: 4))
            await connected()
            try data.backupAllData()
            data.disconnectAll()
            let later = nextStart()
            let screen = Screen()
            screen.connect(to: later, cachingStrategy: .none)
            await screen.waitForFinal()
            #expect(screen.events == ["retrieving 0", "finalResult 1"])
            #expect(FileManager.default.fileExists(atPath: try #require(later.cacheFile("mine")?.url).path))
        }
    }
}
