import Foundation
import Synchronization

/// A database of a container: one user's, or the public one, which is opened in the name of whoever is signed in.
final class ContainerDatabase: Sendable {
    /// Opens the store of a user.
    typealias Open = @Sendable (CloudRecordID) throws -> any CloudStore

    let scope: CloudDatabaseScope
    /// The identifier of the container; nil for the default one, whose name is not the one that CloudKit knows it by.
    let containerIdentifier: String?
    /// The container in the names of cache files.
    let cacheContainerName: String
    /// Where what is shown of the database may be kept for the next start; nil if nothing of it is to stay.
    let cacheDirectory: URL?
    let users: ContainerUsers
    private let account: ContainerAccount
    /// The user that the database belongs to, if it belongs to one.
    private let owner: CloudRecordID?
    /// Whether the public database needs a store for each user, who is noted in what it saves.
    private let isOpenedPerUser: Bool
    private let open: Open
    private let stores = Mutex<[CloudRecordID: LazyStore]>([:])

    init(
        scope: CloudDatabaseScope,
        containerIdentifier: String?,
        cacheContainerName: String,
        cacheDirectory: URL?,
        account: ContainerAccount,
        users: ContainerUsers,
        owner: CloudRecordID?,
        isOpenedPerUser: Bool,
        opening open: @escaping Open
    ) {
        self.scope = scope
        self.containerIdentifier = containerIdentifier
        self.cacheContainerName = cacheContainerName
        self.cacheDirectory = cacheDirectory
        self.account = account
        self.users = users
        self.owner = owner
        self.isOpenedPerUser = isOpenedPerUser
        self.open = open
    }

    /// The store of the user.
    ///
    /// - Throws: ``CloudError/Code/notAuthenticated`` if the user is not signed in, before anything is opened.
    func store() async throws -> any CloudStore {
        let user = try user()
        let key = isOpenedPerUser || scope != .public ? user : ContainerAccount.firstUser
        let lazyStore = stores.withLock { stores in
            if let store = stores[key] { return store }
            let store = LazyStore(opening: { [open] in try open(key) })
            stores[key] = store
            return store
        }
        return AccountGate(
            try await lazyStore.store(),
            scope: scope,
            containerIdentifier: containerIdentifier,
            account: account,
            user: user
        )
    }

    private func user() throws -> CloudRecordID {
        // Anybody may read what is public; the gate keeps those without an account from writing.
        if scope == .public { return account.current.userRecordID ?? ContainerAccount.firstUser }
        guard let owner else {
            _ = try account.user()
            throw CloudError(
                .notAuthenticated,
                "Nobody was signed in when this database was asked for.",
                remedy: "Ask the container for it again, as CloudDao.privateDB does."
            )
        }
        return try account.user(owner: owner)
    }

    /// The user who is signed in.
    ///
    /// - Throws: ``CloudError/Code/notAuthenticated`` if nobody is, or not the one that the database belongs to.
    func currentUser() throws -> CloudRecordID {
        try account.user(owner: owner)
    }

    /// The name of the user whose view of the database may be kept and shown; nil if that is nobody's now.
    var cacheUserName: String? {
        if scope != .public { return (try? currentUser()).flatMap { owner == nil ? nil : $0.recordName } }
        return account.current.userRecordID?.recordName ?? ""
    }

    /// Whether the account can be used, without opening anything if not.
    func accountStatus() async throws -> CloudAccountStatus {
        let current = account.current
        guard current.status == .available else { return current.status }
        if scope != .public, owner != current.userRecordID { return .noAccount }
        return try await store().accountStatus()
    }
}
