import Foundation

/// A connection of a ``CloudData``, seen without the class of its objects.
@MainActor
protocol DataConnection: AnyObject {
    var token: CloudDataConnection { get }
    var recordType: String { get }
    var predicate: CloudPredicate { get }
    var orderBy: OrderBy { get }
    var cachingStrategy: CachingStrategy { get }
    var lastWrite: Date? { get }
    var changesCount: Int { get }
    var postsNotifications: Bool { get }

    func stop(unsubscribe: Bool)
    /// Calls the handler that is called at the end.
    func tellEnd()
    /// Takes at once what others told.
    func takeMessages()
    /// Reads records again of which something was heard.
    func readAgain(_ recordIDs: [CloudRecordID])
    func refresh() async
    /// Waits until everything is read of which something was heard, or can't be read now.
    func settle() async
    var subscriptionID: String { get }
    func backup() throws
    func restore() -> Bool
    func removeBackup() throws
}

/// The handlers of a connection.
struct DataHandlers<Object: CloudDataObject> {
    let completion: (([Object], CompletionStatus) -> Bool)?
    let inserted: ((Object) -> Void)?
    let updated: ((Object, Int) -> Void)?
    let deleted: ((String, Int) -> Void)?
    let changed: ((LiveChange<Object>) -> Void)?
    let dataChanged: (() -> Void)?
    let error: ((CloudError) -> Void)?
}

/// A live query whose objects are in an array of a ``CloudData``.
@MainActor
final class Connection<Object: CloudDataObject>: DataConnection {
    let token: CloudDataConnection
    let cachingStrategy: CachingStrategy
    let postsNotifications: Bool
    let live: LiveQuery<Object>
    private let handlers: DataHandlers<Object>
    private weak var owner: CloudData?
    private let clock: any Clock<Duration>

    // The cache.
    private var writer: CacheWriter?
    private var writeNumber = 0
    private var isWriting = false
    private var timer: Task<Void, Never>?
    private(set) var lastWrite: Date?
    private(set) var changesCount = 0

    private var filterId: String { token.filterId }

    init(
        _ live: LiveQuery<Object>,
        of owner: CloudData,
        token: CloudDataConnection,
        cachingStrategy: CachingStrategy,
        postsNotifications: Bool,
        handlers: DataHandlers<Object>
    ) {
        self.live = live
        self.owner = owner
        self.token = token
        self.cachingStrategy = cachingStrategy
        self.postsNotifications = postsNotifications
        self.handlers = handlers
        clock = owner.clock
        if cachingStrategy != .none { writer = owner.cacheFile(token.filterId).map(CacheWriter.init) }
    }

    var recordType: String { live.query.recordType }
    var predicate: CloudPredicate { live.query.predicate }
    var orderBy: OrderBy { live.query.orderBy }

    /// Whether the handlers may be called.
    private var isConnected: Bool { token.isConnected }

    // MARK: Running

    func start() {
        live.hooks = LiveQuery.Hooks(
            pageArrived: { [weak self] in self?.tellPage() ?? false },
            loaded: { [weak self] in self?.tellLoaded() },
            changed: { [weak self] change, isOfLoad in self?.take(change, isOfLoad: isOfLoad) },
            stored: { [weak self] in self?.noteChange() },
            failed: { [weak self] error in self?.tell(error) }
        )
        if restoreFromCache() {
            _ = complete(.fromCache)
        } else {
            _ = complete(.retrieving)
        }
        if isConnected { live.start() }
    }

    func stop(unsubscribe: Bool) {
        timer?.cancel()
        live.stop(unsubscribe: unsubscribe)
    }

    func tellEnd() { handlers.dataChanged?() }

    func takeMessages() { live.takeMessages() }

    func readAgain(_ recordIDs: [CloudRecordID]) { live.readAgain(recordIDs) }

    var subscriptionID: String { live.subscription.subscriptionID }

    func settle() async { await live.settled() }

    func refresh() async {
        // A failure is told to the error handler.
        try? await live.refresh()
    }

    // MARK: Telling

    private func take(_ change: LiveChange<Object>, isOfLoad: Bool) {
        guard isConnected, let owner else { return }
        switch change {
        case .inserted(let object, let index): owner.data[filterId]?.insert(object, at: index)
        case .updated(let object, let index): owner.data[filterId]?[index] = object
        case .moved(let object, let from, let to):
            owner.data[filterId]?.remove(at: from)
            owner.data[filterId]?.insert(object, at: to)
        case .deleted(_, let index): owner.data[filterId]?.remove(at: index)
        }
        // What the first read brings is told as a whole.
        if !isOfLoad { tell(change) }
    }

