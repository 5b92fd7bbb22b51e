import CloudKitDao

/// Step 4: two users save the same record.
extension Tour {
    func resolveConflict() async throws {
        try await saveTwiceUnderOneName()
        try await saveStaleObject()
    }

    private func saveTwiceUnderOneName() async throws {
        let original = message(named: "plan", text: "Dinner at seven", from: alice)
        try await alice.dao.save(original)
        remember([original])

        say("Bob saves a new object under the name that Alice has used:")
        let duplicate = message(named: "plan", text: "Lunch at noon", from: bob)
        await waitForHandlers { done in
            bob.dao.saveItem(
                duplicate,
                completionHandler: { _ in
                    self.expectations.addSurprise("the second record of one name was saved")
                    done()
                },
                errorHandler: { error in
                    self.say("\(error)")
                    self.expectations.check("that is a conflict", error.code, equals: .serverRecordChanged)
                    self.expectations.check("without an ancestor", error.ancestorRecord == nil)
                    done()
                }
            )
        }
    }

    private func saveStaleObject() async throws {
        say("Alice and Bob read the message, and both change it:")
        guard let hers = try await alice.dao.fetch(Message.self, "plan"),
            let his = try await bob.dao.fetch(Message.self, "plan")
        else { return expectations.addSurprise("the message to change is gone") }
        hers.text = "Dinner at eight"
        try await alice.dao.save(hers)
        his.text = "Dinner at seven, my place"
        his.likes = 1
        do {
            try await bob.dao.save(his)
            expectations.addSurprise("Bob's stale object was saved")
        } catch let error as CloudError where error.code == .serverRecordChanged {
            say("\(error)")
            try await resolve(error)
        }
    }

    /// Shows the three sides of a conflict, and applies Bob's changes to what the server has.
    private func resolve(_ conflict: CloudError) async throws {
        guard let ancestor = conflict.ancestorRecord, let client = conflict.clientRecord,
            let server = conflict.serverRecord
        else { return expectations.addSurprise("a conflict without its three records") }
        var table = Table(.left("field"), .left("ancestor (both read)"), .left("client (Bob)"), .left("server (Alice)"))
        for name in ["text", "likes"] {
            table.addRow(name, text(of: name, in: ancestor), text(of: name, in: client), text(of: name, in: server))
        }
        show(table)
        expectations.check("the ancestor is what both read", ancestor["text"], equals: .string("Dinner at seven"))
        expectations.check("the client record is Bob's", client["text"], equals: .string("Dinner at seven, my place"))
        expectations.check("the server record is Alice's", server["text"], equals: .string("Dinner at eight"))
        expectations.check(
            "the error is one to recover from",
            CloudDao.handleCloudKitErrorAs(conflict, retryAttempt: 1),
            equals: .recoverableError
        )

        let merged = try Message(record: server)
        merged.text += ", my place"
        merged.likes = client["likes"]?.int64Value.map(Int.init)
        try await bob.dao.save(merged)
        remember([merged])
        let final = try await alice.dao.fetch(Message.self, "plan")
        say("Bob applies his changes to the server's record and saves that: \(final?.text ?? "-")")
        expectations.check("Alice reads both changes", final?.text, equals: "Dinner at eight, my place")
        expectations.check("Bob's like is there", final?.likes, equals: 1)
        expectations.check("Alice is still the creator", final?.creatorUserRecordID, equals: alice.recordID)
        expectations.check("Bob is the last who changed it", final?.lastModifiedUserRecordID, equals: bob.recordID)
    }

    private func message(named name: String, text: String, from sender: Participant) -> Message {
        let message = Message()
        message.recordID = CloudRecordID(name)
        message.from = sender.reference
        message.to = sender.recordID == alice.recordID ? bob.reference : alice.reference
        message.sentAt = .init(timeIntervalSince1970: 1_767_229_200)
        message.text = text
        return message
    }

    private func text(of field: String, in record: CloudRecord) -> String {
        record[field].map { "\($0)" } ?? "nil"
    }
}
