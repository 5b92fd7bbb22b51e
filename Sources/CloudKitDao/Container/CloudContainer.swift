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
public struct CloudContainer: Sendable, Hashable {
    /// Where the databases of a container are kept.
    public enum Storage: Sendable {
        /// In SQLite files in this folder, one for each database.
        case embedded(directory: URL)
        /// In temporary databases that end with the process, for tests and previews.
        case inMemory
        /// In stores that the app makes, one for each scope.
        case custom(@Sendable (CloudDatabaseScope) throws -> any CloudStore)
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
    /// Call it before the databases are used: a ``CloudDao`` that was handed out before keeps its store.
    public static func configure(_ container: CloudContainer, storage: Storage) {
        registry.withLock { $0[container] = Registration(storage: storage) }
    }

    /// The database of a scope; the same object each time.
    public func database(_ scope: CloudDatabaseScope) -> CloudDao {
        Self.registry.withLock { registry in
            var registration = registry[self] ?? Registration(storage: nil)
            if let dao = registration.databases[scope] { return dao }
            let storage = registration.storage
            let dao = CloudDao(opening: { try self.openStore(for: scope, in: storage) })
            registration.databases[scope] = dao
            registry[self] = registration
            return dao
        }
    }

    private struct Registration: Sendable {
        let storage: Storage?
        var databases: [CloudDatabaseScope: CloudDao] = [:]
    }

    private static let registry = Mutex<[CloudContainer: Registration]>([:])

    private func openStore(for scope: CloudDatabaseScope, in storage: Storage?) throws -> any CloudStore {
        switch storage {
        case .custom(let makeStore):
            return try makeStore(scope)
        case .inMemory:
            return try SQLiteStore.inMemory()
        case .embedded(let directory):
            return try openFile(for: scope, in: directory)
        case nil:
            return try openFile(for: scope, in: try defaultDirectory())
        }
    }

    private func openFile(for scope: CloudDatabaseScope, in directory: URL) throws -> any CloudStore {
        // Any character may stand in an identifier, but not in the name of a folder.
        let folder = identifier.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(.init(charactersIn: ".-"))
        )
        guard let folder, !folder.isEmpty, folder != ".", folder != ".." else {
            throw CloudError(
                .badContainer,
                "The container identifier \(identifier.debugDescription) can't name a folder.",
                remedy: "Use an identifier such as iCloud.com.example.app."
            )
        }
        let file = directory.appending(path: folder).appending(path: "\(scope.rawValue).sqlite")
        return try SQLiteStore(path: file.path)
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
