import Synchronization

/// One cloud database, to save objects in and to query.
///
/// Each method has two forms. The asynchronous one throws ``CloudError``. The one with handlers returns at once and
/// calls exactly one of its two handlers exactly once (a query its completion handler once a batch), on the actor that
/// it was called from; without an error handler, an error goes to the log.
///
/// ```swift
/// let dao = CloudDao.publicDB
/// try await dao.save(message)
/// let mine = try await dao.query(Message.self, where: \.from == me)
/// ```
///
/// Objects are not `Sendable`: they stay with the actor or task that calls. From a place without an actor, leave an
/// object alone between passing it to a method with handlers and the call of the handler.
///
/// ## Topics
/// ### Databases
/// - ``publicDB``
/// - ``privateDB``
/// - ``sharedDB``
/// - ``publicDBForContainer(_:)``
/// - ``privateDBForContainer(_:)``
/// - ``init(store:)``
/// ### Saving
/// - ``save(_:savePolicy:conflictHandler:progressHandler:)``
/// - ``save(_:savePolicy:atomically:conflictHandler:progressHandler:)``
/// - ``modify(saving:deleting:savePolicy:atomically:conflictHandler:progressHandler:)``
/// - ``saveItem(_:savePolicy:conflictHandler:isolation:completionHandler:errorHandler:progressHandler:)``
/// - ``saveItems(_:savePolicy:atomically:conflictHandler:isolation:completionHandler:errorHandler:progressHandler:)``
/// - ``conflictHandler``
/// ### Fetching by ID
/// - ``fetch(_:_:)-(_,CloudRecordID)``
/// - ``fetch(_:_:)-(_,[CloudRecordID])``
/// ### Following references
/// - ``fetch(_:as:)-(CloudReference?,_)``
/// - ``fetch(_:as:)-([CloudReference?],_)``
/// - ``fetch(_:of:as:)-(KeyPath<Source,CloudReference?>,_,_)``
/// ### Querying
/// - ``query(_:where:orderBy:desiredKeys:limit:)``
/// - ``query(_:tokens:orderBy:desiredKeys:limit:)``
/// - ``batches(of:where:orderBy:desiredKeys:batchSize:after:)``
/// ### Deleting
/// - ``delete(_:)-(CloudDataObject)``
/// ### Schema
/// - ``createRecordTypes(_:)``
/// - ``schema()``
/// - ``extendSchema(_:)``
/// - ``deploySchema()``
/// ### Zones and changes
/// - ``zones()``
/// - ``saveZone(_:)``
/// - ``deleteZone(_:)``
/// - ``changes(since:in:limit:)``
/// ### Subscriptions and notifications
/// - ``subscribe(_:where:filterId:configureNotificationInfo:)``
/// - ``unsubscribe(_:filterId:)``
/// - ``unsubscribeAll()``
/// - ``notifications()``
/// - ``fetchChangeNotifications(skipping:_:)``
/// - ``didReceive(_:_:)``
/// - ``register(_:)``
/// - ``badgeCounter()``
/// - ``setBadgeCounter(_:)``
/// ### Users
/// - ``accountStatus()``
/// - ``requestDiscoverabilityPermission()``
/// - ``discoverUserInfo()``
/// - ``allContactsUserInfo()``
/// ### Backups
/// - ``backupData(_:toFile:in:)``
/// - ``restoreData(_:in:)``
/// - ``removeBackup(_:in:)``
/// ### Errors
/// - ``handleCloudKitErrorAs(_:retryAttempt:)``
/// - ``mappingFailureHandler``
public final class CloudDao: Sendable {
    /// Receives the error of a record that can't be mapped to an object, on any thread.
    public typealias MappingFailureHandler = @Sendable (CloudError) -> Void

    private enum Source {
        case store(any CloudStore)
        case container(ContainerDatabase)
    }

    private let source: Source
    private let failureHandler = Mutex<MappingFailureHandler?>(nil)
    /// The classes whose declared indexes are known to be there.
    let indexedClasses = Mutex<Set<ObjectIdentifier>>([])
    private let resolver = Mutex<CloudConflictHandler?>(nil)
    let turns = ConflictTurns()
    let remote = RemoteState()
    /// Tells live queries what is written.
    let localWrites: LocalWrites

