/// How the tour checks what its queries find.
extension Tour {
    /// Compares what was found with the tour's own account of what it saved.
    func check(_ answers: [Answer]) {
        var table = Table(.left("query"), .right("found"), .right("expected"))
        for answer in answers {
            table.addRow(answer.query, String(answer.found.count), String(expectedCount(where: answer.matches)))
        }
        say("What was found, and what should be by the tour's own account:")
        show(table)
        for answer in answers {
            let expected = Set(ledger.filter { answer.matches($0.value) }.keys)
            let found = answer.found.map(\.recordID.recordName)
            expectations.check("\(answer.query): as expected", found.count == expected.count && Set(found) == expected)
        }
    }
}

/// What a query has found, and which messages it should have found.
struct Answer {
    let query: String
    let found: [Message]
    let matches: (Message) -> Bool

    init(_ query: String, _ found: [Message], matches: @escaping (Message) -> Bool) {
        self.query = query
        self.found = found
        self.matches = matches
    }
}
