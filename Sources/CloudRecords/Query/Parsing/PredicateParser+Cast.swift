import Foundation

extension PredicateParser {
    /// Whether a word before a parenthesis is the CAST that makes a date.
    static func isCast(_ word: String) -> Bool {
        word.utf8.allSatisfy { $0 < 0x80 } && word.uppercased() == "CAST"
    }

    /// Parses `(seconds, 'NSDate')`, the seconds counted from the start of 2001 as by `Date`.
    mutating func cast() throws -> Date {
        try take(.openParenthesis)
        let number = try operand("a number of seconds")
        let seconds =
            switch number.content {
            case .value(.int64(let seconds)): Double(seconds)
            case .value(.double(let seconds)): seconds
            case .field(let name):
                throw source.unsupported("CAST of the field \(NameRule.quoted(name))", at: number.position)
            default:
                throw source.error(
                    at: number.position,
                    "expected a number of seconds since the start of 2001",
                    remedy: "Pass a Date for %@ or interpolate it; dates are not written as text."
                )
            }
        try take(.comma)
        guard case .value(.string(let type)) = token.kind else { throw expected("the type 'NSDate'") }
        guard type == "NSDate" else {
            throw source.unsupported("CAST to the type \(NameRule.quoted(type))", at: token.position)
        }
        try advance()
        try take(.closeParenthesis)
        return Date(timeIntervalSinceReferenceDate: seconds)
    }
}