    /// Makes a DAO for a store of the app's own.
    public init(store: any CloudStore) {
        source = .store(store)
        localWrites = .shared(by: store)
    }

    init(_ database: ContainerDatabase) {
        source = .container(database)
        localWrites = LocalWrites()
    }

    /// The database of a container that this is; nil for a DAO of a store of the app's own.
    var database: ContainerDatabase? {
        if case .container(let database) = source { database } else { nil }
    }

    /// The public database of the default container.
    public static var publicDB: CloudDao { CloudContainer.default.database(.public) }

    /// The current user's private database of the default container.
    ///
    /// It stays this user's: ask again when another one has signed in, see ``CloudContainer/signIn(_:)``.
    public static var privateDB: CloudDao { CloudContainer.default.database(.private) }

    /// The default container's database of what other users share with the current one.
    public static var sharedDB: CloudDao { CloudContainer.default.database(.shared) }

    /// The public database of a container.
    public static func publicDBForContainer(_ identifier: String) -> CloudDao {
        CloudContainer(identifier).database(.public)
    }

    /// The current user's private database of a container.
    public static func privateDBForContainer(_ identifier: String) -> CloudDao {
        CloudContainer(identifier).database(.private)
    }

    /// The store behind the DAO.
    ///
    /// A store of a container is opened when it is first needed, on a thread of its own: opening a file may wait for
    /// another process. It serves the user who is signed in now; for another one, ask again.
    ///
    /// - Throws: ``CloudError/Code/notAuthenticated`` if the database's user is not signed in, and what opening the store
    ///   throws. A failure is not remembered: the next use tries again.
    public func store() async throws -> any CloudStore {
        switch source {
        case .store(let store): store
        case .container(let database): try await database.store()
        }
    }

    /// Called once for each record of a query that can't be mapped to an object; nil logs it as an error.
    ///
    /// Such a record spoils neither its neighbours nor the query. The error names record, field and reason.
    public var mappingFailureHandler: MappingFailureHandler? {
        get { failureHandler.withLock { $0 } }
        set { failureHandler.withLock { $0 = newValue } }
    }

    /// What saves do when a stored record is newer; nil, as at first, reports the conflict.
    ///
    /// A save that has begun keeps the handler that was set then.
    public var conflictHandler: CloudConflictHandler? {
        get { resolver.withLock { $0 } }
        set { resolver.withLock { $0 = newValue } }
    }

    func report(mappingFailure error: CloudError) {
        if let handler = mappingFailureHandler {
            handler(error)
        } else {
            CloudLog.log(.error, error.message, error: error)
        }
    }

    /// A reference to the record of this name, which is deleted with its target, as the original makes them.
    public func referenceForId(_ recordId: String) -> CloudReference {
        CloudReference(recordID: CloudRecordID(recordId), action: .deleteSelf)
    }
}

extension CloudDao {
    /// Runs work in the isolation of the caller and calls exactly one of two handlers there.
    func start<Value>(
        isolation: isolated (any Actor)?,
        errorHandler: ((CloudError) -> Void)?,
        completionHandler: @escaping (Value) -> Void,
        work: @escaping () async throws -> Value
    ) -> CloudOperation {
        CloudOperation(
            Task {
                _ = isolation
                do {
                    // A request that is cancelled before it starts must not reach a store that doesn't look.
                    try Self.checkCancellation()
                    completionHandler(try await work())
                } catch {
                    Self.handle(CloudError(error), by: errorHandler)
                }
            }
        )
    }

    /// Throws if the task was cancelled: a `CloudError`, as everything that the DAO throws.
    static func checkCancellation() throws {
        if Task.isCancelled { throw CloudError.cancelled }
    }

    static func handle(_ error: CloudError, by errorHandler: ((CloudError) -> Void)?) {
        if let errorHandler {
            errorHandler(error)
        } else if error.code != .operationCancelled {
            CloudLog.log(.error, error.message, error: error)
        }
    }
}
