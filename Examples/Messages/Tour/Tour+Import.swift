import CloudKitDao

/// Step 2: many objects at once.
extension Tour {
    /// The name of the asset that the picture messages of the import show; step 7 saves it.
    static let sunsetID = CloudRecordID("asset-sunset")

    private static let importCount = 2_000
    private static let importBatchSize = 100

    func importConversation() async throws {
        var conversation = SampleConversation(between: alice.recordID, and: bob.recordID, showing: Self.sunsetID)
        let messages = conversation.messages(count: Self.importCount)
        var progress = ProgressBar(title: "imported", total: messages.count)
        let clock = ContinuousClock()
        let start = clock.now
        for first in stride(from: 0, to: messages.count, by: Self.importBatchSize) {
            let batch = messages[first..<min(first + Self.importBatchSize, messages.count)]
            // Each batch is one transaction. Who saves an object is noted as its creator.
            try await alice.dao.save(batch.filter { $0.from == alice.reference })
            try await bob.dao.save(batch.filter { $0.from == bob.reference })
            progress.advance(by: batch.count)
        }
        say("That took \(seconds(clock.now - start)).")
        remember(messages)

        let stored = try await bob.dao.query(Message.self, orderBy: .ascending(\.sentAt))
        show(stored)
        expectations.check("all messages are stored", stored.count, equals: Self.importCount)
        expectations.check("they come back as they were saved, oldest first", stored == messages)
        expectations.check(
            "each has a creation date and a change tag",
            stored.allSatisfy { $0.creationDate != nil && $0.recordChangeTag != nil }
        )

        var table = Table(.left("kind"), .right("messages"))
        for kind in Message.Kind.allCases {
            table.addRow(kind.rawValue, String(stored.count { $0.kind == kind }))
        }
        show(table)
    }
}
