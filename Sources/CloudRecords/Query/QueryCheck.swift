/// Checks a query against what is known of a record type's fields, before anything is looked for.
///
/// The DAO checks with the fields of the class, a store with those of its schema.
package struct QueryCheck {
    /// What is known of a field.
    package enum Field: Sendable, Hashable {
        case typed(CloudFieldType)
        /// It exists, but nothing is known of its type.
        case untyped
        case unknown
    }

    /// What has the fields, as messages name it: "class Message" or "record type Message".
    private let subject: String
    private let field: (String) -> Field
    /// What the order of a field's values is asked for.
    package enum OrderUse: Sendable {
        case comparison, sorting
    }

    /// Throws for a field of which its type is right, but the order is not the one of its values.
    private let checkOrder: (String, OrderUse) throws -> Void

    package init(
        subject: String,
        checkOrder: @escaping (String, OrderUse) throws -> Void = { _, _ in },
        field: @escaping (String) -> Field
    ) {
        self.subject = subject
        self.checkOrder = checkOrder
        self.field = field
    }

    /// - Throws: ``CloudError/Code/invalidArguments`` naming field and types for an unknown field, a value of another
    ///   type, or an operator or order that the field's type does not have.
    package func check(_ query: CloudQuery) throws {
        try query.predicate.checkWellFormed()
        try check(query.predicate.node)
        for key in query.orderBy.keys {
            switch key {
            case .field(let name, _): try checkSortable(name)
            case .distance(let name, _): try requireLocation(name)
            }
        }
    }

    private func check(_ node: CloudPredicate.Node) throws {
        switch node {
        case .everything, .nothing, .tokens, .malformed:
            break
        case .compare(let name, let comparison, let value, let options):
            try checkValue(value, for: name, isOrder: comparison.isOrder, comparison.rawValue, options)
        case .between(let name, let low, let high):
            try checkValue(low, for: name, isOrder: true, "BETWEEN", [])
            try checkValue(high, for: name, isOrder: true, "BETWEEN", [])
        case .oneOf(let name, let values):
            for value in values { try checkValue(value, for: name, isOrder: false, "IN", []) }
        case .beginsWith(let name, _, _): try requireText(name, "BEGINSWITH")
        case .endsWith(let name, _, _): try requireText(name, "ENDSWITH")
        case .like(let name, _, _): try requireText(name, "LIKE")
        case .contains(let name, let value, let options): try checkContains(value, in: name, options)
        case .quantified(let quantifier, let name, let node): try checkElements(of: name, quantifier, node)
        case .near(let name, _, _): try requireLocation(name)
        case .not(let node): try check(node)
        case .and(let nodes), .or(let nodes): for node in nodes { try check(node) }
        }
    }

    // MARK: Types

    private func type(of name: String) throws -> CloudFieldType? {
        switch SystemField(rawValue: name) {
        case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID: return .reference
        case .creationDate, .modificationDate: return .date
        case .recordChangeTag: return .string
        case nil: break
        }
        switch field(name) {
        case .typed(let type): return type
        case .untyped: return nil
        case .unknown:
            throw CloudError(
                .invalidArguments,
                "The query names the field \(name), but \(subject) has no field of this name.",
                remedy: name == "recordName"
                    ? "Compare recordID, which a record's name may stand for: recordID == 'x'."
                    : "Correct the name, or add the property to the class.",
                field: name
            )
        }
    }

    private func checkValue(
        _ value: CloudValue?,
        for name: String,
        isOrder: Bool,
        _ operation: String,
        _ options: TextOptions
    ) throws {
        let type = try type(of: name)
        if !options.isEmpty { try requireText(name, operation + options.description) }
        if name == SystemField.recordChangeTag.rawValue, isOrder {
            throw mismatch(name, "change tags have no order, so \(operation) can't compare them")
        }
        guard let type, let value else { return }
        if isOrder, !type.hasOrder, name != SystemField.recordID.rawValue {
            throw mismatch(name, "\(type.nameWithArticle) has no order, so \(operation) can't compare it")
        }
        guard type.isComparable(with: value) || (SystemField(rawValue: name) != nil && type.isName(value)) else {
            var remedy = Self.defaultRemedy
            if type == .date { remedy = "Pass a Date for %@ or interpolate it; a format has CAST(seconds, 'NSDate')." }
            throw mismatch(
                name,
                "\(type.nameWithArticle) can't be compared with \(value), which is \(value.fieldType.nameWithArticle)",
                remedy
            )
        }
        if isOrder { try checkOrder(name, .comparison) }
    }

    private func checkContains(_ value: CloudValue, in name: String, _ options: TextOptions) throws {
        switch try type(of: name) {
        case nil, .list(of: nil):
            break
        case .list(of: let element?):
            guard element.isComparable(with: value), options.isEmpty || element == .string else {
                throw mismatch(name, "\(CloudFieldType.list(of: element).nameWithArticle) can't contain \(value)")
            }
        case .string? where SystemField(rawValue: name) == nil:
            guard case .string = value else { throw mismatch(name, "text can't contain \(value)") }
        case let type?:
            throw mismatch(name, "CONTAINS is for text and lists, not for \(type.nameWithArticle)")
        }
    }

    private func checkElements(
        of name: String,
        _ quantifier: CloudPredicate.Quantifier,
        _ node: CloudPredicate.Node
    ) throws {
        switch try type(of: name) {
        case nil, .list(of: nil):
            break
        case .list(of: let element?):
            let elements = QueryCheck(subject: subject, checkOrder: checkOrder) {
                $0 == name ? .typed(element) : .unknown
            }
            try elements.check(node)
        case let type?:
            throw mismatch(name, "\(quantifier.rawValue) is for lists, not for \(type.nameWithArticle)")
        }
    }

    private func requireText(_ name: String, _ operation: String) throws {
        guard let type = try type(of: name), type != .string, name != SystemField.recordID.rawValue else { return }
        throw mismatch(name, "\(operation) is for text, not for \(type.nameWithArticle)")
    }

    private func requireLocation(_ name: String) throws {
        guard let type = try type(of: name), type != .location else { return }
        throw mismatch(name, "a distance is measured to a location, not to \(type.nameWithArticle)")
    }

    private func checkSortable(_ name: String) throws {
        if name == SystemField.recordChangeTag.rawValue {
            throw mismatch(name, "change tags have no order to sort by")
        }
        guard let type = try type(of: name) else { return }
        guard type.hasOrder || type == .reference else {
            throw mismatch(name, "\(type.nameWithArticle) has no order to sort by")
        }
        try checkOrder(name, .sorting)
    }

    private static let defaultRemedy = "Use a value of the field's type, and an operator that the type has."

    private func mismatch(_ name: String, _ reason: String, _ remedy: String = defaultRemedy) -> CloudError {
        CloudError(
            .invalidArguments,
            "Field \(name) of \(subject): \(reason).",
            remedy: remedy,
            field: name
        )
    }
}

extension CloudPredicate.Comparison {
    /// Whether it asks for an order and not for equality.
    package var isOrder: Bool { self != .equal && self != .notEqual }
}

extension CloudFieldType {
    /// Whether values of the type can be compared by `<`.
    fileprivate var hasOrder: Bool {
        switch self {
        case .string, .int64, .double, .date, .bytes: true
        case .location, .reference, .asset, .list: false
        }
    }

    /// Whether a value may stand beside a field of the type. Integers and doubles compare by their numbers.
    fileprivate func isComparable(with value: CloudValue) -> Bool {
        switch (self, value) {
        case (.asset, _), (_, .asset): false
        case (.int64, .double), (.double, .int64): true
        case (.list, .list): accepts(value.fieldType)
        default: self == value.fieldType
        }
    }

    /// Whether a system field of the type may be compared with the value as a record's name.
    fileprivate func isName(_ value: CloudValue) -> Bool {
        if case .string = value { self == .reference } else { false }
    }
}
