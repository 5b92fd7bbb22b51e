import CloudKitDao

/// A search screen without its views: it asks at every keystroke, and only the latest question counts.
@MainActor
final class SearchScreen {
    enum Scope: String, CaseIterable {
        /// What begins with the typed text.
        case text = "text search"
        /// What contains all typed words, in any of its text fields.
        case keyword = "keyword search"
    }

    /// A screen has no use for more.
    static let limit = 500

    /// What the screen shows: the answer to the latest question.
    private(set) var results: [Message] = []

    private let dao: CloudDao
    private let scope: Scope
    private var operation: CloudOperation?
    private var keystrokes = 0

    init(dao: CloudDao, scope: Scope) {
        self.dao = dao
        self.scope = scope
    }

    /// Searches for what has been typed so far, and cancels the search of the keystroke before.
    ///
    /// - Parameters:
    ///   - typed: All of the text, not only its last character.
    ///   - answer: Gets the result of this search, also if it no longer counts.
    func type(_ typed: String, answer: @escaping (Result<[Message], CloudError>) -> Void) {
        operation?.cancel()
        keystrokes += 1
        let keystroke = keystrokes
        let show = { (found: [Message]) in
            if keystroke == self.keystrokes { self.results = found }
            answer(.success(found))
        }
        let fail = { (error: CloudError) in answer(.failure(error)) }
        switch scope {
        case .text:
            operation = dao.query(
                Message(),
                predicate: "text BEGINSWITH \(typed)",
                limit: Self.limit,
                completionHandler: show,
                errorHandler: fail
            )
        case .keyword:
            operation = dao.query(
                Message(),
                tokens: typed,
                limit: Self.limit,
                completionHandler: show,
                errorHandler: fail
            )
        }
    }
}
