import CloudKitDao

/// Reads a live query's steps, and waits for what they lead to.
@MainActor
final class Watcher {
    let live: LiveQuery<Message>
    private(set) var steps: [String] = []
    private(set) var replayed: [Message]
    private var iterator: LiveSequence<LiveChange<Message>>.Iterator

    /// Starts a query and waits until it has read everything.
    static func start(_ live: LiveQuery<Message>) async throws -> Watcher {
        let watcher = Watcher(live)
        live.start()
        try await live.refresh()
        await watcher.catchUp()
        watcher.steps = []
        return watcher
    }

    init(_ live: LiveQuery<Message>) {
        self.live = live
        replayed = Array(live.items)
        iterator = live.changes.makeAsyncIterator()
    }

    /// What is shown, with its likes.
    var shown: [String] { live.items.map { "\($0.recordID.recordName) \($0.likes ?? -1)" } }

    /// Reads one step; returns false if there is none any more.
    @discardableResult
    func next() async -> Bool {
        var iterator = iterator
        guard let change = await iterator.next(isolation: #isolation) else { return false }
        self.iterator = iterator
        replayed.apply(change)
        switch change {
        case .inserted(let object, let index): steps.append("+\(object.recordID) at \(index)")
        case .updated(let object, let index): steps.append("=\(object.recordID) at \(index)")
        case .moved(let object, let from, let to): steps.append("~\(object.recordID) \(from) to \(to)")
        case .deleted(let recordID, let index): steps.append("-\(recordID) at \(index)")
        }
        return true
    }

    /// Reads steps until so many came.
    func wait(for count: Int) async {
        while steps.count < count, await next() {}
    }

    /// Reads steps until these lead to what is shown.
    func catchUp() async {
        while !zip(replayed, live.items).allSatisfy({ $0 === $1 }) || replayed.count != live.items.count {
            await next()
        }
    }

    /// Reads steps until this is shown.
    func wait(until condition: () -> Bool) async {
        while !condition(), await next() {}
    }
}
