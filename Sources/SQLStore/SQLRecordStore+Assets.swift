import CloudRecords

extension SQLRecordStore {
    /// Removes the content of assets that nobody uses or holds any more.
    package func collectAssets() async throws {
        let undiscarded = collector.undiscarded()
        if !undiscarded.isEmpty {
            _ = try await writeKeepingGarbage { [collector] in try collector.adopt(undiscarded, $0) }
            collector.noteDiscarded(undiscarded)
        }
        let (horizon, _) = try await writeKeepingGarbage { [collector] session in
            collector.begin()
            return try collector.collect(session)
        }
        assets.acknowledge(horizon)
    }

    /// Takes up what a process before this one left in the keeping, and removes it.
    package func collectLeftovers() async throws {
        let contents = try assets.contents()
        if contents.isEmpty { return try assets.removeLeftovers() }
        let unknown = try await read { [collector] in try collector.unknown(contents, $0) }
        if !unknown.isEmpty { _ = try await writeKeepingGarbage { [collector] in try collector.adopt(unknown, $0) } }
        if try await read({ [collector] in try collector.hasGarbage($0) }) { try await collectAssets() }
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
    ///
    /// Also for a task that was cancelled, and therefore in another one. What can't be written down now, as the disk
    /// may be full, is remembered for the next time, and found anew when the file is opened again.
    func discard(_ contents: [String]) async {
        if contents.isEmpty { return }
        collector.remember(contents)
        await Task { await collectNow() }.value
    }
}
