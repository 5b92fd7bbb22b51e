import CloudKitDao

/// A gate that a ``FaultyStore`` holds calls at until the test opens it, so that a test needs no sleep to act while a
/// request is under way.
///
/// ```swift
/// let gate = store.hold(.modify)
/// let saving = Task { try await dao.save(message) }
/// try await gate.waitForCall()                // the save is under way now
/// saving.cancel()
/// gate.open()
/// ```
public final class StoreGate: Sendable {
    private let arrival = Latch()
    private let opening = Latch()

    /// Waits until a call has come to the gate; at once if one has been there already.
    ///
    /// - Throws: `CloudError.Code.operationCancelled` when the waiting task is cancelled.
    public func waitForCall() async throws {
        try await arrival.wait()
    }

    /// Lets the calls that wait here go on, and those that come later.
    public func open() {
        opening.open()
    }

    /// What a call does here.
    func pass() async throws {
        arrival.open()
        try await opening.wait()
    }
}
