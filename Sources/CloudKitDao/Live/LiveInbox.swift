import Synchronization

/// What others tell a live query, from any thread, until it takes it on its actor.
final class LiveInbox: Sendable {
    enum Message: Sendable {
        case write(LocalWrites.Event)
        case notification(CloudNotification)
        /// The stream of notifications with this number ended.
        case feedEnded(Int, CloudError)
        /// It is time to try again.
        case retry(Int)
    }

    private let messages = Mutex<[Message]>([])
    /// An element when there is something to take.
    let arrivals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (arrivals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func post(_ message: Message) {
        messages.withLock { $0.append(message) }
        continuation.yield()
    }

    func takeAll() -> [Message] {
        messages.withLock { messages in
            defer { messages = [] }
            return messages
        }
    }

    func finish() { continuation.finish() }
}
