import CloudRecords
import Testing

@Suite struct CloudStoreDefaultsTests {
    /// A store that does no more than it has to.
    struct BareStore: CloudStore {
        let capabilities = CloudCapabilities(storeName: "The bare store", supported: [.zones])

        func fetch(
            _ recordIDs: [CloudRecordID],
            desiredFields: [String]?
        ) async throws -> [Result<CloudRecord, CloudError>] { [] }

        func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
            CloudModificationResult(saved: [], deleted: [])
        }

        func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
            CloudPage(records: [], cursor: nil)
        }

        func currentUserRecordID() async throws -> CloudRecordID { CloudRecordID("_user") }
    }

    @Test func `what a store leaves out is refused by name`() async throws {
        let store = BareStore()
        let refused: [(CloudCapabilities.Capability, @Sendable () async throws -> Void)] = [
            (.changeLog, { _ = try await store.changes(since: nil, in: nil, limit: 1) }),
            (.zones, { _ = try await store.zones() }),
            (.zones, { try await store.saveZone(CloudZoneID("a")) }),
            (.zones, { try await store.deleteZone(CloudZoneID("a")) }),
            (.subscriptions, { _ = try await store.subscriptions() }),
            (.subscriptions, { try await store.save(CloudSubscription(subscriptionID: "s", target: .database)) }),
            (.subscriptions, { try await store.deleteSubscription(withID: "s") }),
            (.notifications, { _ = try await store.notifications() }),
            (.notifications, { _ = try await store.notifications(since: nil, limit: 1) }),
            (.notifications, { try await store.markNotificationsRead(["n"]) }),
            (.notifications, { _ = try await store.badgeCounter() }),
            (.notifications, { try await store.setBadgeCounter(0) }),
            (.schemaDeployment, { try await store.deploySchema() }),
        ]
        for (capability, body) in refused {
            let error = await #expect(throws: CloudError.self) { try await body() }
            #expect(error?.code == .unsupported)
            #expect(error?.message.contains(capability.rawValue) == true)
            #expect(error?.message.contains("The bare store") == true)
        }
        #expect(try await store.accountStatus() == .available)
    }

    @Test func `capabilities are asked for before they are used`() throws {
        let capabilities = BareStore().capabilities
        try capabilities.require(.zones)
        #expect(try cloudError { try capabilities.require(.tokenSearch) }.code == .unsupported)
    }
}
