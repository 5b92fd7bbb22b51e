import Foundation
import Observation

/// The objects of a class that match a predicate, in order, kept as they are in the store.
///
/// It reads them once and then follows: what this process saves or deletes through the same database, at once, and taken
/// back if the store refuses it; and what others do, by a subscription of its own. It belongs to the actor that made it.
///
/// ```swift
/// let live = try LiveQuery(dao, where: \Message.to == me, orderBy: .descending(\.creationDate), limit: 50)
/// live.start()
/// for await change in live.changes { … }                  // or observe live.items, in SwiftUI or elsewhere
/// ```
///
/// An object stays the same one when its record changes, with other values; one of an `@Observable` class is replaced by
/// a new one, so that those who observe it notice. Objects that were passed to a save are not those of the query.
///
/// When the store can't be reached, the query keeps what it has, tries again after the delays of
/// ``CloudDao/handleCloudKitErrorAs(_:retryAttempt:)``, and reads everything anew as soon as it can: no change is missed.
/// A store without subscriptions is followed as far as this process writes to it; ask for the rest by ``refresh(isolation:)``.
///
/// ## Topics
/// ### Making
/// - ``init(_:where:orderBy:limit:subscriptionID:clock:)``
/// - ``start(isolation:)``
/// - ``stop(unsubscribe:)``
/// ### What it holds
/// - ``items``
/// - ``phase-swift.property``
/// - ``index(of:)``
/// ### What happens
/// - ``changes``
/// - ``snapshots``
/// ### Doing
/// - ``refresh(isolation:)``
/// - ``settled(isolation:)``
public final class LiveQuery<Object: CloudDataObject>: Observable {
    /// How a live query stands to the store.
    public enum Phase: Sendable {
        /// It was not started yet.
        case idle
        /// It reads what there is.
        case loading
        /// It has read everything and follows.
        case live
        /// It could not reach the store and will try again.
        case waiting(CloudError)
        /// It gave up; ``LiveQuery/refresh(isolation:)`` tries again.
        case failed(CloudError)
        /// It was stopped.
        case stopped
    }

    /// What the owner of a query within this module is told.
    struct Hooks {
        /// A page was read, which is not the last one; returns whether to read on.
        var pageArrived: () -> Bool = { true }
        /// Everything was read.
        var loaded: () -> Void = {}
        /// A step was done.
        var changed: (LiveChange<Object>, _ isOfLoad: Bool) -> Void = { _, _ in }
        /// What the store has of the query changed.
        var stored: () -> Void = {}
        /// An error occurred, told once until the query is live again.
        var failed: (CloudError) -> Void = { _ in }
    }

    let dao: CloudDao
    let request: QueryRequest<Object>
    let query: CloudQuery
    let plan: MappingPlan
    let subscription: CloudSubscription
    let clock: any Clock<Duration>
    var hooks = Hooks()

    let registrar = ObservationRegistrar()
    var collection: LiveCollection
    var objects = ChunkedArray<Object>()
    /// Objects that were made to see that their records can be mapped.
    var prepared: [CloudRecordID: Object] = [:]
    /// Steps that are to be done: a handler may cause new ones while one is being done.
    var steps: [(event: LiveEvent, isOfLoad: Bool)] = []
    var isApplying = false

    private var changeFeeds: [WeakFeed<LiveFeed<LiveChange<Object>>>] = []
    private var snapshotFeeds: [WeakFeed<LiveFeed<LiveItems<Object>>>] = []

    var work = LiveWork()
    let inbox = LiveInbox()
    let signals: AsyncStream<Void>
    let signal: AsyncStream<Void>.Continuation
    var tasks: [Task<Void, Never>] = []
    var listener: Int?
    private var currentPhase = Phase.idle

