import CloudRecords
import Foundation

/// What a token of notifications holds: how far one client has read.
struct NotificationPosition: Codable {
    /// The database and the client, since the numbers of others mean nothing here.
    let database: String
    let client: Int64
    /// The client has the notifications up to this number.
    let notification: Int64

    init(database: String, client: Int64, notification: Int64) {
        self.database = database
        self.client = client
        self.notification = notification
    }

    /// Reads a token.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if no store made it.
    init(_ token: CloudChangeToken) throws {
        do {
            self = try JSONDecoder().decode(NotificationPosition.self, from: token.position)
        } catch {
            throw CloudError(
                .invalidArguments,
                "The token is none of notifications that a store of this kind made.",
                remedy: "Ask for all unread notifications, with nil."
            )
        }
    }

    var token: CloudChangeToken {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return CloudChangeToken(position: try encoder.encode(self))
        }
    }
}
