/// What a reader of a live query has not taken yet.
final class LiveFeed<Element> {
    private var elements: [Element] = []
    /// Whether only the newest element counts.
    private let keepsNewestOnly: Bool
    private var isFinished = false
    private var arrivals: AsyncStream<Void>.Iterator
    private let continuation: AsyncStream<Void>.Continuation

    init(keepsNewestOnly: Bool = false) {
        self.keepsNewestOnly = keepsNewestOnly
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        arrivals = stream.makeAsyncIterator()
        self.continuation = continuation
    }

    func add(_ element: Element) {
        if keepsNewestOnly { elements.removeAll(keepingCapacity: true) }
        elements.append(element)
        continuation.yield()
    }

    func finish() {
        isFinished = true
        continuation.finish()
    }

    func next(isolation actor: isolated (any Actor)?) async -> Element? {
        while elements.isEmpty, !isFinished, !Task.isCancelled {
            var iterator = arrivals
            _ = await iterator.next(isolation: actor)
            arrivals = iterator
        }
        return elements.isEmpty || Task.isCancelled ? nil : elements.removeFirst()
    }
}

/// A sequence of what happens to a ``LiveQuery``, read on the query's actor.
///
/// It begins when it is asked for, is read once, and ends when the query is stopped or the reading task is cancelled.
public struct LiveSequence<Element>: AsyncSequence {
    public typealias Failure = Never

    let feed: LiveFeed<Element>

    /// Makes the iterator.
    public func makeAsyncIterator() -> Iterator { Iterator(feed: feed) }

    /// Waits for one element after the other.
    public struct Iterator: AsyncIteratorProtocol {
        public typealias Failure = Never

        let feed: LiveFeed<Element>

        /// The next element; nil at the end.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await feed.next(isolation: actor)
        }

        /// The next element; nil at the end.
        public mutating func next() async -> Element? { await next(isolation: #isolation) }
    }
}
