import CloudRecords
import Foundation
import SQLStore

/// The embedded store: a database of records in a SQLite file.
///
/// ```swift
/// let store = try SQLiteStore(path: "chat.sqlite")
/// ```
///
/// Each record type has a table with a column for each field, so that other tools can read the file. Tables and
/// columns appear when a type or field is first saved. A field keeps the type of its first value.
///
/// Dates of creation and modification are one reading of the clock for each batch, and a microsecond more for each
/// record, so that the records of a batch sort by date in the order of the batch.
///
/// Reading goes on while something is written. Several stores, also in several processes, may have the same file open.
/// A save that has returned survives the end of the process at any moment.
/// Assets are kept as files in a folder beside the database, the same content once.
///
/// Each store is a client of the file, to which subscriptions and unread notifications belong. Without a name of its own
/// it takes the first of the program's names that no living store of the same user has: an app that is started again
/// finds what is its own, and two stores at once hear of each other's changes. What others change arrives at once from
/// this and other processes; should the system not tell of it, within a second.
///
/// The store is `Sendable`: use one for each file, from any task.
public final class SQLiteStore: CloudStore {
    /// Which schema the store works with.
    ///
    /// Both are of one file, with the same records. Deploying makes types and fields known in production.
    public enum Environment: Sendable, Hashable {
        /// Types and fields appear as they are first used, and indexes as queries need them.
        case development

        /// There are the types and fields that were deployed, by ``SQLiteStore/deploySchema()`` in development or by
        /// ``SQLiteStore/extendSchema(_:)``, and no others.
        ///
        /// Saving a record with another type or field is an error that names it; so is a null in such a field if its
        /// type is declared, as a class's properties are, or the fault would show only when somebody first has a
        /// value. Queries and fetches see nothing of what is not deployed. Queries make no indexes: without one they
        /// read all records of the type, and a search for words needs ``CloudIndex/words``.
        case production
    }

    private let store: SQLRecordStore
    private let temporaryFolder: TemporaryFolder?

    /// Opens the database in a file, which is made with its missing parent folders if it does not exist.
    ///
    /// - Parameters:
    ///   - path: The path of the file. Beside it SQLite keeps `-wal` and `-shm` files, and the store a folder
    ///     `-assets`, and a folder `-clients` once there are subscriptions.
    ///   - environment: Which schema the store works with.
    ///   - userRecordID: The user who is noted as creator and modifier of records that are saved through this store.
    ///   - clientID: The name of the client that this store is among those of the user, the same each time it is
    ///     opened. Two stores that are open with one name are one client: neither hears of what the other changes. Nil
    ///     for a name of the program's.
    /// - Throws: ``CloudError/Code/incompatibleVersion`` if a newer version of this framework made the file,
    ///   ``CloudError/Code/internalError`` if it is no database or can't be opened.
    public convenience init(
        path: String,
        environment: Environment = .development,
        userRecordID: CloudRecordID = CloudRecordID(CloudZoneID.currentOwnerName),
        clientID: String? = nil
    ) throws {
        try self.init(
            path: path,
            environment: environment,
            userRecordID: userRecordID,
            clientID: clientID,
            options: .init(),
            temporaryFolder: nil
        )
    }

    /// Makes a database that exists as long as the store does, for tests and scratch data.
    ///
    /// It is not only in memory: for readers and writer to work as they do on a file, it is a file in a temporary
    /// folder, which is removed with the store and the assets that came from it, and at the end of the process.
    ///
    /// - Parameters:
    ///   - environment: Which schema the store works with.
    ///   - userRecordID: The user who is noted as creator and modifier of records.
    /// - Throws: ``CloudError/Code/internalError`` if the temporary folder can't be made.
    public static func inMemory(
        environment: Environment = .development,
        userRecordID: CloudRecordID = CloudRecordID(CloudZoneID.currentOwnerName)
    ) throws -> SQLiteStore {
        let folder: TemporaryFolder
        do {
            folder = try TemporaryFolder()
        } catch {
            throw CloudError(
                .internalError,
                "No temporary folder can be made: \(error.localizedDescription)",
                remedy: "Check the space and permissions of the system's temporary folder."
            )
        }
        return try SQLiteStore(
            path: folder.url.appending(path: "store.sqlite").path,
            environment: environment,
            userRecordID: userRecordID,
            options: .init(isDurable: false),
            temporaryFolder: folder
        )
    }

    package init(
        path: String,
        environment: Environment = .development,
        userRecordID: CloudRecordID,
        clientID: String? = nil,
        options: SQLiteOptions,
        temporaryFolder: TemporaryFolder?,
        clock: @escaping @Sendable () -> Date = { Date() }
    ) throws {
        guard !path.utf8.contains(0), !path.isEmpty else {
            throw CloudError(
                .invalidArguments,
                "The path \(path.debugDescription) can't name a database.",
                remedy: "Use the path of a file."
            )
        }
        let file = URL(filePath: path).standardizedFileURL
        do {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
        } catch {
            throw CloudError(
                .internalError,
                "The folder of the database \(file.lastPathComponent) can't be made: \(error.localizedDescription)",
                remedy: "Choose a path that may be written to."
            )
        }
        self.temporaryFolder = temporaryFolder
        let driver = try SQLiteDriver(path: file.path, options: options)
        let assets = try AssetFolder(
            url: URL(filePath: file.path + "-assets", directoryHint: .isDirectory),
            sequence: driver.firstSequence,
            temporaryFolder: temporaryFolder
        )
        store = SQLRecordStore(
            driver: driver,
            assets: assets,
            userRecordID: userRecordID,
            capabilities: CloudCapabilities(
                storeName: "SQLiteStore",
                supported: Self.abilities(in: environment)
            ),
            environment: environment == .production ? .production : .development,
            client: Self.client(clientID, of: userRecordID, path: file.path),
            clock: clock
        )
        if temporaryFolder == nil {
            Task { [store] in
                // What can't be tidied up now, as the disk may be full, is there for the next start.
                try? await store.collectLeftovers()
            }
        }
    }

