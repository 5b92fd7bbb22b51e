import CloudKitDao
import Foundation
import Synchronization
import Testing

/// What the framework says unasked: nothing, unless a handler was set.
///
/// The handler belongs to the whole process. So these tests run one after the other, no other suite sets a handler,
/// and each looks only at entries that name its own records.
@Suite(.serialized, .timeLimit(.minutes(30)))
final class Log: Sendable {
    private let entries = Mutex<[CloudLog.Entry]>([])
    private let mark = "log-\(UUID().uuidString)"

    deinit {
        CloudLog.setHandler(nil)
    }

    private func listen(from level: CloudLog.Level = .debug) {
        CloudLog.setHandler(minimumLevel: level) { [weak self] entry in
            self?.entries.withLock { $0.append(entry) }
        }
    }

    /// The entries about the records of this test.
    private var ownEntries: [CloudLog.Entry] {
        entries.withLock { $0.filter { $0.message.contains(mark) } }
    }

    private var failingDao: CloudDao {
        get throws {
            CloudDao(store: try InterceptedStore.failing(with: CloudError(.networkFailure, "No wire to \(mark).")))
        }
    }

    @Test(arguments: HandlerRequest.allCases)
    func `an error that no handler takes goes to the log, as an error`(request: HandlerRequest) async throws {
        listen()
        let dao = try failingDao
        let calls = await HandlerReport.calls { request.startWithoutErrorHandler(on: dao, $0) }
        #expect(calls.isEmpty)
        #expect(ownEntries.map(\.level) == [.error])
        #expect(ownEntries.map(\.error?.code) == [.networkFailure])
    }

    @Test(arguments: HandlerRequest.allCases)
    func `an error that a handler takes does not go to the log`(request: HandlerRequest) async throws {
        listen()
        let dao = try failingDao
        let calls = await HandlerReport.calls { request.start(on: dao, $0) }
        #expect(calls.errors.count == 1)
        #expect(ownEntries.isEmpty)
    }

    @Test @MainActor func `a cancelled request without an error handler is not worth an entry`() async throws {
        listen()
        let message = Message(mark)
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        _ = await HandlerReport.calls { handlers in
            dao.saveItem(message, completionHandler: { _ in handlers.completed("saved") }).cancel()
        }
        let cancellations = entries.withLock { $0.filter { $0.error?.code == .operationCancelled } }
        #expect(cancellations.isEmpty)
    }

    @Test func `a record that can't be mapped goes to the log once`() async throws {
        listen()
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save([NewerSignal(mark, "bad", .paused), NewerSignal("fine", "fine", .running)])
        #expect(try await dao.query(Signal.self).map(\.title) == ["fine"])
        #expect(ownEntries.map(\.level) == [.error])
        #expect(ownEntries.first?.error?.recordID == CloudRecordID(mark))
        #expect(ownEntries.first?.error?.field == "state")
    }

    @Test func `a record that a mapping failure handler takes does not go to the log`() async throws {
        listen()
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let reported = Mutex(0)
        dao.mappingFailureHandler = { _ in reported.withLock { $0 += 1 } }
        try await dao.save(NewerSignal(mark, "bad", .paused))
        #expect(try await dao.query(Signal.self).isEmpty)
        #expect(reported.withLock { $0 } == 1)
        #expect(ownEntries.isEmpty)
        dao.mappingFailureHandler = nil
        _ = try await dao.query(Signal.self)
        #expect(ownEntries.count == 1)
    }

    @Test func `a removed handler hears nothing more`() async throws {
        listen()
        let dao = try failingDao
        _ = await HandlerReport.calls { HandlerRequest.saveItem.startWithoutErrorHandler(on: dao, $0) }
        CloudLog.setHandler(nil)
        _ = await HandlerReport.calls { HandlerRequest.saveItem.startWithoutErrorHandler(on: dao, $0) }
        #expect(ownEntries.count == 1)
    }

    @Test func `levels are in order, from debug to error`() {
        #expect(CloudLog.Level.allCases.sorted() == [.debug, .info, .warning, .error])
    }

    @Test func `no library source prints`() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Sources")
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        var count = 0
        for case let file as URL in files where file.pathExtension == "swift" {
            count += 1
            let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            for line in lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
                let prints = line.contains(/\b(print|debugPrint|dump|NSLog|fputs|puts)\(/)
                #expect(!prints, "\(file.lastPathComponent): \(line)")
            }
        }
        #expect(count > 50)
    }
}

extension HandlerRequest {
    /// Starts the request with no handler for errors.
    fileprivate func startWithoutErrorHandler(
        on dao: CloudDao,
        _ handlers: HandlerReport,
        isolation: isolated (any Actor)? = #isolation
    ) {
        let all: ([Message]) -> Void = { _ in handlers.completed("") }
        let batch: ([Message]) -> Bool = { _ in
            handlers.completed("")
            return true
        }
        let batchOrLast: ([Message], Bool) -> Bool = { _, _ in
            handlers.completed("")
            return true
        }
        switch self {
        case .saveItem: dao.saveItem(Message("m1"), completionHandler: { _ in handlers.completed("") })
        case .saveItems: dao.saveItems([Message("m1")], completionHandler: { _ in handlers.completed("") })
        case .modifyItems:
            dao.modifyItems(
                saving: [Message("m1")],
                deleting: [],
                completionHandler: { _ in handlers.completed("") }
            )
        case .getItem: dao.getItem("m1", completionHandler: { (_: Message) in handlers.completed("") })
        case .getItems: dao.getItems(["m1"], completionHandler: all)
        case .getItemsWithErrors:
            dao.getItems(["m1"], completionHandler: { (_: [Message], _) in handlers.completed("") })
        case .deleteItem: dao.deleteItem("m1", completionHandler: { _ in handlers.completed("") })
        case .deleteItems: dao.deleteItems([Message("m1")], completionHandler: { _ in handlers.completed("") })
        case .queryAll: dao.query(Message(), completionHandler: all)
        case .queryBatch: dao.query(Message(), completionHandler: batch)
        case .queryBatchOrLast: dao.query(Message(), completionHandler: batchOrLast)
        case .referenceAll:
            dao.query(Message(), referenceRecordName: "m0", referenceField: "to", completionHandler: all)
        case .referenceBatch:
            dao.query(Message(), referenceRecordName: "m0", referenceField: "to", completionHandler: batch)
        case .referenceBatchOrLast:
            dao.query(Message(), referenceRecordName: "m0", referenceField: "to", completionHandler: batchOrLast)
        case .tokensAll: dao.query(Message(), tokens: "hello", completionHandler: all)
        case .tokensBatch: dao.query(Message(), tokens: "hello", completionHandler: batch)
        case .tokensBatchOrLast: dao.query(Message(), tokens: "hello", completionHandler: batchOrLast)
        case .locationAll:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 1,
                longitude: 2,
                distance: 3,
                completionHandler: all
            )
        case .locationBatch:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 1,
                longitude: 2,
                distance: 3,
                completionHandler: batch
            )
        case .locationBatchOrLast:
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 1,
                longitude: 2,
                distance: 3,
                completionHandler: batchOrLast
            )
        }
    }
}
