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
/// A condition of very many terms is made at once by ``all(_:)`` or ``any(_:)``: adding terms one by one with an operator
/// copies the ones before each time.
///
/// A literal can't throw. When its text is not a predicate, the error comes from the query that it is used in; so does
/// that of a predicate which nests more than 50 levels deep. A chain of `&&` or of `||` is one level.
public struct CloudPredicate: Sendable, Hashable {
    /// How many levels a tree may have above its comparisons, so that neither walking it nor the parser of SQL can
    /// exhaust its stack.
    package static let maximumDepth = 50

    package let node: Node

    // Kept beside the tree, so that operators need not walk it.
    package let depth: Int

    package init(_ node: Node) {
        self.init(node, depth: node.depth)
    }

    private init(_ node: Node, depth: Int) {
        guard depth <= Self.maximumDepth else {
            let error = Self.tooDeep
            self.node = .malformed(message: error.message, remedy: error.remedy, code: error.code)
            self.depth = 0
            return
        }
        self.node = node
        self.depth = depth
    }

    /// Matches every record.
    public static let all = CloudPredicate(.everything)

    /// Matches no record.
    public static let none = CloudPredicate(.nothing)

    /// Matches what both predicates match.
    public static func && (left: CloudPredicate, right: CloudPredicate) -> CloudPredicate {
        let depth = max(left.node.isAnd ? left.depth : left.depth + 1, right.node.isAnd ? right.depth : right.depth + 1)
        return CloudPredicate(.and(left.node.conjuncts + right.node.conjuncts), depth: depth)
    }

    /// Matches what at least one of the predicates matches.
    public static func || (left: CloudPredicate, right: CloudPredicate) -> CloudPredicate {
        let depth = max(left.node.isOr ? left.depth : left.depth + 1, right.node.isOr ? right.depth : right.depth + 1)
        return CloudPredicate(.or(left.node.disjuncts + right.node.disjuncts), depth: depth)
    }

    /// Matches what all of the predicates match; without any, every record.
    ///
    /// It equals the chain of `&&`, and takes less time to make.
    /// - Complexity: O(*n*) in the number of predicates, where the chain takes O(*n*²).
    public static func all(_ predicates: some Sequence<CloudPredicate>) -> CloudPredicate {
        chain(predicates, isPart: \.isAnd, parts: \.conjuncts, empty: .all) { .and($0) }
    }

    /// Matches what at least one of the predicates matches; without any, no record.
    ///
    /// ```swift
    /// let fromFriends = CloudPredicate.any(friends.map { "from == \($0)" })
    /// ```
    ///
    /// It equals the chain of `||`, and takes less time to make.
    /// - Complexity: O(*n*) in the number of predicates, where the chain takes O(*n*²).
    public static func any(_ predicates: some Sequence<CloudPredicate>) -> CloudPredicate {
        chain(predicates, isPart: \.isOr, parts: \.disjuncts, empty: .none) { .or($0) }
    }

    private static func chain(
        _ predicates: some Sequence<CloudPredicate>,
        isPart: (Node) -> Bool,
        parts: (Node) -> [Node],
        empty: CloudPredicate,
        _ connective: ([Node]) -> Node
    ) -> CloudPredicate {
        var nodes: [Node] = []
        var depth = 0
        var only: CloudPredicate?
        for predicate in predicates {
            only = nodes.isEmpty ? predicate : nil
            nodes += parts(predicate.node)
            depth = max(depth, isPart(predicate.node) ? predicate.depth : predicate.depth + 1)
        }
        if let only { return only }
        return nodes.isEmpty ? empty : CloudPredicate(connective(nodes), depth: depth)
    }

    /// Matches what the predicate does not match.
    public static prefix func ! (predicate: CloudPredicate) -> CloudPredicate {
        CloudPredicate(.not(predicate.node), depth: predicate.depth + 1)
    }

    static var tooDeep: CloudError {
        CloudError(
            .invalidArguments,
            "The predicate nests more than \(maximumDepth) levels deep.",
            remedy: "Write it with fewer levels; a chain of && or of || is one level."
        )
    }
}

extension CloudPredicate {
    /// The predicate's tree.
    package indirect enum Node: Sendable, Hashable {
        /// TRUEPREDICATE
        case everything
        /// FALSEPREDICATE
        case nothing
        /// `field == value` and its kin. A nil value stands for null: `== nil` matches null and absent fields,
        /// `!= nil` those with a value, and an order against nil matches nothing.
        case compare(field: String, Comparison, CloudValue?, TextOptions = [])
        /// `field BETWEEN {low, high}`, both ends included.
        case between(field: String, CloudValue, CloudValue)
        /// `field IN {…}`. A nil element matches null and absent fields.
        case oneOf(field: String, [CloudValue?])
        /// `field BEGINSWITH text`
        case beginsWith(field: String, String, TextOptions = [])
        /// `field ENDSWITH text`
        case endsWith(field: String, String, TextOptions = [])
        /// `field LIKE pattern`, see ``LikePattern``.
        case like(field: String, String, TextOptions = [])
        /// `field CONTAINS value`: membership when the field is a list, a substring when it is text.
        case contains(field: String, CloudValue, TextOptions = [])
        /// `ANY field …`: the inner node is about an element of the list, under the field's own name. No element of
        /// an empty, null or absent list exists: ANY is false for it, ALL and NONE are true.
        case quantified(Quantifier, field: String, Node)
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

    /// How many elements of a list have to match.
    package enum Quantifier: String, Sendable, Hashable, Codable {
        case any = "ANY"
        case all = "ALL"
        case none = "NONE"
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

    fileprivate var isAnd: Bool {
        if case .and = self { true } else { false }
    }

    fileprivate var isOr: Bool {
        if case .or = self { true } else { false }
    }

    /// The nodes directly below this one.
    var children: [CloudPredicate.Node] {
        switch self {
        case .not(let node), .quantified(_, _, let node): [node]
        case .and(let nodes), .or(let nodes): nodes
        case .everything, .nothing, .compare, .between, .oneOf, .beginsWith, .endsWith, .like, .contains, .tokens,
            .near, .malformed:
            []
        }
    }

    /// The levels of the tree above its deepest comparison.
    fileprivate var depth: Int {
        // A list of what is left to do and no recursion, which a deep tree would exhaust.
        var deepest = 0
        var left: [(node: CloudPredicate.Node, depth: Int)] = [(self, 0)]
        while let (node, depth) = left.popLast() {
            let children = node.children
            if children.isEmpty { deepest = max(deepest, depth) }
            for child in children { left.append((child, depth + 1)) }
        }
        return deepest
    }
}
