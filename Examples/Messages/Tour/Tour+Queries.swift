import CloudKitDao
import Foundation

/// Step 9: questions to the database.
extension Tour {
    func query() async throws {
        var answers = try await queryByLiteral()
        answers.append(try await queryByKeyPath())
        answers.append(try await queryByFormat())
        answers.append(await queryByReference())
        answers.append(try await queryByCreator())
        check(answers)
        try await readNews()
    }

    /// A string literal: the values in it are bound, whatever characters they have.
    private func queryByLiteral() async throws -> [Answer] {
        let kind = Message.Kind.picture
        let pictures = try await bob.dao.query(Message.self, predicate: "kind == \(kind)")

        let unrated = try await bob.dao.query(Message.self, predicate: "likes == nil AND kind != 'text'")

        let opening = "Shall we"
        let proposals = try await bob.dao.query(
            Message.self,
            predicate: "text BEGINSWITH \(opening)",
            orderBy: .ascending("sentAt")
        )
        say("Messages that begin with \(opening), oldest first:")
        show(proposals)
        return [
            Answer("kind == 'picture'", pictures) { $0.kind == .picture },
            Answer("likes == nil AND kind != 'text'", unrated) { $0.likes == nil && $0.kind != .text },
            Answer("text BEGINSWITH 'Shall we'", proposals) { $0.text.hasPrefix(opening) },
        ]
    }

    /// Key paths: the compiler knows the properties and their types.
    private func queryByKeyPath() async throws -> Answer {
        let popular = try await bob.dao.query(
            Message.self,
            where: \.kind == .text && \.likes > 7,
            orderBy: .descending(\.likes).ascending(\.sentAt)
        )
        say("Texts with more than 7 likes, most liked first, then oldest first:")
        show(popular)
        let sorted = popular.sorted { ($1.likes ?? 0, $0.sentAt) < ($0.likes ?? 0, $1.sentAt) }
        expectations.check("they are in this order", popular == sorted)
        return Answer("\\.kind == .text && \\.likes > 7", popular) { message in
            message.kind == .text && message.likes.map { $0 > 7 } == true
        }
    }

    /// A format with arguments, for predicates that are put together at run time.
    private func queryByFormat() async throws -> Answer {
        let may = Date(timeIntervalSince1970: 1_746_057_600)
        let june = Date(timeIntervalSince1970: 1_748_736_000)
        let format = "sentAt >= %@ AND sentAt < %@ AND (tags CONTAINS %@ OR %K >= %d)"
        let predicate = try CloudPredicate(format: format, may, june, "food", "likes", 8)
        let found = try await bob.dao.query(Message.self, predicate: predicate, orderBy: .ascending("sentAt"))
        say("Sent in May, and tagged food or with at least 8 likes:")
        show(found)
        return Answer(format, found) { message in
            message.sentAt >= may && message.sentAt < june
                && (message.tags.contains("food") || message.likes.map { $0 >= 8 } == true)
        }
    }

    /// By what a reference points at: all that was sent to Bob.
    private func queryByReference() async -> Answer {
        var received: [Message] = []
        await waitForHandlers { done in
            bob.dao.query(
                Message(),
                referenceRecordName: bob.recordID.recordName,
                referenceField: "to",
                completionHandler: { (messages: [Message]) in
                    received = messages
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("no query by reference: \(error)")
                    done()
                }
            )
        }
        let recipient = bob.reference
        return Answer("to refers to bob", received) { $0.to == recipient }
    }

    /// By a system field, which every record has and the store fills.
    private func queryByCreator() async throws -> Answer {
        let me = try await bob.store.currentUserRecordID()
        let mine = try await bob.dao.query(Message.self, predicate: "creatorUserRecordID == \(me)")
        // In this tour each message was first saved by the user it is from.
        let sender = bob.reference
        return Answer("creatorUserRecordID == bob", mine) { $0.from == sender }
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
        say("\nNews by subject, and the newest first among equal ones:")
        var table = Table(.left("subject"), .left("body"), .left("address"))
        for item in news {
            table.addRow(item.subject, item.body, item.actionURL?.absoluteString ?? "-")
        }
        show(table)
        let dates = news.prefix(2).map { $0.creationDate ?? .distantPast }
        expectations.check("they are in this order", news.map(\.subject), equals: subjects.sorted())
        expectations.check("the newer of the two on the bridge is first", dates.sorted(by: >), equals: dates)
    }
}
