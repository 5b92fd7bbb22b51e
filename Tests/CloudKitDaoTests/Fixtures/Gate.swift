import Synchronization

/// Something that is waited for until it is opened.
final class Gate: Sendable {
    private let stream: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (stream, continuation) = AsyncStream.makeStream()
    }

    func open() {
        continuation.finish()
    }

    /// Waits until somebody opens the gate, or the task is cancelled.
    func wait() async {
        for await _ in stream {}
    }

    /// Waits until the task is cancelled.
    func waitForCancellation() async {
        await wait()
    }
}
