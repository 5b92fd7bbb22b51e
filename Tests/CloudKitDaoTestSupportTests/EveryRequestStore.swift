import CloudKitDao
import Foundation

/// A store that answers every request, with nothing.
struct EveryRequestStore: CloudStore {
    let capabilities = CloudCapabilities(
        storeName: "The store that answers everything",
        supported: Set(CloudCapabilities.Capability.allCases)
    )

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

    func changes(since token: CloudChangeToken?, in zoneID: CloudZoneID?, limit: Int) async throws -> CloudChanges {
        CloudChanges(saved: [], deleted: [], token: CloudChangeToken(position: Data()), moreComing: false)
    }

    func zones() async throws -> [CloudZoneID] { [] }
    func saveZone(_ zoneID: CloudZoneID) async throws {}
    func deleteZone(_ zoneID: CloudZoneID) async throws {}
    func subscriptions() async throws -> [CloudSubscription] { [] }
    func save(_ subscription: CloudSubscription) async throws {}
    func deleteSubscription(withID subscriptionID: String) async throws {}

    func notifications() async throws -> AsyncThrowingStream<CloudNotification, any Error> {
        AsyncThrowingStream { $0.finish() }
    }

    func notifications(since token: CloudChangeToken?, limit: Int) async throws -> CloudNotificationPage {
        CloudNotificationPage(notifications: [], token: CloudChangeToken(position: Data()), moreComing: false)
    }

    func markNotificationsRead(_ notificationIDs: [String]) async throws {}
    func badgeCounter() async throws -> Int { 0 }
    func setBadgeCounter(_ count: Int) async throws {}

    func accountStatus() async throws -> CloudAccountStatus { .restricted }
    func currentUserRecordID() async throws -> CloudRecordID { CloudRecordID("_someone") }
    func schema() async throws -> CloudSchema { CloudSchema() }
    func extendSchema(_ schema: CloudSchema) async throws {}
    func deploySchema() async throws {}
}
