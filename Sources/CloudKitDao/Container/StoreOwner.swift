import Synchronization

/// The one user whose data is in stores that are made for nobody in particular.
final class StoreOwner: Sendable {
    private struct State {
        var user: CloudRecordID?
        /// The stores of this user that are open or being opened.
        var storeCount = 0
    }

    private let state = Mutex(State())

    /// Opens a store for a user, to whom all stores belong from then on.
    ///
    /// - Throws: ``CloudError/Code/badContainer`` if a store of another user is open; else what opening it throws.
    func open(for user: CloudRecordID, _ makeStore: () throws -> any CloudStore) throws -> any CloudStore {
        try state.withLock { state in
            guard state.storeCount == 0 || state.user == user else { throw Self.isOfAnother }
            state.user = user
            state.storeCount += 1
        }
        do {
            return try makeStore()
        } catch {
            state.withLock { $0.storeCount -= 1 }
            throw error
        }
    }

    private static let isOfAnother = CloudError(
        .badContainer,
        "The container's private and shared stores are those of the first user who opened one, and not of this user.",
        remedy:
            "Tell apart whose store is wanted: CloudContainer.configure(_:storage: .customPerUser { scope, user in … })."
    )
}
