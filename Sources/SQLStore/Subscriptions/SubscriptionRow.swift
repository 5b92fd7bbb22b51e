import CloudRecords
import Foundation

/// Subscriptions as they are stored.
enum SubscriptionRow {
    static func content(_ subscription: CloudSubscription) throws -> String {
        String(decoding: try JSONEncoder().encode(subscription), as: UTF8.self)
    }

    static func subscription(_ content: String) throws -> CloudSubscription {
        do {
            return try JSONDecoder().decode(CloudSubscription.self, from: Data(content.utf8))
        } catch {
            throw CloudError(
                .internalError,
                "A subscription in the database can't be read.",
                remedy: "Another tool must have changed it; delete it and subscribe again."
            )
        }
    }

    /// The most fields whose values a notification carries, as in CloudKit.
    private static let maximumDesiredKeys = 3

    /// Refuses a subscription that can't be kept, before anything is written.
    static func check(_ subscription: CloudSubscription) throws {
        let name = subscription.subscriptionID
        guard !name.isEmpty, name.utf8.count <= 255, !name.utf8.contains(0) else {
            throw refused("The subscription ID \(name.debugDescription) is not one.", "Use 1 to 255 bytes of text.")
        }
        guard !subscription.events.isEmpty else {
            throw refused("Subscription \(name) is to no event.", "Name at least one of create, update and delete.")
        }
        switch subscription.target {
        case .query(let recordType, let predicate):
            if NameRule.violation(ofIdentifier: recordType) != nil {
                throw refused(
                    "Subscription \(name) is to \(recordType.debugDescription), which can't name a record type.",
                    "Use the record type of a class."
                )
            }
            try predicate.checkWellFormed()
        case .zone(let zoneID): try RecordValidator.validate(zoneID)
        case .database: break
        }
        let keys = subscription.notificationInfo?.desiredKeys ?? []
        guard keys.count <= maximumDesiredKeys else {
            throw refused(
                "Subscription \(name) wants the values of \(keys.count) fields in its notifications.",
                "Ask for \(maximumDesiredKeys) at most, and fetch the record for the others."
            )
        }
    }

    private static func refused(_ message: String, _ remedy: String) -> CloudError {
        CloudError(.invalidArguments, message, remedy: remedy)
    }
}
