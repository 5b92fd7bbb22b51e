/// What is ignored when text is compared; nothing is the default, so that text compares exactly.
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
