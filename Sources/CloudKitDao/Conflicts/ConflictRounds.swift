/// A batch whose conflicts are resolved: what to send next, given what came back.
///
/// The first round is the batch. Each further round has the records whose conflicts were resolved; if the batch is
/// atomic, everything again.
struct ConflictRounds {
    /// What a conflict was resolved to.
    private enum Resolution {
        case write(CloudRecord)
        /// What is stored is what was wanted.
        case keep
        /// It stays a conflict, or becomes another error.
        case fail(CloudError)
    }

    private let batch: CloudModification
    private let handler: CloudConflictHandler
    private var attempts = 0
    /// The positions of the records of the next round, or of the one under way.
    private var sending: [Int]
    private var isOver = false
    private var saved: [Result<CloudRecord, CloudError>?]
    private var deleted: [Result<CloudRecordID, CloudError>]
    /// By position, the records that are sent instead of the batch's own.
    private var merged: [Int: CloudRecord] = [:]
    /// By position, the stored records that conflicts were resolved with.
    private(set) var servers: [Int: CloudRecord] = [:]

    init(_ batch: CloudModification, handler: CloudConflictHandler) {
        self.batch = batch
        self.handler = handler
        sending = Array(batch.saving.indices)
        saved = Array(repeating: nil, count: batch.saving.count)
        deleted = []
    }

    /// What to send next; nil when every record has its result.
    mutating func next() -> CloudModification? {
        guard !isOver else { return nil }
        attempts += 1
        if attempts == 1 { return batch }
        var request = batch
        request.saving = sending.map { merged[$0] ?? batch.saving[$0] }
        if !batch.isAtomic { request.deleting = [] }
        return request
    }

    /// Takes the results of what was sent last.
    ///
    /// - Parameter ancestor: The record at a position of the batch as its client had last read it.
    mutating func receive(_ answer: CloudModificationResult, ancestor: (Int) -> CloudRecord?) {
        if attempts == 1 || batch.isAtomic { deleted = answer.deleted }
        var conflicts: [(position: Int, server: CloudRecord)] = []
        for (position, result) in zip(sending, answer.saved) {
            guard
                case .failure(let error) = result, error.code == .serverRecordChanged,
                let server = error.serverRecord
            else {
                saved[position] = result
                continue
            }
            let client = batch.saving[position]
            saved[position] = .failure(.conflict(client: client, server: server, ancestor: ancestor(position)))
            conflicts.append((position, server))
        }
        guard !conflicts.isEmpty, attempts < handler.maximumAttempts else {
            isOver = true
            return
        }
        if batch.isAtomic, hasFailureBeyondConflicts {
            isOver = true
            return
        }
        resolve(conflicts, ancestor: ancestor)
    }

    private mutating func resolve(
        _ conflicts: [(position: Int, server: CloudRecord)],
        ancestor: (Int) -> CloudRecord?
    ) {
        var written: [Int] = []
        var kept: [Int: CloudRecord] = [:]
        var hasFailure = false
        for (position, server) in conflicts {
            switch resolution(of: batch.saving[position], server, ancestor(position)) {
            case .write(let record):
                merged[position] = record
                servers[position] = server
                written.append(position)
            case .keep:
                kept[position] = server
            case .fail(let error):
                saved[position] = .failure(error)
                hasFailure = true
            }
        }
        if batch.isAtomic, hasFailure {
            isOver = true
            return
        }
        for (position, server) in kept {
            saved[position] = .success(server)
            servers[position] = server
        }
        sending = batch.isAtomic ? sending.filter { kept[$0] == nil } : written
        isOver = sending.isEmpty && (!batch.isAtomic || batch.deleting.isEmpty)
    }

    private var hasFailureBeyondConflicts: Bool {
        saved.contains { $0?.isFailureBeyondConflict == true } || deleted.contains { $0.isFailureBeyondConflict }
    }

    /// Takes the error of what was sent last as a whole, or of waiting for the next round.
    ///
    /// - Throws: The error, if nothing was answered before it.
    mutating func receive(_ error: CloudError) throws {
        guard attempts > 1 || !saved.allSatisfy({ $0 == nil }) else { throw error }
        isOver = true
        for position in sending {
            saved[position] = .failure(error.ofSent(batch.saving[position].recordID))
        }
        if batch.isAtomic {
            deleted = batch.deleting.map { .failure(error.ofSent($0)) }
        }
    }

    private func resolution(of client: CloudRecord, _ server: CloudRecord, _ ancestor: CloudRecord?) -> Resolution {
        let answer: CloudRecord?
        do {
            answer = try handler.merge(client, server, ancestor)
        } catch let error as CloudError {
            return .fail(error)
        } catch {
            return .fail(.handlerThrew(error, about: client))
        }
        guard var record = answer else {
            return .fail(.conflict(client: client, server: server, ancestor: ancestor))
        }
        guard record.recordID == client.recordID, record.recordType == client.recordType else {
            return .fail(.wrongRecord(record, mergedFor: client))
        }
        if record.changesNothing(of: server) { return .keep }
        record.recordChangeTag = server.recordChangeTag
        return .write(record)
    }

    /// The IDs of the records of the next round, in an order that is the same for everybody.
    var waitingIDs: [CloudRecordID] {
        isOver ? [] : sending.filter { servers[$0] != nil }.map { batch.saving[$0].recordID }
    }

    /// One result for each record of the batch. To be asked for when there is nothing more to send.
    func result() -> CloudModificationResult {
        CloudModificationResult(saved: saved.compactMap { $0 }, deleted: deleted)
    }
}

extension Result where Failure == CloudError {
    /// Whether this is the cause of an atomic batch's failure, and no conflict.
    fileprivate var isFailureBeyondConflict: Bool {
        guard case .failure(let error) = self else { return false }
        return error.code != .serverRecordChanged && error.code != .batchRequestFailed
    }
}

extension CloudRecord {
    /// Whether saving this record on top of another one would leave its fields as they are.
    fileprivate func changesNothing(of stored: CloudRecord) -> Bool {
        layout.names.enumerated().allSatisfy { index, name in
            let state = stored.state(of: name)
            return switch fields[index] {
            case .absent: true
            case .null: state.value == nil
            case .value: fields[index] == state
            }
        }
    }
}

extension CloudError {
    fileprivate static func handlerThrew(_ error: any Error, about client: CloudRecord) -> CloudError {
        CloudError(
            .serverRecordChanged,
            "\(client.recordType) \(client.recordID) was changed by someone else, and the conflict handler threw: \(error)",
            remedy: "Mend what the conflict handler finds wrong, or let it return nil.",
            recordID: client.recordID
        )
    }

    fileprivate static func wrongRecord(_ record: CloudRecord, mergedFor client: CloudRecord) -> CloudError {
        CloudError(
            .invalidArguments,
            """
            The conflict handler made \(record.recordType) \(record.recordID) of \
            \(client.recordType) \(client.recordID).
            """,
            remedy: "Return a record of the same type and ID: change a copy of the client's or the server's record.",
            recordID: client.recordID
        )
    }
}
