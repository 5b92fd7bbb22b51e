extension CloudStore {
    /// Saves and deletes a batch of any size.
    ///
    /// - Returns: One result for each record, in the batch's order; and if the error of a request kept the rest from
    ///   being sent, this error.
    /// - Throws: The error of the batch as a whole, if no record has a result.
    func modifyInPieces(
        _ batch: CloudModification,
        progress: BatchProgress? = nil
    ) async throws -> (result: CloudModificationResult, interruption: CloudError?) {
        var splitter = try BatchSplitter(batch, limit: capabilities.maximumBatchSize)
        while let request = splitter.next() {
            do {
                try CloudDao.checkCancellation()
                let request = progress?.begin(request) ?? request
                let answer = try await wrappingErrors { try await $0.modify(request) }
                try checkCount(of: answer.saved, for: request.saving)
                try checkCount(of: answer.deleted, for: request.deleting)
                splitter.receive(answer)
                progress?.end(answeredCount: splitter.answeredCount)
            } catch {
                progress?.undo()
                try splitter.receive(CloudError(error))
            }
        }
        return (splitter.result(), splitter.interruption)
    }

    /// Fetches any number of records.
    ///
    /// - Parameter receive: Gets the answer to each request with its IDs, which are in order.
    /// - Throws: The error of a request as a whole.
    func fetchInPieces(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]? = nil,
        receive: (CloudFetchedRows, ArraySlice<CloudRecordID>) -> Void
    ) async throws {
        var queue = PieceQueue(count: recordIDs.count, limit: capabilities.maximumBatchSize)
        while let piece = queue.next() {
            do {
                try CloudDao.checkCancellation()
                guard let first = piece.first, let last = piece.last else { continue }
                // Pieces are stretches of the list, one after the other.
                let ids = recordIDs[first...last]
                let answer = try await wrappingErrors {
                    try await $0.fetchRows(Array(ids), desiredFields: desiredFields)
                }
                try checkCount(answer.count, for: ids)
                receive(answer, ids)
            } catch let error as CloudError where error.code == .limitExceeded {
                guard queue.halve(piece, ofRequestWith: piece.count) else { throw error }
            }
        }
    }
}
