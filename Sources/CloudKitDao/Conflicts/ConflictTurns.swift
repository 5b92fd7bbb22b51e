import Synchronization

/// Lets those who resolve conflicts of one record do so one after the other, first come, first served.
///
/// Without it, whoever saves most quickly could keep the others in conflict for any length of time.
final class ConflictTurns: Sendable {
    private struct Waiter: Sendable {
        let ticket: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State: Sendable {
        /// Those who wait for each record that somebody has the turn of.
        var lines: [CloudRecordID: [Waiter]] = [:]
        var lastTicket = 0
        /// The tickets of tasks that were cancelled before they stood in line.
        var cancelled: Set<Int> = []
    }

    private let state = Mutex(State())

    /// The IDs among these that somebody has the turn of.
    func contended(among records: [CloudRecord]) -> [CloudRecordID] {
        state.withLock { state in
            if state.lines.isEmpty { return [] }
            return records.lazy.map(\.recordID).filter { state.lines[$0] != nil }
        }
    }

    /// Waits for the turns of records and does something while having them.
    ///
    /// The turns are taken in one order by everybody, so that nobody waits for someone who waits for him.
    ///
    /// - Throws: ``CloudError/Code/operationCancelled`` if the task is cancelled while it waits.
    func take(_ recordIDs: [CloudRecordID]) async throws -> ConflictTurn {
        let turn = ConflictTurn(self)
        for recordID in recordIDs.sorted(by: Self.precedes) {
            try await take(recordID)
            turn.add(recordID)
        }
        return turn
    }

    private static func precedes(_ left: CloudRecordID, _ right: CloudRecordID) -> Bool {
        (left.recordName, left.zoneID.zoneName, left.zoneID.ownerName)
            < (right.recordName, right.zoneID.zoneName, right.zoneID.ownerName)
    }

    private func take(_ recordID: CloudRecordID) async throws {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let hasTurn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                stand(Waiter(ticket: ticket, continuation: continuation), for: recordID)
            }
        } onCancel: {
            leave(ticket, recordID)
        }
        state.withLock { _ = $0.cancelled.remove(ticket) }
        guard hasTurn else { throw CloudError.cancelled }
    }

    private func stand(_ waiter: Waiter, for recordID: CloudRecordID) {
        let answer = state.withLock { state -> Bool? in
            if state.cancelled.contains(waiter.ticket) { return false }
            guard state.lines[recordID] != nil else {
                state.lines[recordID] = []
                return true
            }
            state.lines[recordID]?.append(waiter)
            return nil
        }
        if let answer { waiter.continuation.resume(returning: answer) }
    }

    private func leave(_ ticket: Int, _ recordID: CloudRecordID) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.lines[recordID]?.firstIndex(where: { $0.ticket == ticket }) else {
                state.cancelled.insert(ticket)
                return nil
            }
            return state.lines[recordID]?.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }

    fileprivate func pass(_ recordID: CloudRecordID) {
        let next = state.withLock { state -> Waiter? in
            guard let line = state.lines[recordID], !line.isEmpty else {
                state.lines[recordID] = nil
                return nil
            }
            return state.lines[recordID]?.removeFirst()
        }
        next?.continuation.resume(returning: true)
    }
}

/// The turns that a save has; they pass to the next one when it is let go of.
final class ConflictTurn {
    private let turns: ConflictTurns
    private(set) var recordIDs: Set<CloudRecordID> = []

    fileprivate init(_ turns: ConflictTurns) {
        self.turns = turns
    }

    fileprivate func add(_ recordID: CloudRecordID) {
        recordIDs.insert(recordID)
    }

    deinit {
        for recordID in recordIDs { turns.pass(recordID) }
    }
}
