import CloudKitDao
import Foundation

/// Step 10: a search screen, and other ways to search.
extension Tour {
    private static let keystrokes = ["D", "Do", "Don", "Don'", "Don't"]

    func search() async throws {
        await typeSlowly()
        for scope in SearchScreen.Scope.allCases { await typeFast(scope) }
        try await searchInOtherWays()
        await searchNearby()
    }

    /// Each search is over before the next keystroke.
    private func typeSlowly() async {
        let textScreen = SearchScreen(dao: bob.dao, scope: .text)
        let keywordScreen = SearchScreen(dao: bob.dao, scope: .keyword)
        var table = Table(.left("typed"), .right("text search"), .right("keyword search"))
        var areAllExpected = true
        for typed in Self.keystrokes {
            await type(typed, on: textScreen)
            await type(typed, on: keywordScreen)
            table.addRow(typed, String(textScreen.results.count), String(keywordScreen.results.count))
            areAllExpected =
                areAllExpected && isExpected(textScreen.results, of: .text, typed)
                && isExpected(keywordScreen.results, of: .keyword, typed)
        }
        say("Bob types slowly. Keywords are found as whole words, regardless of case:")
        show(table)
        expectations.check("all results are as expected", areAllExpected)

        // The kind of a message is text too.
        let kind = Message.Kind.text.rawValue
        await type(kind, on: keywordScreen)
        let all = expectedCount { self.matches($0, .keyword, kind) }
        say("The keyword \(kind) is in \(all) messages; the screen takes \(keywordScreen.results.count) of them.")
        expectations.check("there are more than the limit", all > SearchScreen.limit)
        expectations.check("the limit holds", isExpected(keywordScreen.results, of: .keyword, kind))
    }

    private func type(_ typed: String, on screen: SearchScreen) async {
        await waitForHandlers { done in
            screen.type(typed) { result in
                if case .failure(let error) = result {
                    self.expectations.addSurprise("no search for \(typed): \(error)")
                }
                done()
            }
        }
    }

    /// All keystrokes come before the first answer: each cancels the search before it.
    private func typeFast(_ scope: SearchScreen.Scope) async {
        let screen = SearchScreen(dao: bob.dao, scope: scope)
        let keystrokes = Self.keystrokes
        var answers = keystrokes.map { _ in [Result<[Message], CloudError>]() }
        await waitForHandlers { done in
            for (index, typed) in keystrokes.enumerated() {
                screen.type(typed) { result in
                    answers[index].append(result)
                    if answers.joined().count == keystrokes.count { done() }
                }
            }
        }
        let shown = screen.results
        // A handler that is called once too often would be called by the end of one more search.
        await type("", on: SearchScreen(dao: bob.dao, scope: scope))

        say("Bob types fast, \(scope.rawValue):")
        var table = Table(.left("typed"), .right("handler calls"), .left("answer"))
        for (typed, results) in zip(keystrokes, answers) {
            table.addRow(typed, String(results.count), results.map(summary).joined(separator: ", "))
        }
        show(table)
        expectations.check("one handler call for each keystroke", answers.allSatisfy { $0.count == 1 })
        let superseded = zip(keystrokes, answers).dropLast()
        expectations.check(
            "all but the last are cancelled, or were over before",
            superseded.allSatisfy { typed, results in
                results.allSatisfy { result in
                    switch result {
                    case .success(let found): isExpected(found, of: scope, typed)
                    case .failure(let error): error.code == .operationCancelled
                    }
                }
            }
        )
        expectations.check("the screen shows the last", isExpected(shown, of: scope, keystrokes.last ?? ""))
    }

    private func summary(_ result: Result<[Message], CloudError>) -> String {
        switch result {
        case .success(let found): "\(found.count) messages"
        case .failure(let error): "\(error.code)"
        }
    }

    private func searchInOtherWays() async throws {
        let part = "the BÍCYCLE"
        let containing = try await bob.dao.query(Message.self, predicate: "text CONTAINS[cd] \(part)")
        // The star is any text, the question mark any one character.
        let alike = try await bob.dao.query(Message.self, predicate: "text LIKE 'Can you * tomorrow?'")
        let tagged = try await bob.dao.query(Message.self, predicate: "ANY tags == 'music'")
        let words = try await bob.dao.query(Message.self, tokens: "friday BÍCYCLE")
        check([
            Answer("text CONTAINS[cd] '\(part)'", containing) { $0.text.contains("the bicycle") },
            Answer("text LIKE 'Can you * tomorrow?'", alike) { message in
                message.text.hasPrefix("Can you ") && message.text.dropLast().hasSuffix(" tomorrow")
            },
            Answer("ANY tags == 'music'", tagged) { $0.tags.contains("music") },
            Answer("the words friday BÍCYCLE", words) { $0.text.contains("bicycle") && $0.text.contains("Friday") },
        ])
        expectations.check("each has found something", ![containing, alike, tagged, words].contains([]))
    }

    /// By distance, nearest first, in the store.
    private func searchNearby() async {
        let visitor = CloudLocation(latitude: 52.08, longitude: 4.31)  // The Hague
        let radius = 45_000.0
        var nearby: [Message] = []
        await waitForHandlers { done in
            bob.dao.query(
                Message(),
                fieldname: "place",
                latitude: visitor.latitude,
                longitude: visitor.longitude,
                distance: radius,
                completionHandler: { (messages: [Message]) in
                    nearby = messages
                    done()
                },
                errorHandler: { error in
                    self.expectations.addSurprise("no query by distance: \(error)")
                    done()
                }
            )
        }
        let distances = nearby.map { $0.place?.distance(to: visitor) ?? .infinity }
        var towns: [String] = []
        for message in nearby where message.text != towns.last { towns.append(message.text) }
        say("Within \(kilometres(radius)) km of The Hague, nearest first:")
        var table = Table(.left("text"), .right("messages"), .right("km"))
        for town in towns {
            let messages = nearby.filter { $0.text == town }
            let distance = messages.first?.place?.distance(to: visitor) ?? .infinity
            table.addRow(town, String(messages.count), kilometres(distance))
        }
        show(table)
        check([
            Answer("place within \(kilometres(radius)) km", nearby) { message in
                message.place.map { $0.distance(to: visitor) <= radius } == true
            }
        ])
        expectations.check("the nearest are first", distances, equals: distances.sorted())
        expectations.check("Delft is the nearest town", towns.first, equals: "I am in Delft.")
    }
}

/// What a search should find, by the tour's own account.
extension Tour {
    private func isExpected(_ found: [Message], of scope: SearchScreen.Scope, _ typed: String) -> Bool {
        let expected = Set(ledger.filter { matches($0.value, scope, typed) }.keys)
        let names = Set(found.map(\.recordID.recordName))
        return names.count == found.count && names.isSubset(of: expected)
            && found.count == min(expected.count, SearchScreen.limit)
    }

    private func matches(_ message: Message, _ scope: SearchScreen.Scope, _ typed: String) -> Bool {
        switch scope {
        case .text:
            return message.text.hasPrefix(typed)
        case .keyword:
            // A message has two text fields. The tour types no stop-words.
            let sought = words(of: typed)
            return !sought.isEmpty && sought.isSubset(of: words(of: "\(message.text) \(message.kind.rawValue)"))
        }
    }

    private func words(of text: String) -> Set<String> {
        Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
}
