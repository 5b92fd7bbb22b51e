import CloudKitDao
import Foundation

/// Step 11: results that are too many to read at once.
extension Tour {
    private static let batchSize = 150

    func readInBatches() async throws {
        await stopByHandler()
        let (first, cursor) = try await readSomeBatches()
        guard let cursor else { return expectations.addSurprise("there is no cursor to go on from") }
        try JSONEncoder().encode(cursor).write(to: files.cursor)
        say("The place is written to \(files.cursor.lastPathComponent); the stores are closed and opened again.")
        try await restart()
        let bookmark = try JSONDecoder().decode(CloudCursor.self, from: Data(contentsOf: files.cursor))
        let rest = try await readRemainingBatches(after: bookmark)

        let names = first + rest
        say("\(first.count) messages before, \(rest.count) after: \(names.count) in all.")
        expectations.check("no message came twice", Set(names).count, equals: names.count)
        expectations.check("none is missing", Set(names), equals: Set(ledger.keys))
    }

    /// The handler gets all that was read so far, and says whether it wants more.
    private func stopByHandler() async {
        let wanted = 3 * Self.batchSize
        var sizes: [Int] = []
        await waitForHandlers { done in
            bob.dao.query(
                Message(),
                orderBy: .ascending("sentAt"),
                batchSize: Self.batchSize,
                completionHandler: { (results: [Message], isFinished: Bool) in
                    sizes.append(results.count)
                    self.say("\(results.count) messages so far\(isFinished ? ", that is all" : "")")
                    let wantsMore = results.count < wanted
                    if !wantsMore || isFinished { done() }
                    return wantsMore
                },
                errorHandler: { error in
                    self.expectations.addSurprise("the query in batches failed: \(error)")
                    done()
                }
            )
        }
        expectations.check("the handler has stopped the query at \(wanted)", sizes, equals: [150, 300, 450])
    }

    /// The same as a loop: a batch is a collection, and only one is in memory at a time.
    private func readSomeBatches() async throws -> (names: [String], cursor: CloudCursor?) {
        var names: [String] = []
        var cursor: CloudCursor?
        for try await batch in messagesByDate(after: nil) {
            names += batch.map(\.recordID.recordName)
            cursor = batch.cursor
            if names.count >= 4 * Self.batchSize { break }
        }
        say("The loop is left after \(names.count) messages.")
        return (names, cursor)
    }

    private func readRemainingBatches(after cursor: CloudCursor) async throws -> [String] {
        var names: [String] = []
        var failures: [CloudError] = []
        for try await batch in messagesByDate(after: cursor) {
            names += batch.map(\.recordID.recordName)
            failures += batch.failures
        }
        expectations.check("every record became an object", failures.isEmpty)
        return names
    }

    private func messagesByDate(after cursor: CloudCursor?) -> CloudBatches<Message> {
        bob.dao.batches(
            of: Message.self,
            orderBy: .ascending(\.sentAt),
            batchSize: Self.batchSize,
            after: cursor
        )
    }

    private func restart() async throws {
        await alice.store.close()
        await bob.store.close()
        alice = try Participant(userName: "alice", database: files.database)
        bob = try Participant(userName: "bob", database: files.database)
    }
}
