import CloudRecords
import Synchronization
import Testing

@testable import CloudKitDao

/// Who may resolve conflicts of a record next.
@Suite struct ConflictTurnsTests {
    private let turns = ConflictTurns()
    private let one = CloudRecordID("one")
    private let two = CloudRecordID("two")

    private func isContended(_ recordIDs: CloudRecordID...) -> Bool {
        !turns.contended(among: recordIDs.map { CloudRecord(recordType: "T", recordID: $0) }).isEmpty
    }

    @Test func `a turn is had until it is let go of`() async throws {
        var turn: ConflictTurn? = try await turns.take([one, two])
        #expect(turn?.recordIDs == [one, two])
        #expect(isContended(one) && isContended(two))
        turn = nil
        #expect(!isContended(one, two))
    }

    @Test func `many who want turns of the same records in different orders all get them, one after the other`()
        async throws
    {
        let room = Room()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { [turns, one, two] in
                    let turn = try await turns.take(number % 2 == 0 ? [one, two] : [two, one])
                    #expect(room.enter())
                    await Task.yield()
                    room.leave()
                    withExtendedLifetime(turn) {}
                }
            }
            try await group.waitForAll()
        }
        #expect(!isContended(one, two))
    }

    @Test func `a task that is cancelled in line leaves it, and those behind it get their turn`() async throws {
        var turn: ConflictTurn? = try await turns.take([one])
        let cancelled = Task { [turns, one] in
            _ = try await turns.take([one])
        }
        cancelled.cancel()
        let error = await #expect(throws: CloudError.self) { try await cancelled.value }
        #expect(error?.code == .operationCancelled)
        let next = Task { [turns, one] in
            _ = try await turns.take([one])
        }
        turn = nil
        _ = turn
        try await next.value
        #expect(!isContended(one))
    }
}

/// A room for one.
private final class Room: Sendable {
    private let isTaken = Mutex(false)

    /// Whether the room was empty.
    func enter() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func leave() {
        isTaken.withLock { $0 = false }
    }
}
