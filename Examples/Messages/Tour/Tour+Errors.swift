import CloudKitDao
import Foundation

/// Step 11: what goes wrong, and what is said about it.
extension Tour {
    func meetErrors() async throws {
        await meetBadValues()
        await meetBadQueries()
        await meetUnknownRecord()
        try await meetPartialFailure()
        let stored = try await bob.dao.query(Message.self)
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
            show(error, of: "an atomic batch with one bad object")
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
