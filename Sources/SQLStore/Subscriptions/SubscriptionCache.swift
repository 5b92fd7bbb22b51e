import CloudRecords
import Foundation
import Synchronization

/// The index of the subscriptions as this process last needed it.
///
/// Other processes subscribe too: each write compares the generation in the database with this one, and reads what is
/// new when they differ.
final class SubscriptionCache: Sendable {
    private struct State {
        var generation: Int64 = 0
        var index = SubscriptionIndex()
    }

    private let state = Mutex(State())

    /// The index as a write transaction sees it that has not changed any subscription.
    ///
    /// - Complexity: O(1) when nothing has changed; else O(*n*) for *n* subscriptions, of which only new ones are read.
    func index(_ connection: any SQLConnection, generation: Int64) throws -> SubscriptionIndex {
        try state.withLock { state in
            if state.generation != generation {
                try Self.update(&state.index, connection)
                state.generation = generation
            }
            return state.index
        }
    }

    private static func update(_ index: inout SubscriptionIndex, _ connection: any SQLConnection) throws {
        var gone = Set(index.ids)
        var new: [Int64] = []
        try connection.forEachRow("SELECT \"id\" FROM \"_subscriptions\" ORDER BY \"id\"") { row in
            let id = row.integer(at: 0)
            if gone.remove(id) == nil { new.append(id) }
        }
        for id in gone { index.remove(id) }
        for id in new {
            try connection.forEachRow(
                "SELECT \"client_id\", \"content\" FROM \"_subscriptions\" WHERE \"id\" = ?1",
                [.integer(id)]
            ) { row in
                // One that can't be read must not keep others from saving; its own client gets the error when it asks
                // for its subscriptions.
                guard
                    let subscription = try? SubscriptionRow.subscription(row.text(at: 1)),
                    let entry = try? SubscriptionEntry(id: id, client: row.integer(at: 0), subscription)
                else { return }
                index.add(entry)
            }
        }
    }
}
