import Foundation
import Synchronization

/// A container: the databases of one app, under an identifier such as `iCloud.com.example.chat`.
///
/// ```swift
/// CloudContainer.configure(.default, storage: .embedded(directory: dataDirectory))
/// let dao = CloudDao.publicDB
/// ```
///
/// A container that was not configured keeps its data in SQLite files in the user's application support folder,
/// in a folder named after the program.
///
/// ## Topics
/// ### Databases
/// - ``configure(_:storage:)``
/// - ``database(_:)``
/// ### Users
/// - ``account``
/// - ``accountChanges``
/// - ``signIn(_:)``
/// - ``signOut()``
/// - ``setAccountStatus(_:)``
/// - ``register(_:)``
/// - ``setDiscoverabilityPrompt(_:)``
public struct CloudContainer: Sendable, Hashable {
    /// Where the databases of a container are kept.
    public enum Storage: Sendable {
        /// In SQLite files in this folder, one for each database. Each user who signs in has a folder of his own
        /// for his private and shared databases.
        ///
        /// The container has a folder in it, named after its identifier. On a disk that does not tell capitals from small
        /// letters, the second of two identifiers that differ in nothing else is ``CloudError/Code/badContainer``.
        case embedded(directory: URL)
        /// In temporary databases that end with the process, for tests and previews.
        case inMemory
        /// In stores that the app makes, one for each scope.
        ///
        /// The private and the shared store are for one user: the first one who opens either, until the container is
        /// configured again or the process ends. Requests of another user fail with
        /// ``CloudError/Code/badContainer``. An app that signs users in needs ``customPerUser(_:)``, to know whose store
        /// is wanted.
        case custom(@Sendable (CloudDatabaseScope) throws -> any CloudStore)
        /// In stores that the app makes, one for each scope and user.
        ///
        /// A store notes the user as creator of what it saves; of the public scope, all users' stores have the same data.
        case customPerUser(@Sendable (CloudDatabaseScope, _ userRecordID: CloudRecordID) throws -> any CloudStore)
    }

    /// The container's identifier.
    public let identifier: String

    /// Names a container.
    public init(_ identifier: String) {
        self.identifier = identifier
    }

    /// The container of `CloudDao.publicDB` and its kin.
    public static let `default` = CloudContainer("default")

    /// Says where a container keeps its databases.
    ///
    /// Call it before the databases are used: a ``CloudDao`` that was handed out before keeps its store. Who is signed
    /// in stays signed in.
    public static func configure(_ container: CloudContainer, storage: Storage) {
        registry.withLock { registry in
            let old = registry[container] ?? Registration(storage: nil)
            registry[container] = Registration(storage: storage, account: old.account, users: old.users)
        }
    }

    /// The database of a scope: the same object each time, for private and shared ones as long as the user is the same.
    ///
    /// See ``signIn(_:)`` for what becomes of it when another user signs in.
    public func database(_ scope: CloudDatabaseScope) -> CloudDao {
        withRegistration { registration in
            let owner = scope == .public ? nil : registration.account.current.userRecordID
            let key = DatabaseKey(scope: scope, owner: owner)
            if let dao = registration.databases[key] { return dao }
            let (storage, folder) = (registration.storage, registration.temporaryFolder)
            let storeOwner = registration.storeOwner
            let database = ContainerDatabase(
                scope: scope,
                containerIdentifier: self == .default ? nil : identifier,
                cacheContainerName: identifier,
                cacheDirectory: Self.cacheDirectory(for: storage),
                account: registration.account,
                users: registration.users,
                owner: owner,
                isOpenedPerUser: registration.isOpenedPerUser,
                opening: { user in
                    try self.openStore(
                        for: scope,
                        user: user,
                        in: storage,
                        temporaryFolder: folder,
                        storeOwner: storeOwner
                    )
                }
            )
            let dao = CloudDao(database)
            registration.databases[key] = dao
            return dao
        }
    }

    private struct DatabaseKey: Hashable {
        let scope: CloudDatabaseScope
        let owner: CloudRecordID?
    }

    private struct Registration: Sendable {
        let storage: Storage?
        var account = ContainerAccount()
        var users = ContainerUsers()
        let temporaryFolder = LazyFolder()
        let storeOwner = StoreOwner()
        var databases: [DatabaseKey: CloudDao] = [:]

        var isOpenedPerUser: Bool {
            if case .custom = storage { false } else { true }
        }
    }

    private static let registry = Mutex<[CloudContainer: Registration]>([:])

