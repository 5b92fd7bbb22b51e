extension CloudPredicate: Codable {
    /// Decodes a predicate, which may come from outside.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a name that no field can have, a value that none can hold,
    ///   a tree that nests more than 50 levels deep, and one that no format can be; an error of the decoder for data that is no predicate.
    public init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var builder = Builder()
        while !container.isAtEnd {
            let path = container.codingPath
            guard try builder.add(container.decode(Part.self)) else {
                throw DecodingError.dataCorrupted(
                    DecodingError.Context(codingPath: path, debugDescription: "A part of the predicate is missing.")
                )
            }
        }
        guard let node = builder.node else {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(codingPath: decoder.codingPath, debugDescription: "It is not one predicate.")
            )
        }
        try node.checkWellFormed(allowsMalformed: true)
        try node.checkWritable()
        self.init(node)
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        var parts: [Part] = []
        var left = [node]
        while let node = left.popLast() {
            parts.append(Part(node))
            left += node.children
        }
        for part in parts.reversed() { try container.encode(part) }
    }

    /// Puts decoded parts together. The depth is known at each step, so that no deep tree ever exists.
    private struct Builder {
        private var finished: [(node: Node, depth: Int)] = []

        /// The tree, if it is complete.
        var node: Node? { finished.count == 1 ? finished[0].node : nil }

        /// Returns false if the nodes below the part are missing.
        mutating func add(_ part: Part) throws -> Bool {
            let count = part.childCount
            guard (0...finished.count).contains(count) else { return false }
            let children = Array(finished.suffix(count))
            finished.removeLast(count)
            let depth = children.map { $0.depth + 1 }.max() ?? 0
            guard depth <= CloudPredicate.maximumDepth else { throw CloudPredicate.tooDeep }
            finished.append((part.node(children.map(\.node)), depth))
            return true
        }
    }
}

/// A node without those below it. A tree is a list of them, each after those below it, so that it takes no recursion
/// to read or write it, and a decoder's own limit of nesting is none for predicates.
private enum Part: Codable {
    typealias Predicate = CloudPredicate

    case everything
    case nothing
    case compare(field: String, Predicate.Comparison, FlatValue?, TextOptions)
    case between(field: String, FlatValue, FlatValue)
    case oneOf(field: String, [FlatValue?])
    case beginsWith(field: String, String, TextOptions)
    case endsWith(field: String, String, TextOptions)
    case like(field: String, String, TextOptions)
    case contains(field: String, FlatValue, TextOptions)
    case quantified(Predicate.Quantifier, field: String)
    case tokens(String)
    case near(field: String, CloudLocation, metres: Double)
    case not
    case and(Int)
    case or(Int)
    case malformed(message: String, remedy: String, code: CloudError.Code)

    init(_ node: CloudPredicate.Node) {
        self =
            switch node {
            case .everything: .everything
            case .nothing: .nothing
            case .compare(let field, let comparison, let value, let options):
                .compare(field: field, comparison, value.map(FlatValue.init), options)
            case .between(let field, let low, let high): .between(field: field, FlatValue(low), FlatValue(high))
            case .oneOf(let field, let values): .oneOf(field: field, values.map { $0.map(FlatValue.init) })
            case .beginsWith(let field, let text, let options): .beginsWith(field: field, text, options)
            case .endsWith(let field, let text, let options): .endsWith(field: field, text, options)
            case .like(let field, let pattern, let options): .like(field: field, pattern, options)
            case .contains(let field, let value, let options): .contains(field: field, FlatValue(value), options)
            case .quantified(let quantifier, let field, _): .quantified(quantifier, field: field)
            case .tokens(let words): .tokens(words)
            case .near(let field, let place, let metres): .near(field: field, place, metres: metres)
            case .not: .not
            case .and(let nodes): .and(nodes.count)
            case .or(let nodes): .or(nodes.count)
            case .malformed(let message, let remedy, let code):
                .malformed(message: message, remedy: remedy, code: code)
            }
    }

    /// How many nodes are directly below this one.
    var childCount: Int {
        switch self {
        case .not, .quantified: 1
        case .and(let count), .or(let count): count
        default: 0
        }
    }

    /// The node with those below it, as many as ``childCount`` says.
    func node(_ children: [CloudPredicate.Node]) -> CloudPredicate.Node {
        switch self {
        case .everything: .everything
        case .nothing: .nothing
        case .compare(let field, let comparison, let value, let options):
            .compare(field: field, comparison, value?.value, options)
        case .between(let field, let low, let high): .between(field: field, low.value, high.value)
        case .oneOf(let field, let values): .oneOf(field: field, values.map { $0?.value })
        case .beginsWith(let field, let text, let options): .beginsWith(field: field, text, options)
        case .endsWith(let field, let text, let options): .endsWith(field: field, text, options)
        case .like(let field, let pattern, let options): .like(field: field, pattern, options)
        case .contains(let field, let value, let options): .contains(field: field, value.value, options)
        case .quantified(let quantifier, let field): .quantified(quantifier, field: field, children[0])
        case .tokens(let words): .tokens(words)
        case .near(let field, let place, let metres): .near(field: field, place, metres: metres)
        case .not: .not(children[0])
        case .and: .and(children)
        case .or: .or(children)
        case .malformed(let message, let remedy, let code): .malformed(message: message, remedy: remedy, code: code)
        }
    }
}

/// A value that is coded like a `CloudValue`, but refuses a list in a list before it goes down into it.
private struct FlatValue: Codable {
    let value: CloudValue

    private enum Key: String, CodingKey {
        case list
    }

    private enum ElementsKey: String, CodingKey {
        case _0  // swift-format-ignore: NoLeadingUnderscores
    }

    private struct Element: Decodable {
        let value: CloudValue

        init(from decoder: any Decoder) throws {
            guard try !decoder.container(keyedBy: Key.self).contains(.list) else {
                throw CloudError(
                    .invalidArguments,
                    "The predicate compares with a value that is a list of lists.",
                    remedy: "Compare with a flat list."
                )
            }
            value = try CloudValue(from: decoder)
        }
    }

    init(_ value: CloudValue) {
        self.value = value
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        guard container.contains(.list) else {
            value = try CloudValue(from: decoder)
            return
        }
        let list = try container.nestedContainer(keyedBy: ElementsKey.self, forKey: .list)
        value = .list(try list.decode([Element].self, forKey: ._0).map(\.value))
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
    }
}
