import CloudKitDao
import Foundation

/// Step 9: questions to the database.
extension Tour {
    func query() async throws {
        try await queryByLiteral()
        try await queryByKeyPath()
        try await queryByFormat()
        await queryByReference()
        try await queryByCreator()
        try await readNews()
    }

    /// A string literal: the values in it are bound, whatever characters they have.
    private func queryByLiteral() async throws {
        let kind = Message.Kind.picture
        let pictures = try await bob.dao.query(Message.self, predicate: "kind == \(kind)")
        report("kind == 'picture'", pictures) { $0.kind == .picture }

        let unrated = try await bob.dao.query(Message.self, predicate: "likes == nil AND kind != 'text'")
        report("likes == nil AND kind != 'text'", unrated) { $0.likes == nil && $0.kind != .text }

        let opening = "Shall we"
        let proposals = try await bob.dao.query(
            Message.self,
            predicate: "text BEGINSWITH \(opening)",
            orderBy: .ascending("sentAt")
        )
        report("text BEGINSWITH 'Shall we'", proposals) { $0.text.hasPrefix(opening) }
        show(proposals)
    }

    /// Key paths: the compiler knows the properties and their types.
    private func queryByKeyPath() async throws {
        let popular = try await bob.dao.query(
            Message.self,
            where: \.kind == .text && \.likes > 7,
            orderBy: .descending(\.likes).ascending(\.sentAt)
        )
        report("\\.kind == .text && \\.likes > 7, most liked first", popular) { message in
            message.kind == .text && message.likes.map { $0 > 7 } == true
        }
        let sorted = popular.sorted { ($1.likes ?? 0, $0.sentAt) < ($0.likes ?? 0, $1.sentAt) }
        expectations.check("they are in this order", popular.map(\.recordID), equals: sorted.map(\.recordID))
        show(popular)
    }

    /// A format with arguments, for predicates that are put together at run time.
    private func queryByFormat() async throws {
        let may = Date(timeIntervalSince1970: 1_746_057_600)
        let june = Date(timeIntervalSince1970: 1_748_736_000)
        let predicate = try CloudPredicate(
            format: "%K >= %@ AND %K < %@ AND (tags CONTAINS %@ OR likes >= %d)",
            "sentAt", may, "sentAt", june, "food", 8
        )
        let found = try await bob.dao.query(Message.self, predicate: predicate, orderBy: .ascending("sentAt"))
        report("sent in May, and tagged food or with 8 likes", found) { message in
            message.sentAt >= may && message.sentAt < june
                && (message.tags.contains("food") || message.likes.map { $0 >= 8 } == true)
        }
        show(found)
    }

    /// By what a reference points at: all that was sent to Bob.
    private func queryByReference() async {
        await waitForHandlers { done in
            bob.dao.query(
                Message(),
                referenceRecordName: bob.recordID.recordName,
                referenceField: "to",
                completionHandler: { (messages: [Message]) in
                    self.report("to refers to bob", messages) { $0.to == self.bob.reference }
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("no query by reference: \(error)")
                    done()
                }
            )
        }
    }

    /// By a system field, which every record has and the store fills.
    private func queryByCreator() async throws {
        let me = try await bob.store.currentUserRecordID()
        let mine = try await bob.dao.query(Message.self, predicate: "creatorUserRecordID == \(me)")
        // Each user has saved what is from this user.
        report("creatorUserRecordID == bob", mine) { $0.from == self.bob.reference }
    }

    private func readNews() async throws {
        let subjects = ["Water level", "Bridge closed", "Market moves", "Bridge closed"]
        for (index, subject) in subjects.enumerated() {
            let news = News()
            news.recordID = CloudRecordID("news-\(index + 1)")
            news.subject = subject
            news.body = "Announcement number \(index + 1)"
            news.actionURL = URL(string: "https://example.com/news/\(index + 1)")
            try await alice.dao.save(news)
        }
        let news = try await bob.dao.query(
            News.self,
            orderBy: .ascending(\.subject).descending(\.creationDate)
        )
        say("News by subject, and the newest first among equal ones:")
        var table = Table(.left("subject"), .left("body"), .left("address"))
        for item in news {
            table.addRow(item.subject, item.body, item.actionURL?.absoluteString ?? "-")
        }
        show(table)
        expectations.check(
            "they are in this order",
            news.map(\.recordID.recordName),
            equals: ["news-4", "news-2", "news-3", "news-1"]
        )
    }

    /// Checks the number of results of a query against the tour's own account.
    private func report(_ query: String, _ found: [Message], matches: (Message) -> Bool) {
        let expected = expectedCount(where: matches)
        expectations.check("\(query): \(expected) found", found.count, equals: expected)
        expectations.check("all of them match", found.allSatisfy(matches))
    }
}
