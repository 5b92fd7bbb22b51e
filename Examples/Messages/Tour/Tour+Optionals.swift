import CloudKitDao

/// Step 5: what is not stored, and what is cleared.
extension Tour {
    func ignoreAndClear() async throws {
        try await ignoreProperty()
        try await clearOptional()
    }

    private func ignoreProperty() async throws {
        let draft = Draft()
        draft.recordID = CloudRecordID("draft")
        draft.text = "Dear Bob,"
        draft.scratch = "remember to ask about the keys"
        try await alice.dao.save(draft)
        let record = try await bob.store.fetch([draft.recordID], desiredFields: nil)[0].get()
        say("The class Draft ignores its property scratch. This is its record:")
        show(record)
        expectations.check("the record has the text", record["text"], equals: .string("Dear Bob,"))
        expectations.check("the record has no field scratch", record.state(of: "scratch"), equals: .absent)
        expectations.check("Alice's object keeps it", draft.scratch, equals: "remember to ask about the keys")
        let read = try await bob.dao.fetch(Draft.self, "draft")
        expectations.check("Bob's object has the initial value", read?.scratch, equals: "")
    }

    private func clearOptional() async throws {
        guard let greeting = try await alice.dao.fetch(Message.self, "greeting") else {
            return expectations.addSurprise("the greeting of step 3 is gone")
        }
        let before = try await bob.dao.fetch(Message.self, "greeting")?.likes
        say("Likes of the greeting, as Bob reads them: \(before.map(String.init) ?? "nil")")
        greeting.likes = nil
        try await alice.dao.save(greeting)
        remember([greeting])
        let after = try await bob.dao.fetch(Message.self, "greeting")
        say("After Alice saved it with nil: \(after?.likes.map(String.init) ?? "nil")")
        expectations.check("there was a number", before, equals: 3)
        expectations.check("the number is cleared in the store", after != nil && after?.likes == nil)
        let text = after?.text ?? ""
        expectations.check("the other fields are as they were", text, equals: greeting.text)
    }
}