    private func withRegistration<Value: Sendable>(_ body: (inout Registration) -> Value) -> Value {
        Self.registry.withLock { registry in
            var registration = registry[self] ?? Registration(storage: nil)
            defer { registry[self] = registration }
            return body(&registration)
        }
    }

    var registeredAccount: ContainerAccount { withRegistration { $0.account } }

    var users: ContainerUsers { withRegistration { $0.users } }

    private func openStore(
        for scope: CloudDatabaseScope,
        user: CloudRecordID,
        in storage: Storage?,
        temporaryFolder: LazyFolder,
        storeOwner: StoreOwner
    ) throws -> any CloudStore {
        switch storage {
        case .custom(let makeStore):
            if scope == .public { return try makeStore(scope) }
            return try storeOwner.open(for: user) { try makeStore(scope) }
        case .customPerUser(let makeStore):
            return try makeStore(scope, user)
        case .inMemory:
            let folder = try temporaryFolder.folder()
            return try SQLiteStore(
                path: try Self.path(for: scope, user: user, in: folder.url),
                userRecordID: user,
                options: SQLiteOptions(isDurable: false),
                temporaryFolder: folder
            )
        case .embedded(let directory):
            return try openFile(for: scope, user: user, in: directory)
        case nil:
            return try openFile(for: scope, user: user, in: try defaultDirectory())
        }
    }

    private func openFile(for scope: CloudDatabaseScope, user: CloudRecordID, in directory: URL) throws
        -> any CloudStore
    {
        let folder = try ContainerFolder(identifier)
        let path = try Self.path(for: scope, user: user, in: directory.appending(path: folder.name))
        try folder.make(in: directory)
        return try SQLiteStore(path: path, userRecordID: user)
    }

    /// The path of a user's database in the folder of a container.
    private static func path(for scope: CloudDatabaseScope, user: CloudRecordID, in folder: URL) throws -> String {
        let isOfAll = scope == .public || user == ContainerAccount.firstUser
        let folder = isOfAll ? folder : user.folders.reduce(folder.appending(path: "users")) { $0.appending(path: $1) }
        let path = folder.appending(path: "\(scope.rawValue).sqlite").path
        // SQLite opens no longer ones.
        guard path.utf8.count <= maximumPathLength else {
            throw CloudError(
                .badContainer,
                "The path of a \(scope.rawValue) database is too long: it has \(path.utf8.count) bytes.",
                remedy: "Choose a directory or a user record name so that it has at most \(maximumPathLength)."
            )
        }
        return path
    }

    private static let maximumPathLength = 500

    /// Where live collections are kept for the next start.
    private static func cacheDirectory(for storage: Storage?) -> URL? {
        switch storage {
        case .inMemory: nil
        case .embedded(let directory): directory.appending(path: "cache")
        case .custom, .customPerUser, nil: systemCaches
        }
    }

    /// Where the system keeps what can be had again.
    static var systemCaches: URL? {
        FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first?
            .appending(path: ProcessInfo.processInfo.processName).appending(path: "CloudKitDao")
    }

    private func defaultDirectory() throws -> URL {
        guard
            let directory = FileManager.default.urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        else {
            throw CloudError(
                .badContainer,
                "There is no application support folder to keep container \(identifier) in.",
                remedy: "Say where to keep it: CloudContainer.configure(.default, storage: .embedded(directory: …))."
            )
        }
        return directory.appending(path: ProcessInfo.processInfo.processName).appending(path: "CloudKitDao")
    }
}

extension CloudRecordID {
    /// The folders, one inside the other, that stand for a user, and for no other one.
    fileprivate var folders: [String] {
        // Capitals are escaped too: there are file systems that take them for small letters.
        let legal = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let name = recordName.utf8.map { byte in
            legal.contains(byte) ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }
        // A folder's name has at most 255 bytes.
        return stride(from: 0, to: name.count, by: 80).map { start in
            (start == 0 ? "" : "+") + name[start..<min(start + 80, name.count)].joined()
        }
    }
}

/// A temporary folder that is made when it is first needed.
private final class LazyFolder: Sendable {
    private let made = Mutex<TemporaryFolder?>(nil)

    func folder() throws -> TemporaryFolder {
        try made.withLock { made in
            if let made { return made }
            do {
                let folder = try TemporaryFolder()
                made = folder
                return folder
            } catch {
                throw CloudError(
                    .internalError,
                    "No temporary folder can be made: \(error.localizedDescription)",
                    remedy: "Check the space and permissions of the system's temporary folder."
                )
            }
        }
    }
}