    /// Makes a query on a class, which does nothing before it is started.
    ///
    /// - Parameters:
    ///   - dao: The database.
    ///   - predicate: What the objects match.
    ///   - orderBy: Their order.
    ///   - limit: The most objects to hold, the first ones in the order; nil for no limit.
    ///   - subscriptionID: The name of the subscription; nil for one that says what is asked for. It is deleted when the
    ///     query is stopped.
    ///   - clock: What delays are measured by.
    /// - Throws: ``CloudError/Code/invalidArguments`` for a wrong predicate, order or limit.
    public convenience init(
        _ dao: CloudDao,
        where predicate: ObjectPredicate<Object> = .all,
        orderBy: ObjectOrder<Object> = .newestFirst,
        limit: Int? = nil,
        subscriptionID: String? = nil,
        clock: any Clock<Duration> = ContinuousClock()
    ) throws {
        let request = QueryRequest<Object>(predicate: predicate.predicate, orderBy: orderBy.result, limit: limit)
        try self.init(dao, request, subscriptionID: subscriptionID, clock: clock)
    }

    init(
        _ dao: CloudDao,
        _ request: QueryRequest<Object>,
        subscriptionID: String?,
        notificationInfo: CloudSubscription.NotificationInfo? = nil,
        clock: any Clock<Duration>
    ) throws {
        self.dao = dao
        self.request = request
        self.clock = clock
        query = try request.query()
        plan = try MappingPlan.plan(for: Object.self)
        collection = try LiveCollection(
            recordType: query.recordType,
            predicate: query.predicate,
            order: query.orderBy,
            limit: request.limit
        )
        let content = String(Checksum.of(query.predicate.description), radix: 16)
        subscription = CloudSubscription(
            subscriptionID: subscriptionID ?? "live_\(query.recordType)_\(content)",
            target: .query(recordType: query.recordType, query.predicate),
            notificationInfo: notificationInfo
        )
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    deinit {
        if let listener { dao.localWrites.stopListening(listener) }
        for task in tasks { task.cancel() }
        work.feed?.cancel()
        work.timer?.cancel()
        inbox.finish()
        signal.finish()
        for refresher in work.refreshers { refresher.resume(throwing: CloudError.cancelled) }
        for settler in work.settlers { settler.resume() }
        finishFeeds()
        if listener != nil { endSubscription(deleting: true) }
    }

    // MARK: What it holds

    /// The objects, in order. It can be observed.
    public var items: LiveItems<Object> {
        registrar.access(self, keyPath: \.items)
        return LiveItems(objects: objects)
    }

    /// How the query stands to the store. It can be observed.
    public internal(set) var phase: Phase {
        get {
            registrar.access(self, keyPath: \.phase)
            return currentPhase
        }
        set { registrar.withMutation(of: self, keyPath: \.phase) { currentPhase = newValue } }
    }

    /// The most objects that the query holds; nil for no limit.
    public var limit: Int? { request.limit }

    /// The position of the object with an ID; nil if the query does not hold it.
    /// - Complexity: O(log *n*).
    public func index(of recordID: CloudRecordID) -> Int? { collection.index(of: recordID) }

    // MARK: What happens

    /// All steps from now on, in order, on the query's actor.
    public var changes: LiveSequence<LiveChange<Object>> {
        let feed = LiveFeed<LiveChange<Object>>()
        if case .stopped = currentPhase { feed.finish() }
        changeFeeds = changeFeeds.filter { $0.value != nil } + [WeakFeed(feed)]
        return LiveSequence(feed: feed)
    }

    /// The objects as they are now, and whenever they have changed. A reader who is slow misses what is out of date.
    public var snapshots: LiveSequence<LiveItems<Object>> {
        let feed = LiveFeed<LiveItems<Object>>(keepsNewestOnly: true)
        feed.add(LiveItems(objects: objects))
        if case .stopped = currentPhase { feed.finish() }
        snapshotFeeds = snapshotFeeds.filter { $0.value != nil } + [WeakFeed(feed)]
        return LiveSequence(feed: feed)
    }

    func tell(_ change: LiveChange<Object>) {
        for feed in changeFeeds { feed.value?.add(change) }
    }

    func tellSnapshot() {
        for feed in snapshotFeeds { feed.value?.add(LiveItems(objects: objects)) }
    }

    func finishFeeds() {
        for feed in changeFeeds { feed.value?.finish() }
        for feed in snapshotFeeds { feed.value?.finish() }
    }
}

/// A feed that goes with its reader.
private struct WeakFeed<Feed: AnyObject> {
    weak var value: Feed?

    init(_ value: Feed) { self.value = value }
}
