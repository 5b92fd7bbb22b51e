import CloudKitDao

/// Step 13: the end of some messages.
extension Tour {
    func deleteMessages() async throws {
        await deleteOne()
        try await deleteSeveral()
        await deleteByHandlers()

        let remaining = try await alice.dao.query(Message.self)
        say("\(remaining.count) messages remain.")
        expectations.check("as many as expected", remaining.count, equals: expectedCount())
        var table = Table(.left("kind"), .right("messages"))
        for kind in Message.Kind.allCases {
            table.addRow(kind.rawValue, String(remaining.count { $0.kind == kind }))
        }
        show(table)
        expectations.check("only text is left", remaining.allSatisfy { $0.kind == .text })
    }

    /// By record name.
    private func deleteOne() async {
        ledger["greeting"] = nil
        await waitForHandlers { done in
            bob.dao.deleteItem(
                "greeting",
                completionHandler: { recordID in
                    self.say("\(recordID) is deleted.")
                    self.expectations.check("the handler gets the ID", recordID, equals: CloudRecordID("greeting"))
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("the greeting was not deleted: \(error)")
                    done()
                }
            )
        }
    }

    /// Objects, in one batch.
    private func deleteSeveral() async throws {
        let pictures = try await bob.dao.query(Message.self, where: \.kind == .picture)
        try await bob.dao.delete(pictures)
        say("\(pictures.count) picture messages are deleted.")
        ledger = ledger.filter { $0.value.kind != .picture }
        let left = try await alice.dao.query(Message.self, where: \.kind == .picture)
        expectations.check("Alice finds no pictures either", left.count, equals: 0)

        try await bob.dao.delete(pictures)
        say("Deleting them once more is no error: what is wanted is so already.")
    }

    private func deleteByHandlers() async {
        let places = ledger.values.filter { $0.kind == .location }
        ledger = ledger.filter { $0.value.kind != .location }
        await waitForHandlers { done in
            alice.dao.deleteItems(
                places,
                completionHandler: { recordIDs in
                    self.say("\(recordIDs.count) location messages are deleted.")
                    self.expectations.check("all of them", recordIDs.count, equals: places.count)
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("the location messages were not deleted: \(error)")
                    done()
                }
            )
        }
    }
}
