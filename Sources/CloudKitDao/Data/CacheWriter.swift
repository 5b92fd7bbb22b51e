import Synchronization

/// Writes the cache file of one connection, from any thread, never an older content over a newer one.
final class CacheWriter: Sendable {
    let file: CacheFile
    /// The number of the newest content that was written.
    private let written = Mutex(0)

    init(_ file: CacheFile) {
        self.file = file
    }

    /// Writes what the store has of a collection. It waits for a write that is under way.
    func write(_ snapshot: LiveCollection.Snapshot, number: Int) throws {
        try written.withLock { written in
            guard number > written else { return }
            try file.write(CacheContent(records: snapshot.records, isComplete: snapshot.isComplete))
            written = number
        }
    }

    func remove() throws {
        try written.withLock { _ in try file.remove() }
    }
}
