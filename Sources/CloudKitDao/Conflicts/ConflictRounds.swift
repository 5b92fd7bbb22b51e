/// A batch whose conflicts are resolved: what to send next, given what came back.
///
/// The first round has the batch's saves. Each further round has the records whose conflicts were resolved. Deletes are
/// the last round, after all saves are settled: a record that leaves its parent must have left before the parent is
/// deleted. An atomic batch is sent as a whole each time, without what is already stored as it is wanted.
struct ConflictRounds {
    private enum Stage {
        case saving
        case deleting
        case over
    }

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
    private var stage: Stage
    private var saved: [Result<CloudRecord, CloudError>?]
    private var deleted: [Result<CloudRecordID, CloudError>]
    /// The positions of records that are stored as they are wanted.
    private var kept: Set<Int> = []
    /// By position, the records that are sent instead of the batch's own.
    private var merged: [Int: CloudRecord] = [:]
    /// By position, the stored records that conflicts were resolved with.
    private(set) var servers: [Int: CloudRecord] = [:]

    init(_ batch: CloudModification, handler: CloudConflictHandler) {
        self.batch = batch
        self.handler = handler
        sending = Array(batch.saving.indices)
        stage = batch.saving.isEmpty && !batch.isAtomic ? .deleting : .saving
        saved = Array(repeating: nil, count: batch.saving.count)
        deleted = []
    }

    /// What to send next; nil when every record has its result.
    mutating func next() -> CloudModification? {
        var request = batch
        switch stage {
        case .over:
            return nil
        case .saving:
            attempts += 1
            if attempts > 1 { request.saving = sending.map { merged[$0] ?? batch.saving[$0] } }
            if !batch.isAtomic { request.deleting = [] }
        case .deleting:
            request.saving = []
        }
        return request
    }

    /// Takes the results of what was sent last.
    ///
    /// - Parameters:
    ///   - interruption: The error that kept a part of it from being sent.
    ///   - ancestor: The record at a position of the batch as its client had last read it.
    mutating func receive(
        _ answer: CloudModificationResult,
        interruptedBy interruption: CloudError? = nil,
        ancestor: (Int) -> CloudRecord?
    ) {
        if batch.isAtomic || stage == .deleting { deleted = answer.deleted }
        guard stage == .saving else {
            stage = .over
            return
        }
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
        if let interruption {
            giveUpDeletes(interruption)
            return
        }
        guard !conflicts.isEmpty, attempts < handler.maximumAttempts else {
            endSaving()
            return
        }
        if batch.isAtomic, hasFailureBeyondConflicts {
            endSaving()
            return
        }
        resolve(conflicts, ancestor: ancestor)
    }

    /// All saves have their results.
    private mutating func endSaving() {
        stage = batch.isAtomic || batch.deleting.isEmpty ? .over : .deleting
    }

    /// An error ended the batch before its deletes were sent.
    private mutating func giveUpDeletes(_ error: CloudError) {
        deleted = batch.deleting.map { .failure(error.ofUnsent($0)) }
        stage = .over
    }

    private mutating func resolve(
        _ conflicts: [(position: Int, server: CloudRecord)],
        ancestor: (Int) -> CloudRecord?
    ) {
        var written: [Int] = []
        var unchanged: [Int: CloudRecord] = [:]
        var hasFailure = false
        for (position, server) in conflicts {
            switch resolution(of: batch.saving[position], server, ancestor(position)) {
            case .write(let record):
                merged[position] = record
                servers[position] = server
                written.append(position)
            case .keep:
                unchanged[position] = server
            case .fail(let error):
                saved[position] = .failure(error)
                hasFailure = true
            }
        }
        if batch.isAtomic, hasFailure {
            endSaving()
            return
        }
        for (position, server) in unchanged {
            saved[position] = .success(server)
            servers[position] = server
            kept.insert(position)
        }
        sending = batch.isAtomic ? sending.filter { unchanged[$0] == nil } : written
        if sending.isEmpty, !batch.isAtomic || batch.deleting.isEmpty { endSaving() }
    }

    private var hasFailureBeyondConflicts: Bool {
        saved.contains { $0?.isFailureBeyondConflict == true } || deleted.contains { $0.isFailureBeyondConflict }
    }

    /// Takes the error of what was sent last as a whole, or of waiting for the next round.
    ///
    /// - Throws: The error, if nothing was answered before it.
    mutating func receive(_ error: CloudError) throws {
        guard attempts > 1 || !saved.allSatisfy({ $0 == nil }) else { throw error }
        if stage == .saving {
            for position in sending {
                saved[position] = .failure(error.ofSent(batch.saving[position].recordID))
            }
        }
        if stage == .saving, !batch.isAtomic {
            giveUpDeletes(error)
        } else {
            deleted = batch.deleting.map { .failure(error.ofSent($0)) }
            stage = .over
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
        stage != .saving ? [] : sending.filter { servers[$0] != nil }.map { batch.saving[$0].recordID }
    }

    /// One result for each record of the batch. To be asked for when there is nothing more to send.
    func result() -> CloudModificationResult {
        var saved = saved.compactMap { $0 }
        if batch.isAtomic, saved.contains(where: \.isFailure) || deleted.contains(where: \.isFailure) {
            // What was kept was not written, but it is a part of the batch.
            for position in kept { saved[position] = .failure(.rolledBack(batch.saving[position].recordID)) }
        }
        return CloudModificationResult(saved: saved, deleted: deleted)
    }
}

extension Result where Failure == CloudError {
    fileprivate var isFailure: Bool {
        if case .failure = self { true } else { false }
    }

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
