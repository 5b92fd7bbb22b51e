/// A batch on its way through requests that are not larger than the store allows: what to send next, given what came
/// back.
///
/// - Saves are sent before deletes, each in the batch's order; each of them once, unless its request was too large.
/// - What the store finds too large, by its limit or by an error, is sent again in halves, down to single records.
/// - Another error of a whole request ends the batch. If nothing was answered before, the error is that of the batch;
///   else what was answered stands, and each of the other records has the error.
/// - An atomic batch is one request, or none.
struct BatchSplitter {
    private let batch: CloudModification
    private var queue: PieceQueue
    private var current: PieceQueue.Piece = []
    /// The answer to the whole batch, if it was one request that needed nothing more. It stands for the results below.
    private var whole: CloudModificationResult?
    private var saved: [Result<CloudRecord, CloudError>?] = []
    private var deleted: [Result<CloudRecordID, CloudError>?] = []

    /// How many records have their result.
    private(set) var answeredCount = 0

    /// The error of a request that ended the batch after a part of it was answered.
    private(set) var interruption: CloudError?

    /// - Throws: ``CloudError/Code/limitExceeded`` if the batch is atomic and has more records than the limit.
    init(_ batch: CloudModification, limit: Int?) throws {
        let count = batch.saving.count + batch.deleting.count
        if batch.isAtomic, let limit, count > limit {
            throw CloudError(
                .limitExceeded,
                "An atomic batch of \(count) records can't be sent: the store takes at most \(limit) at once.",
                remedy: "Send at most \(limit) records, or a batch that is not atomic."
            )
        }
        self.batch = batch
        queue = PieceQueue(count: count, limit: limit)
    }

    private var count: Int { batch.saving.count + batch.deleting.count }

    /// What to send next; nil when every record has its result.
    mutating func next() -> CloudModification? {
        guard let piece = queue.next() else { return nil }
        current = piece
        if piece.count == count { return batch }
        var request = batch
        request.saving = piece.prefix { $0 < batch.saving.count }.map { batch.saving[$0] }
        request.deleting = piece.dropFirst(request.saving.count).map { batch.deleting[$0 - batch.saving.count] }
        return request
    }

    /// Takes the results of what was sent last.
    mutating func receive(_ answer: CloudModificationResult) {
        if current.count == count, batch.isAtomic || !answer.hasFailure {
            whole = answer
            answeredCount = count
            return
        }
        makeRoom()
        var tooLarge: [Int] = []
        for (position, result) in zip(current, answer.saved) where !isTooLarge(result, position, &tooLarge) {
            saved[position] = result
        }
        for (position, result) in zip(current.dropFirst(answer.saved.count), answer.deleted)
        where !isTooLarge(result, position, &tooLarge) {
            deleted[position - batch.saving.count] = result
        }
        answeredCount += current.count - tooLarge.count
        _ = queue.halve(tooLarge[...], ofRequestWith: current.count)
    }

    private mutating func makeRoom() {
        guard saved.isEmpty, deleted.isEmpty else { return }
        saved = Array(repeating: nil, count: batch.saving.count)
        deleted = Array(repeating: nil, count: batch.deleting.count)
    }

    /// Whether the record has to be sent again in a smaller request, and if so adds its position to the list.
    private func isTooLarge<Value>(
        _ result: Result<Value, CloudError>,
        _ position: Int,
        _ tooLarge: inout [Int]
    ) -> Bool {
        guard
            !batch.isAtomic, current.count > 1,
            case .failure(let error) = result, error.code == .limitExceeded
        else { return false }
        tooLarge.append(position)
        return true
    }

    /// Takes the error of what was sent last as a whole.
    ///
    /// - Throws: The error, if nothing was answered before it.
    mutating func receive(_ error: CloudError) throws {
        if error.code == .limitExceeded, !batch.isAtomic, queue.halve(current, ofRequestWith: current.count) { return }
        guard answeredCount > 0 || error.code == .limitExceeded && !batch.isAtomic else { throw error }
        makeRoom()
        for position in current {
            settle(position, error.ofSent)
        }
        // A single record that is too large says nothing about those after it.
        if error.code == .limitExceeded { return }
        interruption = error
        for position in queue.removeAll() {
            settle(position, error.ofUnsent)
        }
    }

    private mutating func settle(_ position: Int, _ error: (CloudRecordID) -> CloudError) {
        if position < batch.saving.count {
            saved[position] = .failure(error(batch.saving[position].recordID))
        } else {
            let recordID = batch.deleting[position - batch.saving.count]
            deleted[position - batch.saving.count] = .failure(error(recordID))
        }
        answeredCount += 1
    }

    /// One result for each record of the batch. To be asked for when there is nothing more to send.
    func result() -> CloudModificationResult {
        if let whole { return whole }
        return CloudModificationResult(saved: saved.compactMap { $0 }, deleted: deleted.compactMap { $0 })
    }
}

extension CloudModificationResult {
    fileprivate var hasFailure: Bool {
        let hasUnsaved = saved.indices.contains { index in if case .failure = saved[index] { true } else { false } }
        return hasUnsaved || deleted.contains { if case .failure = $0 { true } else { false } }
    }
}

extension CloudError {
    /// The error of a request as that of one of its records.
    func ofSent(_ recordID: CloudRecordID) -> CloudError {
        CloudError(code, message, remedy: remedy, recordID: recordID, retryAfter: retryAfter)
    }

    /// The error of a record that was not sent, because an earlier request of its batch ended with this error.
    func ofUnsent(_ recordID: CloudRecordID) -> CloudError {
        CloudError(
            // Of this record it is known that nothing was written.
            code == .serverResponseLost ? .networkFailure : code,
            "\(recordID) was not sent, because an earlier part of the batch failed: \(message)",
            remedy: remedy,
            recordID: recordID,
            retryAfter: retryAfter
        )
    }
}