    private func tell(_ change: LiveChange<Object>) {
        handlers.changed?(change)
        guard isConnected else { return }
        let type: DataChangeNotificationType
        var info: [String: Any]
        switch change {
        case .inserted(let object, let index):
            handlers.inserted?(object)
            (type, info) = (.inserted, ["item": object, "dataIndex": index])
        case .updated(let object, let index):
            handlers.updated?(object, index)
            (type, info) = (.updated, ["item": object, "dataIndex": index, "oldDataIndex": index])
        case .moved(let object, let from, let to):
            handlers.updated?(object, to)
            (type, info) = (.updated, ["item": object, "dataIndex": to, "oldDataIndex": from])
        case .deleted(let recordID, let index):
            handlers.deleted?(recordID.recordName, index)
            (type, info) = (.deleted, ["recordId": recordID.recordName, "dataIndex": index])
        }
        guard isConnected else { return }
        handlers.dataChanged?()
        post(type, info)
        post(.dataChanged)
    }

    /// Calls the completion handler and those that follow; returns whether to read on.
    private func complete(_ status: CompletionStatus, _ results: [Object]? = nil) -> Bool {
        guard isConnected else { return false }
        let results = results ?? Array(live.items)
        post(.completed, ["results": results, "status": status.rawValue])
        post(.dataChanged)
        guard isConnected else { return false }
        let readsOn = handlers.completion?(results, status) ?? true
        if isConnected { handlers.dataChanged?() }
        return readsOn && isConnected
    }

    private func tellPage() -> Bool { complete(.partialResult, live.itemsReadSoFar) }

    private func tellLoaded() { _ = complete(.finalResult) }

    private func tell(_ error: CloudError) {
        guard isConnected else { return }
        CloudDao.handle(error, by: handlers.error)
        post(.error, ["error": error])
    }

    private func post(_ type: DataChangeNotificationType, _ info: [String: Any] = [:]) {
        if postsNotifications, isConnected { owner?.post(type, filterId, info) }
    }

    // MARK: Cache

    private func restoreFromCache() -> Bool {
        guard let writer, let owner else { return false }
        do {
            guard let content = try writer.file.read() else { return false }
            live.restore(content)
            owner.data[filterId] = Array(live.items)
            return true
        } catch {
            // What may be good is not written over.
            if error.kind == .unreadable { self.writer = nil }
            tell(error.error)
            return false
        }
    }

    /// Notes that the file is out of date.
    private func noteChange() {
        guard writer != nil, isConnected else { return }
        changesCount += 1
        writeWhenDue()
    }

    private func writeWhenDue() {
        switch cachingStrategy {
        case .none: break
        case .every(let minutes) where lastWrite != nil: writeLater(minutes)
        case .direct, .every: writeInBackground()
        }
    }

    private func writeLater(_ minutes: Int) {
        guard timer == nil else { return }
        timer = Task { [weak self, clock] in
            guard (try? await clock.sleep(for: .seconds(60 * max(0, minutes)))) != nil else { return }
            self?.timer = nil
            self?.writeInBackground()
        }
    }

    private func writeInBackground() {
        guard let writer, isConnected, !isWriting, live.work.hasLoaded else { return }
        isWriting = true
        writeNumber += 1
        let (snapshot, number, count) = (live.collection.snapshot, writeNumber, changesCount)
        Task { [weak self] in
            let result = await Task.detached { Result { try writer.write(snapshot, number: number) } }.value
            self?.isWriting = false
            self?.noteWritten(result, changes: count)
        }
    }

    private func noteWritten(_ result: Result<Void, any Error>, changes: Int) {
        switch result {
        case .success:
            lastWrite = Date()
            changesCount = max(0, changesCount - changes)
            if changesCount > 0 { writeWhenDue() }
        case .failure(let error): tell(CloudError(error))
        }
    }

    func backup() throws {
        guard let writer else { return }
        writeNumber += 1
        try writer.write(live.collection.snapshot, number: writeNumber)
        lastWrite = Date()
        changesCount = 0
    }

    func restore() -> Bool {
        guard let writer else { return false }
        do {
            guard let content = try writer.file.read() else { return false }
            return live.replace(by: content)
        } catch {
            tell(error.error)
            return false
        }
    }

    func removeBackup() throws { try writer?.remove() }
}
