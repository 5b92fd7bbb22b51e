/// The smallest part of a predicate's text that means something.
struct PredicateToken {
    enum Kind: Equatable {
        case keyword(PredicateKeyword)
        /// A word that is not a keyword: mostly the name of a field.
        case name(String)
        /// A field's name that can't be anything else: `#name`, `%K` or an interpolated one.
        case field(String)
        case value(CloudValue?)
        /// Several values with nil or lists among them, from outside of the text.
        case alternatives([CloudValue?])
        case comparison(CloudPredicate.Comparison)
        case symbol(Symbol)
        case end
    }

    enum Symbol: String {
        case and = "&&"
        case or = "||"
        case not = "!"
        case openParenthesis = "("
        case closeParenthesis = ")"
        case openList = "{"
        case closeList = "}"
        case openBracket = "["
        case closeBracket = "]"
        case comma = ","
        case colon = ":"
        case dot = "."
        case plus = "+"
        case minus = "-"
        case times = "*"
        case divide = "/"
    }

    let kind: Kind
    /// Where it stands in the source.
    let range: Range<Int>
    /// The type of a value from outside of the text, if it does not sort as it is kept.
    let unsortedType: UnsortedType?

    var position: Int { range.lowerBound }
}

/// A word with a meaning of its own, in any case. A field of such a name is written with `#` before it.
enum PredicateKeyword: String, CaseIterable {
    case and = "AND"
    case or = "OR"
    case not = "NOT"
    case `in` = "IN"
    case between = "BETWEEN"
    case beginsWith = "BEGINSWITH"
    case endsWith = "ENDSWITH"
    case contains = "CONTAINS"
    case like = "LIKE"
    case matches = "MATCHES"
    case tokenMatches = "TOKENMATCHES"
    case any = "ANY"
    case some = "SOME"
    case all = "ALL"
    case none = "NONE"
    case itself = "SELF"
    case truePredicate = "TRUEPREDICATE"
    case falsePredicate = "FALSEPREDICATE"
    case `nil` = "NIL"
    case null = "NULL"
    case `true` = "TRUE"
    case yes = "YES"
    case `false` = "FALSE"
    case no = "NO"

    /// The keyword that a word is, in any case.
    init?(word: String) {
        // Only ASCII: the upper case of a dotless i is an I, but the word is no keyword.
        guard word.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        self.init(rawValue: word.uppercased())
    }

    /// Whether it compares the operands on both its sides.
    var isOperator: Bool {
        switch self {
        case .in, .between, .beginsWith, .endsWith, .contains, .like, .matches, .tokenMatches: true
        default: false
        }
    }

    /// The quantifier that it is.
    var quantifier: CloudPredicate.Quantifier? {
        switch self {
        case .any, .some: .any
        case .all: .all
        case .none: CloudPredicate.Quantifier.none
        default: nil
        }
    }
}
