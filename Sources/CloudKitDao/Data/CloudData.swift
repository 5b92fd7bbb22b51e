import Foundation

/// Live arrays of objects, each under the name that it was connected by, for apps and their user interfaces.
///
/// One call reads the cache, asks the store, and keeps the array as it is in the store: with what this process saves and
/// deletes, and with what others do.
///
/// ```swift
/// CloudData.publicDB.connect(Message(), predicate: "to == \(me)", orderBy: .ascending("text"), filterId: "mine",
///     completionHandler: { results, status in results.count < 500 },
///     dataChangedHandler: { table.reloadData() }, errorHandler: { error in show(error) })
/// CloudData.publicDB.data["mine"]
/// ```
///
/// Everything happens on the main actor. What is saved or deleted is shown at once, and taken back if the store refuses
/// it: nothing is queued for later. Servers and actors use ``LiveQuery``, on which this is built.
///
/// Each change calls, when the array has it: `insertedHandler`, `updatedHandler` or `deletedHandler`, then
/// `dataChangedHandler`; with `postNotifications`, the same is posted to the notification center, see
/// ``getNotificationCenterId(_:changeType:)``.
///
/// ## Topics
/// ### Databases
/// - ``publicDB``
/// - ``privateDB``
/// - ``sharedDB``
/// - ``init(_:cacheDirectory:clock:)``
/// ### Connecting
/// - ``connect(_:predicate:orderBy:filterId:cachingStrategy:postNotifications:configureNotificationInfo:completionHandler:insertedHandler:updatedHandler:deletedHandler:changeHandler:dataChangedHandler:errorHandler:)``
/// - ``disconnect(_:unsubscribe:)``
/// - ``disconnectAll(unsubscribe:)``
/// - ``data``
/// ### Saving
/// - ``saveItem(_:completionHandler:errorHandler:)``
/// - ``deleteItem(_:completionHandler:errorHandler:)``
/// ### Notifications
/// - ``fetchChangeNotifications(_:)``
/// ### Backups
/// - ``backupAllData()``
@MainActor
public final class CloudData {
    /// The database.
    public let dao: CloudDao

    /// The arrays of all connections, by the names that they were connected by.
    ///
    /// - Complexity: To read it is O(1). A copy that is kept makes the next change copy the array.
    public internal(set) var data: [String: [CloudDataObject]] = [:]

    var connections: [String: any DataConnection] = [:]
    let clock: any Clock<Duration>
    private let cacheDirectory: URL?

    /// Makes the live arrays of a database.
    ///
    /// - Parameters:
    ///   - dao: The database.
    ///   - cacheDirectory: Where cache files are kept. If it is left out, those of a container's database are kept where
    ///     the system keeps such files, or with the container's own, each user's apart; those of a store of the app's
    ///     own, whose name only the app knows, are not kept.
    ///   - clock: What delays are measured by.
    public init(_ dao: CloudDao, cacheDirectory: URL? = nil, clock: any Clock<Duration> = ContinuousClock()) {
        self.dao = dao
        self.cacheDirectory = cacheDirectory
        self.clock = clock
    }

    private static var instances: [ObjectIdentifier: CloudData] = [:]

    private static func instance(_ dao: CloudDao) -> CloudData {
        // The DAO is kept by its instance, so that no other one can have its identity.
        let identifier = ObjectIdentifier(dao)
        if let instance = instances[identifier] { return instance }
        let instance = CloudData(dao)
        instances[identifier] = instance
        return instance
    }

    /// The live arrays of the default container's public database.
    public static var publicDB: CloudData { instance(.publicDB) }

    /// The live arrays of the current user's private database. They stay this user's: ask again when another one has
    /// signed in.
    public static var privateDB: CloudData { instance(.privateDB) }

    /// The live arrays of what other users share with the current one.
    public static var sharedDB: CloudData { instance(.sharedDB) }

    /// The live arrays of a container's public database.
    public static func publicDBForContainer(_ identifier: String) -> CloudData {
        instance(.publicDBForContainer(identifier))
    }

    /// The live arrays of the current user's private database of a container.
    public static func privateDBForContainer(_ identifier: String) -> CloudData {
        instance(.privateDBForContainer(identifier))
    }

    // MARK: What is connected

    /// The record types of the connections.
    public var recordType: [String: String] { connections.mapValues(\.recordType) }

    /// The predicates of the connections.
    public var predicates: [String: CloudPredicate] { connections.mapValues(\.predicate) }

    /// The orders of the connections.
    public var sortOrders: [String: OrderBy] { connections.mapValues(\.orderBy) }

    /// The caching strategies of the connections.
    public var cachingStrategies: [String: CachingStrategy] { connections.mapValues(\.cachingStrategy) }

    /// When the cache file of each connection was last written by it.
    public var cachingLastWrite: [String: Date] { connections.compactMapValues(\.lastWrite) }

    /// How many changes of each connection are not in its cache file yet.
    public var cachingChangesCount: [String: Int] { connections.mapValues(\.changesCount) }

    /// Whether the connections post to the notification center.
    public var postNotifications: [String: Bool] { connections.mapValues(\.postsNotifications) }

    /// The cache file of a connection; nil if nothing is to be kept.
    func cacheFile(_ filterId: String) -> CacheFile? {
        if dao.database == nil, cacheDirectory == nil { return nil }
        return dao.cacheFile(filterId, in: cacheDirectory)
    }
}
