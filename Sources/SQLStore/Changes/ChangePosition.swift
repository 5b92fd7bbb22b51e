import CloudRecords
import Foundation

/// What a change token holds: how far a client knows the history of one database.
struct ChangePosition: Codable {
    /// The database, since the numbers of another one mean nothing here.
    let database: String
    /// The zone that the client asked for, as text; nil if it asked for all.
    let zone: String?
    /// The client has what was saved up to this sequence number.
    let sequence: Int64
    /// The client needs no deletions up to this number: it began to read all records only then.
    let deletions: Int64

    init(database: String, zone: String?, sequence: Int64, deletions: Int64) {
        self.database = database
        self.zone = zone
        self.sequence = sequence
        self.deletions = max(deletions, sequence)
    }

    /// Reads a token.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if no store made it.
    init(_ token: CloudChangeToken) throws {
        do {
            self = try JSONDecoder().decode(ChangePosition.self, from: token.position)
        } catch {
            throw CloudError(
                .invalidArguments,
                "The change token is none that a store of this kind made.",
                remedy: "Ask for the changes from the beginning, with nil."
            )
        }
    }

    var token: CloudChangeToken {
        get throws {
            // Equal positions are equal tokens.
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            return CloudChangeToken(position: try encoder.encode(self))
        }
    }
}
