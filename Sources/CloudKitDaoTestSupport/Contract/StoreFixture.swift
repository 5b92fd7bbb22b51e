import CloudKitDao

/// Makes the stores that a ``StorePromise`` is checked on.
///
/// ```swift
/// let inMemory = StoreFixture { try SQLiteStore.inMemory() }
/// let onFile = StoreFixture(makeDatabase: {
///     let path = folder.appending(path: "\(UUID()).sqlite").path
///     return { try SQLiteStore(path: path) }
/// })
/// ```
public struct StoreFixture: Sendable {
    /// Opens a database: each call returns another store on the same records.
    public typealias OpenStore = @Sendable () async throws -> any CloudStore

    private let makeDatabase: @Sendable () async throws -> OpenStore

    /// Makes a fixture of stores whose databases can't be opened twice.
    ///
    /// - Parameter makeStore: Makes a store on a new, empty database, in which the schema may grow. It is called once or
    ///   several times for each promise.
    public init(makeStore: @escaping OpenStore) {
        makeDatabase = {
            let store = try await makeStore()
            return { store }
        }
    }

    /// Makes a fixture of databases that can be opened several times, for ``StoreContract/promisesAfterReopening`` too.
    ///
    /// - Parameter makeDatabase: Makes a new, empty database, in which the schema may grow, and returns what opens it.
    public init(makeDatabase: @escaping @Sendable () async throws -> OpenStore) {
        self.makeDatabase = makeDatabase
    }

    /// A store on a new, empty database.
    func emptyStore() async throws -> any CloudStore {
        try await makeDatabase()()
    }

    /// A new, empty database.
    func emptyDatabase() async throws -> OpenStore {
        try await makeDatabase()
    }
}
