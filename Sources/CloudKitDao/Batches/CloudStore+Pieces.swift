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
    /// - Returns: One result for each ID, in the order of the IDs.
    /// - Throws: The error of a request as a whole.
    func fetchInPieces(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]? = nil
    ) async throws -> [Result<CloudRecord, CloudError>] {
        var queue = PieceQueue(count: recordIDs.count, limit: capabilities.maximumBatchSize)
        var results: [Result<CloudRecord, CloudError>?] = Array(repeating: nil, count: recordIDs.count)
        while let piece = queue.next() {
            do {
                try CloudDao.checkCancellation()
                let ids = piece.count == recordIDs.count ? recordIDs : piece.map { recordIDs[$0] }
                let answer = try await wrappingErrors { try await $0.fetch(ids, desiredFields: desiredFields) }
                try checkCount(of: answer, for: ids)
                for (position, result) in zip(piece, answer) { results[position] = result }
            } catch let error as CloudError where error.code == .limitExceeded {
                guard queue.halve(piece, ofRequestWith: piece.count) else { throw error }
            }
        }
        return results.compactMap { $0 }
    }
}
