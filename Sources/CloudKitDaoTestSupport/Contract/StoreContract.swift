/// What every `CloudStore` promises, as arguments of a parameterised test.
///
/// Whoever writes a store checks it with one test:
///
/// ```swift
/// import CloudKitDaoTestSupport
/// import Testing
///
/// @Suite struct MyStoreContract {
///     @Test(arguments: StoreContract.promises)
///     func keeps(_ promise: StorePromise) async throws {
///         try await promise.check(on: StoreFixture { try MyStore() })
///     }
/// }
/// ```
///
/// A promise that needs a capability which the store lacks is checked to be refused by name.
public enum StoreContract {
    /// The promises that concern every store.
    public static let promises: [StorePromise] =
        saving + savePolicies + batches + fetching + validation
        + queries + sorting + paging + wordsAndPlaces
        + references + zones + growth + account + subscriptions + notifications
        + cancellation + concurrency + randomBatches
        + cascade + assets + zoneDeletion + zoneOrder + changeLog + schema + progress

    /// The promises of what is still there when a database is opened again, for stores that keep it.
    ///
    /// Also what clients of one database hear of each other: of two stores that are open at once each is a client of its
    /// own, and one that is opened when its client is not finds what was left for it.
    ///
    /// The fixture must be one whose databases can be opened several times, see ``StoreFixture/init(makeDatabase:)``.
    public static let promisesAfterReopening: [StorePromise] =
        reopening + reopeningChanges + notificationsBetweenClients
}
