import CloudRecords

extension SQLRecordStore {
    /// Removes the content of assets that nobody uses or holds any more.
    package func collectAssets() async throws {
        let (horizon, _) = try await writeKeepingGarbage { [collector] session in
            collector.begin()
            return try collector.collect(session)
        }
        assets.acknowledge(horizon)
    }

    /// Takes up what a process that ended in the middle of its work left in the keeping, and removes it.
    package func collectAfterCrash() async throws {
        let contents = try assets.contentAfterCrash()
        let unknown = try await read { [collector] in try collector.unknown(contents, $0) }
        if !unknown.isEmpty { _ = try await writeKeepingGarbage { [collector] in try collector.adopt(unknown, $0) } }
        try await collectAssets()
        try assets.removeLeftovers()
    }

    /// Removes garbage after a write that made some.
    func collectNow() async {
        // The write is done and must not look failed. What is left is in the table of garbage for the next time.
        try? await collectAssets()
    }

    /// Removes garbage in a while, if it is time now that the last asset of some content, or a read, is gone.
    func collectLater(afterReleasing content: String?) {
        guard collector.shouldCollect(afterReleasing: content) else { return }
        Task { await collectNow() }
    }

    /// Makes garbage of content that was kept for a batch which was not written.
    func discard(_ contents: [String]) async {
        if contents.isEmpty { return }
        do {
            try await write { [collector] in try collector.adopt(contents, $0) }
        } catch {
            // A store that is closed or full now finds the content when it is opened after this process.
        }
    }
}
