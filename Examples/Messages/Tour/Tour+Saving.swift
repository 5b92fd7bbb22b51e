import CloudKitDao

/// Step 3: one object there and back.
extension Tour {
    func saveAndReadBack() async throws {
        let greeting = Message()
        // Without this line the record would get a random name.
        greeting.recordID = CloudRecordID("greeting")
        greeting.from = alice.reference
        greeting.to = bob.reference
        greeting.sentAt = .init(timeIntervalSince1970: 1_767_225_600)
        greeting.text = "Happy new year, \u{1F386} & \"best wishes\"!"
        greeting.tags = ["family"]
        greeting.likes = 3
        try await alice.dao.save(greeting)
        remember([greeting])
        expectations.check("the saved object knows its creator", greeting.creatorUserRecordID, equals: alice.recordID)
        expectations.check("the saved object has a change tag", greeting.recordChangeTag != nil)

        await waitForHandlers { done in
            // The type of the handler's parameter says which class is wanted.
            bob.dao.getItem(
                "greeting",
                completionHandler: { (found: Message) in
                    self.say("Bob reads:\n\(found)")
                    self.expectations.check("Bob reads what Alice saved", found, equals: greeting)
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("the greeting was not found: \(error)")
                    done()
                }
            )
        }

        let found = try await bob.dao.fetch(Message.self, "greeting")
        expectations.check("the asynchronous form finds the same", found, equals: greeting)
        show(try greeting.toRecord())

        let json = try greeting.toJSON(prettyPrinted: true)
        say("The same as JSON:\n\(json)")
        expectations.check("JSON gives an equal object back", try Message(json: json), equals: greeting)
    }
}
