import CloudKitDao
import Testing

extension StoreContract {
    /// Subscriptions that are only kept.
    static let subscriptions: [StorePromise] = [
        StorePromise(
            "A subscription is kept as it was saved, and one of the same ID replaced",
            requires: .subscriptions
        ) {
            (store: any CloudStore) in
            #expect(try await store.subscriptions().isEmpty)
            let first = CloudSubscription(
                subscriptionID: "s",
                target: .query(recordType: "Item", "n > 3"),
                events: [.create, .delete],
                firesOnce: true
            )
            try await store.save(first)
            #expect(try await store.subscriptions() == [first])
            let second = CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", .all))
            try await store.save(second)
            #expect(try await store.subscriptions() == [second])
        },
        StorePromise("A subscription is deleted; one that does not exist is not an error", requires: .subscriptions) {
            (store: any CloudStore) in
            try await store.save(CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", .all)))
            try await store.deleteSubscription(withID: "t")
            #expect(try await store.subscriptions().map(\.subscriptionID) == ["s"])
            try await store.deleteSubscription(withID: "s")
            #expect(try await store.subscriptions().isEmpty)
        },
        StorePromise("A subscription to no event is refused", requires: .subscriptions) { store in
            let nothing = CloudSubscription(
                subscriptionID: "s",
                target: .query(recordType: "Item", .all),
                events: []
            )
            let error = try await #require(throws: CloudError.self) { try await store.save(nothing) }
            #expect(error.code == .invalidArguments)
        },
    ]
}
