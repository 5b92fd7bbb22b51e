extension CloudPredicate {
    /// Checks what can be checked of a predicate without knowing the fields of a record type.
    ///
    /// - Throws: The error of a literal that is not a predicate, if there is one in the tree.
    ///   ``CloudError/Code/invalidArguments`` for a name that no field can have and a value that none can hold.
    /// - Complexity: O(*n*) in the size of the tree and its values. It does not recurse.
    package func checkWellFormed() throws {
        try node.checkWellFormed(allowsMalformed: false)
    }
}

extension CloudPredicate.Node {
    /// - Parameter allowsMalformed: Whether a malformed literal may be in the tree.
    func checkWellFormed(allowsMalformed: Bool) throws {
        // With each node the field whose elements it is about, inside a quantifier.
        var left: [(node: CloudPredicate.Node, list: String?)] = [(self, nil)]
        while let (node, list) = left.popLast() {
            switch node {
            case .quantified(let quantifier, let field, let element):
                guard list == nil else { throw Self.notAboutElements(of: list ?? field) }
                try Self.check(field: field)
                guard element.canBeAboutElements else { throw Self.notAboutElements(of: field, quantifier) }
                left.append((element, field))
            case .not, .and, .or:
                for child in node.children { left.append((child, list)) }
            case .malformed(let message, let remedy, let code):
                guard allowsMalformed else { throw CloudError(code, message, remedy: remedy) }
            default:
                try node.checkComparison(list: list)
            }
        }
    }

    /// Whether the node can stand below a quantifier.
    private var canBeAboutElements: Bool {
        switch self {
        case .tokens, .quantified: false
        default: true
        }
    }

    /// Checks a node that has none below it.
    private func checkComparison(list: String?) throws {
        guard canBeAboutElements || list == nil else { throw Self.notAboutElements(of: list ?? "") }
        guard let field else {
            if case .tokens(let words) = self { try Self.check(.string(words), subject: "The text of a token search") }
            return
        }
        try Self.check(field: field)
        if let list, !list.utf8.elementsEqual(field.utf8) { throw Self.notAboutElements(of: list) }
        guard options.isSubset(of: [.caseInsensitive, .diacriticInsensitive]) else {
            throw CloudError(
                .invalidArguments,
                "The predicate compares the field \(field) with text options that don't exist.",
                remedy: "Use no other options than c and d.",
                field: field
            )
        }
        if case .near(_, _, let metres) = self, !metres.isFinite {
            throw CloudError(
                .invalidArguments,
                "The distance that the predicate measures to the field \(field) is infinite or not a number.",
                remedy: "Use a finite distance in metres.",
                field: field
            )
        }
        for case let value? in values {
            try Self.check(value, subject: "The predicate compares the field \(field) with a value that", field: field)
        }
    }

    /// The field that a comparison is about.
    private var field: String? {
        switch self {
        case .compare(let field, _, _, _), .between(let field, _, _), .oneOf(let field, _),
            .beginsWith(let field, _, _), .endsWith(let field, _, _), .like(let field, _, _),
            .contains(let field, _, _), .near(let field, _, _), .quantified(_, let field, _):
            field
        case .everything, .nothing, .tokens, .not, .and, .or, .malformed:
            nil
        }
    }

    /// How a comparison compares text.
    private var options: TextOptions {
        switch self {
        case .compare(_, _, _, let options), .beginsWith(_, _, let options), .endsWith(_, _, let options),
            .like(_, _, let options), .contains(_, _, let options):
            options
        default:
            []
        }
    }

    /// The values that a comparison compares with.
    private var values: [CloudValue?] {
        switch self {
        case .compare(_, _, let value, _): [value]
        case .between(_, let low, let high): [low, high]
        case .oneOf(_, let values): values
        case .beginsWith(_, let text, _), .endsWith(_, let text, _), .like(_, let text, _): [.string(text)]
        case .contains(_, let value, _): [value]
        case .near(_, let place, _): [.location(place)]
        case .everything, .nothing, .quantified, .tokens, .not, .and, .or, .malformed: []
        }
    }

    private static func check(field name: String) throws {
        guard let violation = NameRule.violation(ofIdentifier: name) else { return }
        throw CloudError(
            .invalidArguments,
            "The predicate names the field \(NameRule.quoted(name)), which \(violation.reason).",
            remedy: violation.remedy
        )
    }

    private static func check(_ value: CloudValue, subject: String, field: String? = nil) throws {
        guard let violation = ValueRule.violation(of: value) else { return }
        throw CloudError(
            .invalidArguments,
            "\(subject) \(violation.reason).",
            remedy: violation.remedy,
            field: field
        )
    }

    private static func notAboutElements(
        of field: String,
        _ quantifier: CloudPredicate.Quantifier = .any
    ) -> CloudError {
        CloudError(
            .invalidArguments,
            "Below \(quantifier.rawValue) for the field \(field) is something that is not about its elements.",
            remedy: "Compare nothing but the elements of the list there.",
            field: field
        )
    }
}
