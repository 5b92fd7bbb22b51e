import CloudKitDao
import Foundation

/// Changes records of its own and listens to what another process changes, in one database.
package enum Exchanging {
    /// The records of a process that are changed by turns.
    private static let recordCount = 20

    /// Makes so many changes, going on from where a process of this name was killed, and ends when it has heard as many
    /// of the other one, each of which it reports by its number.
    ///
    /// - Parameter stop: The change of the other one with which listening stops, before it is marked as read, while the
    ///   process waits to be killed.
    static func run(_ path: String, name: String, count: Int, stop: Int) async throws {
        let store = try SQLiteStore(path: path, clientID: name)
        var info = CloudSubscription.NotificationInfo()
        info.desiredKeys = ["n", "at"]
        try await store.save(
            CloudSubscription(subscriptionID: "s", target: .query(recordType: "Item", .all), notificationInfo: info)
        )
        let stream = try await store.notifications()
        Report.line("listening")
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await write(store, name, count) }
            group.addTask { try await listen(store, stream, count, stop) }
            try await group.waitForAll()
        }
    }

    // MARK: Writing

    /// Each change is one batch with the number of changes so far.
    private static func write(_ store: SQLiteStore, _ name: String, _ count: Int) async throws {
        var counter =
            try await store.record("counter-\(name)")
            ?? CloudRecord(recordType: "Counter", recordID: CloudRecordID("counter-\(name)"))
        while counter.count < count {
            let number = Int(counter.count)
            counter.count += 1
            var modification = change(number, of: name)
            modification.saving.append(counter)
            let result = try await store.modify(modification)
            for deletion in result.deleted { _ = try deletion.get() }
            for record in result.saved { counter = try record.get() }
        }
    }

    /// In four rounds each record is made, changed twice, and deleted.
    private static func change(_ number: Int, of name: String) -> CloudModification {
        let recordID = CloudRecordID("\(name)-\(number % recordCount)")
        if isDeletion(number) { return CloudModification(deleting: [recordID], savePolicy: .allKeys, isAtomic: true) }
        var record = CloudRecord(recordType: "Item", recordID: recordID)
        record.count = Int64(number)
        record["at"] = .date(Date())
        return CloudModification(saving: [record], savePolicy: .allKeys, isAtomic: true)
    }

    private static func isDeletion(_ number: Int) -> Bool { number / recordCount % 4 == 3 }

    // MARK: Listening

    private static func listen(
        _ store: SQLiteStore,
        _ stream: AsyncThrowingStream<CloudNotification, any Error>,
        _ count: Int,
        _ stop: Int
    ) async throws {
        if count == 0 { return }
        var heard: Set<String> = []
        var page: CloudNotificationPage
        var token: CloudChangeToken?
        repeat {
            page = try await store.notifications(since: token, limit: 50)
            token = page.token
            for notification in page.notifications {
                heard.insert(notification.notificationID)
                if try await hear(notification, store, stop) == count - 1 { return }
            }
        } while page.moreComing
        var delays: [TimeInterval] = []
        for try await notification in stream where heard.insert(notification.notificationID).inserted {
            if notification.event != .delete, let date = notification.recordFields["at"]?.dateValue {
                delays.append(Date().timeIntervalSince(date))
            }
            if try await hear(notification, store, stop) == count - 1 { break }
        }
        delays.sort()
        guard let longest = delays.last else { return }
        let median = delays[delays.count / 2]
        Report.line("note from saving to hearing: median \(text(median)), longest \(text(longest))")
    }

    private static func text(_ seconds: TimeInterval) -> String {
        Duration.seconds(seconds).formatted(.units(allowed: [.milliseconds], width: .narrow))
    }

    /// Reports a notification and marks it as read.
    private static func hear(
        _ notification: CloudNotification,
        _ store: SQLiteStore,
        _ stop: Int
    ) async throws -> Int {
        guard let last = notification.recordFields["n"]?.int64Value else { throw Surprise("a field is missing") }
        // A deletion has the number of the change before it.
        let number = notification.event == .delete ? Int(last) + recordCount : Int(last)
        Report.line("heard \(number)")
        if number == stop { try await Task.sleep(for: .seconds(3_600)) }
        try await store.markNotificationsRead([notification.notificationID])
        return number
    }
}
