/// A condition on records, with one meaning in every store.
///
/// It can be written as a format with arguments, as a string literal whose interpolated values are bound and never
/// spliced, or with key paths (`\Message.from == me && \Message.likes > 3`).
///
/// ```swift
/// let byFormat = try CloudPredicate(format: "from == %@ AND likes > %d", me, 3)
/// let byLiteral: CloudPredicate = "from == \(me) AND likes > \(3)"
/// ```
///
/// Logic is two-valued: a comparison with `==`, an order or a prefix never matches a field that is null or absent,
/// while `!=` and `NOT` do match it. Text compares exactly, by bytes.
///
/// A literal can't throw. When its text is not a predicate, the error comes from the query that it is used in.
public struct CloudPredicate: Sendable, Hashable, Codable {
    package let node: Node

    package init(_ node: Node) {
        self.node = node
    }

    /// Matches every record.
    public static let all = CloudPredicate(.everything)

    /// Matches no record.
    public static let none = CloudPredicate(.nothing)

    /// Matches what both predicates match.
    public static func && (left: CloudPredicate, right: CloudPredicate) -> CloudPredicate {
        CloudPredicate(.and(left.node.conjuncts + right.node.conjuncts))
    }

    /// Matches what at least one of the predicates matches.
    public static func || (left: CloudPredicate, right: CloudPredicate) -> CloudPredicate {
        CloudPredicate(.or(left.node.disjuncts + right.node.disjuncts))
    }

    /// Matches what the predicate does not match.
    public static prefix func ! (predicate: CloudPredicate) -> CloudPredicate {
        CloudPredicate(.not(predicate.node))
    }
}

extension CloudPredicate {
    /// The predicate's tree.
    package indirect enum Node: Sendable, Hashable, Codable {
        /// TRUEPREDICATE
        case everything
        /// FALSEPREDICATE
        case nothing
        /// `field == value` and its kin. A nil value stands for null: `== nil` matches null and absent fields,
        /// `!= nil` those with a value, and an order against nil matches nothing.
        case compare(field: String, Comparison, CloudValue?)
        /// `field BETWEEN {low, high}`, both ends included.
        case between(field: String, CloudValue, CloudValue)
        /// `field IN {…}`. A nil element matches null and absent fields.
        case oneOf(field: String, [CloudValue?])
        /// `field BEGINSWITH text`, exact.
        case beginsWith(field: String, String)
        /// `field CONTAINS value`: membership when the field is a list, a substring when it is text.
        case contains(field: String, CloudValue)
        /// `self CONTAINS words`: every word occurs in some text field, regardless of case and diacritics.
        case tokens(String)
        /// Closer to a place than so many metres.
        case near(field: String, CloudLocation, metres: Double)
        case not(Node)
        case and([Node])
        case or([Node])
        /// A literal that is not a predicate; using it throws this.
        case malformed(message: String, remedy: String, code: CloudError.Code = .invalidArguments)
    }

    /// How a field is compared with a value.
    package enum Comparison: String, Sendable, Hashable, Codable {
        case equal = "=="
        case notEqual = "!="
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="
    }
}

extension CloudPredicate.Node {
    // Chains of && and || stay flat: they equal the tree of the same chain in a format, and have no depth to recurse.
    fileprivate var conjuncts: [CloudPredicate.Node] {
        if case .and(let nodes) = self { nodes } else { [self] }
    }

    fileprivate var disjuncts: [CloudPredicate.Node] {
        if case .or(let nodes) = self { nodes } else { [self] }
    }
}

extension CloudPredicate {
    /// Throws the error of a literal that is not a predicate, if there is one in the tree.
    package func checkWellFormed() throws {
        try node.checkWellFormed()
    }
}

extension CloudPredicate.Node {
    fileprivate func checkWellFormed() throws {
        switch self {
        case .malformed(let message, let remedy, let code):
            throw CloudError(code, message, remedy: remedy)
        case .not(let node):
            try node.checkWellFormed()
        case .and(let nodes), .or(let nodes):
            for node in nodes { try node.checkWellFormed() }
        case .everything, .nothing, .compare, .between, .oneOf, .beginsWith, .contains, .tokens, .near:
            break
        }
    }
}
