import CloudRecords
import Foundation

/// One client's subscription, made ready to look at many changes.
package final class SubscriptionEntry: Sendable {
    /// The number of its row; a subscription that is replaced gets a new one.
    package let id: Int64
    /// The row of the client that it belongs to.
    package let client: Int64
    package let subscription: CloudSubscription
    /// What its notifications have in common, as it is stored with each of them; nil if there is nothing.
    private let details: String?
    /// Nil for a subscription to a zone or to the database.
    private let predicate: CompiledPredicate?
    /// The values of which a record must have one to match; nil if there is no such condition.
    let keys: [EqualityKey.Pair]?

    /// - Throws: The error of a predicate that is none.
    package init(id: Int64, client: Int64, _ subscription: CloudSubscription) throws {
        self.id = id
        self.client = client
        self.subscription = subscription
        details = try NotificationDetails(subscription).text
        if case .query(_, let predicate) = subscription.target {
            self.predicate = try CompiledPredicate(predicate)
            keys = EqualityKey.keys(of: predicate.node)
        } else {
            predicate = nil
            keys = nil
        }
    }

    /// What a change is to the subscription; nil if it is nothing that it asks for.
    ///
    /// - Parameters:
    ///   - before: The record as it was; nil if it is new.
    ///   - after: The record as it is now; nil if it was deleted.
    func event(before: CloudRecord?, after: CloudRecord?) -> CloudSubscription.Event? {
        let events = subscription.events
        switch (isMatch(before), isMatch(after)) {
        case (false, false): return nil
        case (false, true):
            if events.contains(.create) { return .create }
            // Who asks for updates only still hears of one that brought the record in.
            return before != nil && events.contains(.update) ? .update : nil
        case (true, true): return events.contains(.update) ? .update : nil
        case (true, false): return events.contains(.delete) ? .delete : nil
        }
    }

    /// What is stored with the notification of a record, as JSON; nil if there is nothing.
    func details(of record: CloudRecord) throws -> String? {
        guard subscription.notificationInfo?.hasArguments == true else { return details }
        var own = NotificationDetails(subscription)
        own.info?.fillArguments(from: record)
        return try own.text
    }

    private func isMatch(_ record: CloudRecord?) -> Bool {
        guard let record else { return false }
        return predicate?.matches(record) ?? true
    }
}

/// What all notifications of a subscription have in common.
struct NotificationDetails: Codable {
    var kind = CloudSubscription.Kind.query
    var info: CloudSubscription.NotificationInfo?

    init(_ subscription: CloudSubscription) {
        kind = subscription.target.kind
        info = subscription.notificationInfo
    }

    /// Reads what is stored with a notification; nil stands for what most have, the silent ones of queries.
    init(text: String?) throws {
        guard let text else { return }
        self = try JSONDecoder().decode(NotificationDetails.self, from: Data(text.utf8))
    }

    var text: String? {
        get throws {
            if kind == .query, info == nil { return nil }
            return String(decoding: try JSONEncoder().encode(self), as: UTF8.self)
        }
    }
}
