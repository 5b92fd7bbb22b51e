extension CloudDao {
    /// What became of a batch whose conflicts were resolved.
    struct ResolvedBatch {
        let result: CloudModificationResult
        /// By position, the stored records that conflicts were resolved with.
        var servers: [Int: CloudRecord] = [:]
    }

    /// Saves and deletes a batch, and what is in conflict again as the handler merges it.
    ///
    /// - Parameter ancestor: The record at a position of the batch as its client had last read it.
    func modify(
        _ batch: CloudModification,
        in store: any CloudStore,
        resolvingBy handler: CloudConflictHandler?,
        ancestor: (Int) -> CloudRecord?
    ) async throws -> ResolvedBatch {
        let progress = batch.progressHandler.map { BatchProgress(of: batch, handler: $0) }
        guard let handler, batch.savePolicy == .ifServerRecordUnchanged else {
            let result = try await store.modifyInPieces(batch, progress: progress).result
            progress?.finish()
            return ResolvedBatch(result: result)
        }
        var rounds = ConflictRounds(batch, handler: handler)
        var turn: ConflictTurn? = try await turns.take(turns.contended(among: batch.saving))
        while let request = rounds.next() {
            progress?.beginRound(answeredCount: batch.saving.count - request.saving.count)
            do {
                let answer = try await store.modifyInPieces(request, progress: progress)
                rounds.receive(answer.result, interruptedBy: answer.interruption, ancestor: ancestor)
                let waiting = Set(rounds.waitingIDs)
                if let held = turn?.recordIDs, !held.isSuperset(of: waiting) {
                    // Whoever waits for more must not keep others waiting.
                    turn = nil
                    turn = try await turns.take(Array(waiting.union(held)))
                }
            } catch {
                try rounds.receive(CloudError(error))
            }
        }
        withExtendedLifetime(turn) {}
        progress?.finish()
        return ResolvedBatch(result: rounds.result(), servers: rounds.servers)
    }
}
