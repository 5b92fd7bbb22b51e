import CloudKitDao
import Foundation

/// Step 12: what goes wrong, and what is said about it.
extension Tour {
    func meetErrors() async throws {
        await meetBadValues()
        await meetBadQueries()
        await meetUnknownRecord()
        await cancelQuery()
        try await meetPartialFailure()
        try await meetUnknownKind()
        let stored = try await bob.dao.query(Message.self)
        say("")
        expectations.check("nothing of all this was stored", stored.count, equals: expectedCount())
    }

    private func meetBadValues() async {
        await expectError("a record name with an underscore in front", .invalidArguments) {
            let message = Message()
            message.recordID = CloudRecordID("_secret")
            try await self.alice.dao.save(message)
        }
        await expectError("an empty record name", .invalidArguments) {
            let message = Message()
            message.recordID = CloudRecordID("")
            try await self.alice.dao.save(message)
        }
        await expectError("a number that is none", .invalidArguments) {
            let invoice = Invoice()
            invoice.recordID = CloudRecordID("invoice-43")
            invoice.total = .nan
            try await self.alice.dao.save(invoice)
        }
        await expectError("an asset without its file", .assetFileNotFound) {
            let asset = Asset()
            asset.recordID = CloudRecordID("asset-missing")
            asset.file = CloudAsset(fileURL: self.files.folder.appending(path: "no-such-file.png"))
            try await self.alice.dao.save(asset)
        }
    }

    private func meetBadQueries() async {
        // A literal can't throw; its error comes from the query.
        await expectError("a predicate with a slip of the pen", .invalidArguments) {
            _ = try await self.bob.dao.query(Message.self, predicate: "likes > 3 AMD kind == 'text'")
        }
        await expectError("a number compared with text", .invalidArguments) {
            _ = try await self.bob.dao.query(Message.self, predicate: "likes == 'three'")
        }
        await expectError("a format with too few arguments", .invalidArguments) {
            _ = try CloudPredicate(format: "kind == %@ AND likes > %d", "text")
        }
        await expectError("the bookmark of another query", .invalidArguments) {
            let cursor = try JSONDecoder().decode(CloudCursor.self, from: Data(contentsOf: self.files.cursor))
            for try await _ in self.bob.dao.batches(of: Message.self, where: \.likes > 3, after: cursor) {}
        }
    }

    private func meetUnknownRecord() async {
        await waitForHandlers { done in
            bob.dao.getItem(
                "nobody",
                completionHandler: { (_: Message) in
                    self.expectations.addSurprise("a record that nobody has saved was found")
                    done()
                },
                errorHandler: { error in
                    self.show(error, of: "a record that does not exist")
                    self.expectations.check("that is unknownItem", error.code, equals: .unknownItem)
                    done()
                }
            )
        }
        do {
            let nobody = try await bob.dao.fetch(Message.self, "nobody")
            expectations.check("the asynchronous form gives nil instead", nobody == nil)
        } catch {
            expectations.addSurprise("fetch threw: \(error)")
        }
    }

    /// Every method with handlers returns a handle that cancels it.
    private func cancelQuery() async {
        await waitForHandlers { done in
            let operation = bob.dao.query(
                Message(),
                completionHandler: { (_: [Message]) in
                    self.expectations.addSurprise("a cancelled query has delivered")
                    done()
                },
                errorHandler: { error in
                    self.show(error, of: "a query that is cancelled")
                    self.expectations.check("that is operationCancelled", error.code, equals: .operationCancelled)
                    done()
                }
            )
            operation.cancel()
        }
    }

    /// A batch in which one object is wrong: atomically, nothing is saved; else the others would be.
    private func meetPartialFailure() async throws {
        let good = Message()
        good.recordID = CloudRecordID("good")
        let bad = Message()
        bad.recordID = CloudRecordID("bad")
        bad.text = "text with \0 in it"
        do {
            try await alice.dao.save([good, bad], atomically: true)
            expectations.addSurprise("a batch with a bad object was saved")
        } catch let error as CloudError {
            show(error, of: "a batch, all or nothing, with one bad object")
            expectations.check("that is partialFailure", error.code, equals: .partialFailure)
            for (recordID, cause) in error.partialErrors.sorted(by: { $0.key.recordName < $1.key.recordName }) {
                show(cause, of: "its record \(recordID)")
            }
            expectations.check(
                "the bad one is to blame",
                error.partialErrors[bad.recordID]?.code,
                equals: .invalidArguments
            )
            expectations.check(
                "the good one was held back",
                error.partialErrors[good.recordID]?.code,
                equals: .batchRequestFailed
            )
        }
    }

    /// A record that this program can't understand spoils neither its neighbours nor the query.
    private func meetUnknownKind() async throws {
        // What a newer version of the program might have saved.
        var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("from-the-future"))
        record["kind"] = .string("hologram")
        _ = try await alice.store.modify(CloudModification(saving: [record])).saved[0].get()

        var count = 0
        var failures: [CloudError] = []
        for try await batch in bob.dao.batches(of: Message.self, batchSize: 500) {
            count += batch.count
            failures += batch.failures
        }
        for failure in failures { show(failure, of: "a message of a kind that this program doesn't know") }
        expectations.check("that is mappingFailed, once", failures.map(\.code), equals: [.mappingFailed])
        expectations.check("all other messages are delivered", count, equals: expectedCount())
        try await alice.dao.delete([record.recordID])
    }

    private func expectError(_ attempt: String, _ code: CloudError.Code, when act: () async throws -> Void) async {
        do {
            try await act()
            expectations.addSurprise("no error from \(attempt)")
        } catch let error as CloudError {
            show(error, of: attempt)
            expectations.check("that is \(code)", error.code, equals: code)
        } catch {
            expectations.addSurprise("\(attempt) gave an error of another type: \(error)")
        }
    }

    private func show(_ error: CloudError, of attempt: String) {
        say("\n\(attempt):")
        say("\(error.code): \(error.message)\(error.remedy.isEmpty ? "" : " (\(error.remedy))")")
    }
}
