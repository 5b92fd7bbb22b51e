import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

/// Two clients of one database: one that listens, by a DAO whose store can be made to fail, and one that writes.
final class TwoClients: Sendable {
    let store: FaultyStore
    private let base: SQLiteStore
    let listener: CloudDao
    let writer: CloudDao
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        let path = folder.path("news.sqlite")
        base = try SQLiteStore(path: path, clientID: "listener")
        store = FaultyStore(base)
        listener = CloudDao(store: store)
        writer = CloudDao(store: try SQLiteStore(path: path, clientID: "writer"))
    }

    /// What is unread, as short texts: "+a" for a new record, "~a" for a changed one, "-a" for a deleted one.
    func changes(skipping notificationID: String? = nil) async throws -> [String] {
        var changes: [String] = []
        try await listener.fetchChangeNotifications(skipping: notificationID) { changes.append($0.text) }
        return changes
    }

    func unread() async throws -> [CloudNotification] {
        try await base.notifications(since: nil, limit: 1_000).notifications
    }

    /// Calls the form with handlers and returns what they got, in order.
    func report(_ userInfo: [AnyHashable: Any], dao: CloudDao? = nil) async -> [String] {
        let calls = Mutex<[String]>([])
        func note(_ call: String) { calls.withLock { $0.append(call) } }
        await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
            (dao ?? listener).didReceiveRemoteNotification(
                userInfo,
                executeIfNonQuery: { note("no query") },
                inserted: { name, item in note("+\(name) \((item as? Message)?.text ?? "?")") },
                updated: { name, item in note("~\(name) \((item as? Message)?.text ?? "?")") },
                deleted: { note("-\($0)") },
                completed: {
                    note("completed")
                    continuation.resume()
                },
                errorHandler: { note("error \($0.code)") }
            )
        }
        return calls.withLock { $0 }
    }
}

extension CloudRemoteChange {
    var text: String {
        switch self {
        case .inserted(let object): "+\(object.recordID.recordName)"
        case .updated(let object): "~\(object.recordID.recordName)"
        case .deleted(let recordID): "-\(recordID.recordName)"
        }
    }
}

/// A push of CloudKit's about a query subscription.
func queryPush(
    _ name: String?,
    _ reason: Int,
    subscription: String? = "type_Message_id_all",
    cloudKit other: [String: Any] = [:]
) -> [AnyHashable: Any] {
    var query: [String: Any] = ["fo": reason]
    query["rid"] = name
    query["sid"] = subscription
    var cloudKit: [String: Any] = ["ce": 2, "nid": UUID().uuidString, "qry": query]
    cloudKit.merge(other) { $1 }
    return ["aps": ["content-available": 1], "ck": cloudKit]
}
