import CloudRecords
import Synchronization

/// Removes the content of assets that no record uses.
///
/// Content becomes garbage in the transaction that takes away its last use, and is removed in a later one: so a crash
/// never leaves a record without its content. It stays as long as an asset of any process holds it, or a read that
/// began before may still find it.
final class AssetCollector: Sendable {
    private struct State {
        var isScheduled = false
        /// Garbage that an asset of this process held at the last pass.
        var held: Set<String> = []
        /// Whether the last pass left garbage because of reads that ran.
        var waitsForReads = false
        /// Content that was kept for batches which were not written, and of which the database doesn't know yet.
        var undiscarded: Set<String> = []
    }

    private let assets: any AssetKeeping
    private let reads: ActiveReads
    private let state = Mutex(State())

    init(assets: any AssetKeeping, reads: ActiveReads) {
        self.assets = assets
        self.reads = reads
    }

    /// Removes what can be removed.
    ///
    /// - Returns: The sequence number to acknowledge when the transaction is committed.
    func collect(_ session: WriteSession) throws -> Int64 {
        var garbage: [Garbage] = []
        try session.connection.forEachRow("SELECT \"content_name\", \"since\" FROM \"_garbage\"") { row in
            garbage.append(Garbage(contentName: row.text(at: 0), since: row.integer(at: 1)))
        }
        let oldestRead = reads.oldest
        let horizon = min(session.nextSequence, oldestRead ?? .max)
        let sorted = try assets.sorted(garbage, horizon: horizon)
        for content in sorted.removable where try !session.links.isUsed(content) {
            try assets.remove(content)
            try session.connection.run("DELETE FROM \"_garbage\" WHERE \"content_name\" = ?1", [.text(content)])
            try session.connection.run("DELETE FROM \"_assets\" WHERE \"content_name\" = ?1", [.text(content)])
        }
        if !sorted.held.isEmpty {
            // What this process holds others must go on sparing, though it says that it has come so far.
            let since = try session.takeSequence()
            for content in sorted.held {
                try session.connection.run(
                    "UPDATE \"_garbage\" SET \"since\" = ?2 WHERE \"content_name\" = ?1",
                    [.text(content), .integer(since)]
                )
            }
        }
        let isLeft = sorted.removable.count + sorted.held.count < garbage.count
        state.withLock { ($0.held, $0.waitsForReads) = (Set(sorted.held), isLeft && oldestRead != nil) }
        return horizon
    }

    /// Makes garbage of content that the database doesn't know: what a crash left behind.
    func adopt(_ contents: [String], _ session: WriteSession) throws {
        for content in contents {
            try session.connection.run(
                "INSERT INTO \"_assets\" VALUES (?1, 0) ON CONFLICT DO NOTHING",
                [.text(content)]
            )
            session.links.touch(content)
        }
    }

    /// Whether there is anything to collect.
    func hasGarbage(_ session: ReadSession) throws -> Bool {
        let statement = try session.connection.statement("SELECT 1 FROM \"_garbage\" LIMIT 1")
        defer { statement.reset() }
        return try statement.step()
    }

    /// Which of these contents the database doesn't know.
    func unknown(_ contents: [String], _ session: ReadSession) throws -> [String] {
        let statement = try session.connection.statement("SELECT 1 FROM \"_assets\" WHERE \"content_name\" = ?1")
        return try contents.filter { content in
            defer { statement.reset() }
            try statement.bind(content, at: 1)
            return try !statement.step()
        }
    }

    // MARK: What was kept for nothing

    func remember(_ contents: [String]) {
        state.withLock { $0.undiscarded.formUnion(contents) }
    }

    func undiscarded() -> [String] {
        state.withLock { $0.undiscarded.sorted() }
    }

    func noteDiscarded(_ contents: [String]) {
        state.withLock { $0.undiscarded.subtract(contents) }
    }

    // MARK: When to try again

    /// Whether a pass is worth while now that an asset of this content, or a read, is gone; true once.
    func shouldCollect(afterReleasing content: String?) -> Bool {
        state.withLock { state in
            let isWaiting = content.map { state.held.contains($0) } ?? state.waitsForReads
            guard isWaiting, !state.isScheduled else { return false }
            state.isScheduled = true
            return true
        }
    }

    /// Says that the pass begins which was found worth while.
    func begin() {
        state.withLock { $0.isScheduled = false }
    }
}
