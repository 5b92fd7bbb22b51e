/// The text of a predicate, with the arguments that belong into it.
///
/// The text of a literal has `%@` or `%K` where its values were interpolated, so that one lexer reads both forms and
/// a position means the same in both.
struct PredicateSource {
    /// What a value from outside of the text is bound as.
    enum BoundValue {
        case single(CloudValue?)
        /// Several values with nil or lists among them, for IN.
        case alternatives([CloudValue?])

        init(_ value: (any CloudValueConvertible)?) throws {
            if let values = try (value as? any AlternativeValues)?.alternatives(),
                values.contains(where: { $0 == nil || $0?.listValue != nil })
            {
                self = .alternatives(values)
            } else {
                self = .single(try value?.toCloudValue())
            }
        }
    }

    /// An interpolated value or field name.
    enum BoundArgument {
        case value(Result<BoundValue, CloudError>, UnsortedType?)
        case field(String)
    }

    enum Arguments {
        /// The arguments of a format, taken in turn by its specifiers.
        case listed([(any CloudValueConvertible)?])
        /// The interpolated values of a literal, by the position in the text where they stand.
        case bound([Int: BoundArgument])
    }

    /// The text. Scalars and not characters: a combining mark after a quote does not hide the quote.
    let scalars: [Unicode.Scalar]
    let arguments: Arguments

    init(_ text: String, arguments: Arguments) {
        scalars = Array(text.unicodeScalars)
        self.arguments = arguments
    }

    /// A part of the text.
    func text(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        // One by one is several times faster than append(contentsOf:) for the few scalars of a word.
        for scalar in scalars[range] { text.append(scalar) }
        return String(text)
    }

    /// The start of the text from a position on, for a message.
    func excerpt(from position: Int, limit: Int = 30) -> String {
        let end = min(scalars.count, position + limit)
        return excerpt(min(position, end)..<end) + (end < scalars.count ? "…" : "")
    }

    /// A part of the text for a message, with its control characters escaped.
    func excerpt(_ range: Range<Int>) -> String {
        scalars[range].map { $0.properties.generalCategory == .control ? $0.escaped(asASCII: false) : String($0) }
            .joined()
    }

    /// The error of text that is not a predicate.
    ///
    /// - Parameters:
    ///   - position: Where in the text, as an index into the scalars.
    ///   - problem: What is wrong there and what was expected, without a full stop.
    func error(at position: Int, _ problem: String, remedy: String = defaultRemedy) -> CloudError {
        CloudError(
            .invalidArguments,
            "The predicate \(quotedText) is wrong at position \(characterOffset(of: position)): \(problem).",
            remedy: remedy
        )
    }

    /// The error of a construct that other predicates have and this framework's don't.
    ///
    /// - Parameters:
    ///   - construct: Its name, with an article where it needs one.
    ///   - position: Where in the text it stands, as an index into the scalars.
    func unsupported(_ construct: String, at position: Int, remedy: String = defaultRemedy) -> CloudError {
        CloudError(
            .unsupported,
            "The predicate \(quotedText) has something that is not supported at position "
                + "\(characterOffset(of: position)): \(construct).",
            remedy: remedy
        )
    }

    static let defaultRemedy = "The documentation of CloudPredicate lists what a predicate can be."

    private var quotedText: String {
        "\"\(excerpt(from: 0, limit: 120))\""
    }

    private func characterOffset(of position: Int) -> Int {
        text(0..<min(position, scalars.count)).count
    }
}
