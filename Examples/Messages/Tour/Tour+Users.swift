import CloudKitDao

/// Step 1: who is who.
extension Tour {
    func meetTwoUsers() async throws {
        say("Both users have a store of their own on \(files.database.lastPathComponent).")
        let aliceID = try await alice.store.currentUserRecordID()
        let bobID = try await bob.dao.store().currentUserRecordID()
        expectations.check("Alice's store says that she is alice", aliceID, equals: CloudRecordID("alice"))
        expectations.check("Bob's store says that he is bob", bobID, equals: CloudRecordID("bob"))
        expectations.check("Alice is signed in", try await alice.store.accountStatus(), equals: .available)

        // Every method of a DAO has two forms. This is the one for async functions: it throws …
        let contactOfAlice = Contact()
        contactOfAlice.recordID = aliceID
        contactOfAlice.firstName = "Alice"
        contactOfAlice.lastName = "Andersen"
        contactOfAlice.emailAddress = "alice@example.com"
        try await alice.dao.save(contactOfAlice)

        // … and this is the one with handlers: it returns at once, and calls exactly one of the two later.
        let contactOfBob = Contact()
        contactOfBob.recordID = bobID
        contactOfBob.firstName = "Bob"
        contactOfBob.lastName = "Brown"
        await waitForHandlers { done in
            bob.dao.saveItem(
                contactOfBob,
                completionHandler: { record in
                    self.expectations.check("Bob's contact is saved as bob", record.recordID, equals: bobID)
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("Bob's contact was not saved: \(error)")
                    done()
                }
            )
        }

        let contacts = try await alice.dao.query(Contact.self, orderBy: .ascending(\.firstName))
        var table = Table(.left("record name"), .left("name"), .left("e-mail"), .left("created by"))
        for contact in contacts {
            table.addRow(
                contact.recordID.recordName,
                contact.displayName,
                contact.emailAddress ?? "-",
                contact.creatorUserRecordID?.recordName ?? "-"
            )
        }
        show(table)
        expectations.check(
            "Alice finds both contacts",
            contacts.map(\.displayName),
            equals: ["Alice Andersen", "Bob Brown"]
        )
        expectations.check(
            "each was created by its own user",
            contacts.allSatisfy { $0.creatorUserRecordID == $0.recordID }
        )
    }
}
