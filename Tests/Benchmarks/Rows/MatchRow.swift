import CloudKitDao
import Foundation

extension BenchmarkRow {
    /// A batch of new records, each of which one subscription of another client asks for: with 10,000 subscriptions on
    /// the type, and with 10 on the floor.
    static let match = BenchmarkRow(contest: "live.match") { workspace in
        let many = try await Subscribed(count: 10_000, workspace)
        let few = try await Subscribed(count: 10, workspace)
        return Contest(
            name: "live.match",
            ours: Contender("10,000 subscriptions") { try await many.time() },
            floor: Contender("10 subscriptions") { try await few.time() }
        )
    }

    /// A database with so many subscriptions to one value each.
    private final class Subscribed {
        private let count: Int
        private let writer: SQLiteStore
        private let listener: SQLiteStore
        private static let batchSize = 2_000

        init(count: Int, _ workspace: Workspace) async throws {
            self.count = count
            let path = workspace.newPath()
            listener = try SQLiteStore(path: path, clientID: "listener")
            writer = try SQLiteStore(path: path, clientID: "writer")
            for number in 0..<count {
                try await listener.save(
                    CloudSubscription(
                        subscriptionID: "s\(number)",
                        target: .query(recordType: "Place", "rank == \(number) AND score < \(500)")
                    )
                )
            }
        }

        /// The nanoseconds for each record of a batch.
        func time() async throws -> Double {
            let records = (0..<Self.batchSize).map { number in
                var record = CloudRecord(recordType: "Place")
                record["rank"] = .int64(Int64(number % count))
                record["score"] = .double(7)
                record["text"] = .string("Text number \(number)")
                return record
            }
            let time = try await nanoseconds(per: records.count) {
                _ = try await writer.modify(CloudModification(saving: records))
            }
            // All of the batches before were marked as read.
            let news = try await listener.notifications(since: nil, limit: 2 * Self.batchSize).notifications
            guard news.count == Self.batchSize else {
                throw UsageError("\(news.count) of \(Self.batchSize) were reported")
            }
            try await listener.markNotificationsRead(news.map(\.notificationID))
            return time
        }
    }
}
