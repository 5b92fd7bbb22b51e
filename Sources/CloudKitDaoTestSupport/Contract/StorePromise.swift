import CloudKitDao
import Testing

/// One promise that every `CloudStore` keeps, with the check that shows it.
///
/// A promise is an argument of a test, see ``StoreContract``. Its check uses Swift Testing's expectations, so it has to
/// run inside a test.
public struct StorePromise: Sendable, Identifiable {
    /// What is promised, as a sentence. No two promises of the contract have the same one.
    public let name: String

    /// What a store must be able to do for the promise to concern it.
    public let requires: Set<CloudCapabilities.Capability>

    private let body: @Sendable (StoreFixture) async throws -> Void

    /// A promise that is checked on one empty store.
    init(
        _ name: String,
        requires: CloudCapabilities.Capability...,
        check: @escaping @Sendable (any CloudStore) async throws -> Void
    ) {
        self.name = name
        self.requires = Set(requires)
        body = { try await check(try await $0.emptyStore()) }
    }

    /// A promise that is checked on several databases, which the check makes itself.
    init(
        acrossDatabases name: String,
        requires: CloudCapabilities.Capability...,
        check: @escaping @Sendable (StoreFixture) async throws -> Void
    ) {
        self.name = name
        self.requires = Set(requires)
        body = check
    }

    /// A promise that is checked on one empty database, which the check opens several times.
    init(
        afterReopening name: String,
        requires: CloudCapabilities.Capability...,
        check: @escaping @Sendable (StoreFixture.OpenStore) async throws -> Void
    ) {
        self.name = name
        self.requires = Set(requires)
        body = { try await check(try await $0.emptyDatabase()) }
    }

    public var id: String { name }

    /// Checks that a store keeps the promise.
    ///
    /// A store that lacks one of ``requires`` must refuse to do that, with `CloudError.Code.unsupported` and the
    /// capability's name; then this is what is checked.
    ///
    /// - Parameter fixture: What makes the stores to check.
    /// - Throws: What the store threw where the promise expects no error. What else is wrong is an issue of the
    ///   running test.
    public func check(on fixture: StoreFixture) async throws {
        let missing = requires.subtracting(try await fixture.emptyStore().capabilities.supported)
        if missing.isEmpty { return try await body(fixture) }
        for capability in missing.sorted(by: { $0.rawValue < $1.rawValue }) {
            try await capability.checkRefusal(by: try await fixture.emptyStore())
        }
    }
}

extension StorePromise: CustomTestStringConvertible {
    public var testDescription: String { name }
}
