import CloudKitDao
import Foundation

/// Connects to live data as a screen of an app does, and notes what its handlers get.
@MainActor
final class Screen {
    private(set) var log: [String] = []
    private(set) var errors: [CloudError] = []
    private var waiters: [AsyncStream<Void>.Continuation] = []
    /// What the completion handler returns.
    var readsOn = true
    /// Is called with each line of the log.
    var onNote: (String) -> Void = { _ in }

    @discardableResult
    func connect(
        to data: CloudData,
        predicate: CloudPredicate = "likes >= 3",
        orderBy: OrderBy = .ascending("likes"),
        filterId: String = "mine",
        cachingStrategy: CachingStrategy = .direct,
        postNotifications: Bool? = nil
    ) -> CloudDataConnection {
        data.connect(
            Message(),
            predicate: predicate,
            orderBy: orderBy,
            filterId: filterId,
            cachingStrategy: cachingStrategy,
            postNotifications: postNotifications,
            completionHandler: { results, status in
                self.note("\(status) \(results.count)")
                return self.readsOn
            },
            insertedHandler: { self.note("+\($0.recordID)") },
            updatedHandler: { self.note("=\($0.recordID) at \($1)") },
            deletedHandler: { self.note("-\($0) at \($1)") },
            dataChangedHandler: { self.note("changed") },
            errorHandler: { error in
                self.errors.append(error)
                self.note("error \(error.code)")
            }
        )
    }

    /// The log without the calls that follow all others.
    var events: [String] { log.filter { $0 != "changed" } }

    func note(_ line: String) {
        log.append(line)
        onNote(line)
        for waiter in waiters { waiter.yield() }
    }

    /// Waits until a condition is true after one of the calls.
    func wait(until condition: @escaping () -> Bool) async {
        let (calls, continuation) = AsyncStream<Void>.makeStream()
        waiters.append(continuation)
        if condition() { return }
        for await _ in calls where condition() { return }
    }

    /// Waits for a line of the log.
    func wait(for line: String) async {
        await wait { self.log.contains(line) }
    }

    /// Waits until everything was read.
    func waitForFinal() async {
        await wait { self.log.contains { $0.hasPrefix("finalResult") } }
    }
}

extension CloudData {
    /// What an array shows, with its likes.
    func shown(_ filterId: String = "mine") -> [String]? {
        data[filterId]?.map { "\($0.recordID.recordName) \(($0 as? Message)?.likes ?? -1)" }
    }
}