    private static func client(
        _ name: String?,
        of userRecordID: CloudRecordID,
        path: String
    ) -> SubscriptionClient {
        if let name { return SubscriptionClient(userRecordID: userRecordID) { name } }
        let slot = ClientSlot(
            path: path,
            program: ProcessInfo.processInfo.processName,
            userRecordID: userRecordID
        )
        return SubscriptionClient(userRecordID: userRecordID) { try slot.name() }
    }

    private static func abilities(in environment: Environment) -> Set<CloudCapabilities.Capability> {
        let abilities: Set<CloudCapabilities.Capability> = [
            .atomicBatches, .zones, .orPredicates, .tokenSearch, .distanceQueries, .changeLog, .schema,
            .schemaDeployment, .subscriptions, .notifications,
        ]
        return environment == .development ? abilities.union([.schemaGrowth]) : abilities
    }

    /// Waits for what is running and closes the file. Later calls throw ``CloudError/Code/badDatabase``.
    ///
    /// Not needed at the end of a process, nor when the last reference to the store goes away.
    public func close() async {
        await store.close()
    }

    package var driver: any SQLDriver { store.driver }

    /// What is done in the background when the store is opened.
    package func collectLeftovers() async throws {
        try await store.collectLeftovers()
    }

    public var capabilities: CloudCapabilities { store.capabilities }

    public func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try await store.fetch(recordIDs, desiredFields: desiredFields)
    }

    public func fetchRows(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> CloudFetchedRows {
        try await store.fetchRows(recordIDs, desiredFields: desiredFields)
    }

    public func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        try await store.modify(modification)
    }

    public func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await store.page(query, after: cursor, limit: limit)
    }

    public func rows(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudRows {
        try await store.rows(query, after: cursor, limit: limit)
    }

    public func zones() async throws -> [CloudZoneID] {
        try await store.zones()
    }

    public func saveZone(_ zoneID: CloudZoneID) async throws {
        try await store.saveZone(zoneID)
    }

    public func deleteZone(_ zoneID: CloudZoneID) async throws {
        try await store.deleteZone(zoneID)
    }

    /// Returns what changed in the database, or in one zone, after a token; from the beginning if it is nil.
    ///
    /// A record that was saved several times appears once, as it is now, in the place of its last save. Deletions are
    /// kept until ``compactChangeLog(before:)`` forgets them.
    ///
    /// - Throws: ``CloudError/Code/changeTokenExpired`` if the token is of another database, or from before deletions
    ///   that were forgotten; ``CloudError/Code/invalidArguments`` if it is of another zone; ``CloudError/Code/zoneNotFound``.
    /// - Complexity: O(*k* + *t* log *n*) for *k* changes after the token, in all zones, and *t* record types.
    public func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID?,
        limit: Int
    ) async throws -> CloudChanges {
        try await store.changes(since: token, in: zoneID, limit: limit)
    }

    /// Forgets which records were deleted before a date, to save space.
    ///
    /// Clients whose change tokens are older have to read everything anew: they get
    /// ``CloudError/Code/changeTokenExpired``.
    public func compactChangeLog(before date: Date) async throws {
        try await store.compactChangeLog(before: date)
    }

    /// Removes the files of assets that no record uses and nobody holds.
    ///
    /// This happens by itself, after a save or delete that takes away the last use and when the last object that holds
    /// the file goes away. Other processes that have the database open are waited for, so that a file may stay for
    /// longer; call this to try again.
    public func collectAssets() async throws {
        try await store.collectAssets()
    }

    public func currentUserRecordID() async throws -> CloudRecordID {
        try await store.currentUserRecordID()
    }

    public func schema() async throws -> CloudSchema {
        try await store.schema()
    }

    public func extendSchema(_ schema: CloudSchema) async throws {
        try await store.extendSchema(schema)
    }

    /// Makes all that the file's schema has known in production, see ``Environment/production``. Later growth has to be
    /// deployed again.
    public func deploySchema() async throws {
        try await store.deploySchema()
    }

    public func subscriptions() async throws -> [CloudSubscription] {
        try await store.subscriptions()
    }

    public func save(_ subscription: CloudSubscription) async throws {
        try await store.save(subscription)
    }

    public func deleteSubscription(withID subscriptionID: String) async throws {
        try await store.deleteSubscription(withID: subscriptionID)
    }

    public func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        try await store.notifications()
    }

    /// Returns this client's notifications that are not marked as read, oldest first, also those of earlier runs.
    ///
    /// They are kept for 30 days, or until ``compactNotifications(before:)`` drops them.
    public func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        try await store.notifications(since: token, limit: limit)
    }

    public func markNotificationsRead(_ notificationIDs: [String]) async throws {
        try await store.markNotificationsRead(notificationIDs)
    }

    /// Drops all clients' notifications from before a date that were not marked as read, to save space.
    ///
    /// Clients whose tokens are older get ``CloudError/Code/changeTokenExpired``.
    public func compactNotifications(before date: Date) async throws {
        try await store.compactNotifications(before: date)
    }

    public func badgeCounter() async throws -> Int {
        try await store.badgeCounter()
    }

    public func setBadgeCounter(_ count: Int) async throws {
        try await store.setBadgeCounter(count)
    }
}
