/// What is ignored when text is compared; nothing is the default, so that text compares exactly.
///
/// A comparison that ignores something is computed for each record: the SQL stores have no index for it. They pass over
/// the records in the query's order until the page is full, so it costs little where many match, and up to a look at
/// every record where few do. On a large collection join it with a condition that an index finds, such as an equality or
/// a range of another field, or search for words.
public struct TextOptions: OptionSet, Sendable, Hashable, Codable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Makes options of their bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Upper and lower case are equal: `[c]` in a format.
    public static let caseInsensitive = TextOptions(rawValue: 1)

    /// Letters with and without diacritics are equal: `[d]` in a format.
    public static let diacriticInsensitive = TextOptions(rawValue: 2)
}

extension TextOptions: CustomStringConvertible {
    /// The options as a format spells them, `[cd]`; empty if there are none.
    public var description: String {
        guard !isEmpty else { return "" }
        return "[\(contains(.caseInsensitive) ? "c" : "")\(contains(.diacriticInsensitive) ? "d" : "")]"
    }
}
