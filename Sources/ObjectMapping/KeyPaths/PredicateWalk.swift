import CloudRecords
import Foundation

/// Walks the expression of a Foundation predicate.
struct PredicateWalk {
    let rootType: CloudDataObject.Type
    let plan: MappingPlan
    /// The optional properties that the variables of optional chaining stand for, unwrapped.
    private var chained: [PredicateExpressions.VariableID: AnyKeyPath] = [:]

    init(rootType: CloudDataObject.Type, plan: MappingPlan) {
        self.rootType = rootType
        self.plan = plan
    }

    /// What stands on one side of a comparison.
    enum Operand {
        /// The object itself.
        case root
        case field(KeyPathField)
        case value(Any)
    }

    /// A condition, which optional chaining may make nil.
    struct Condition {
        let holds: CloudPredicate.Node
        var isNil: CloudPredicate.Node?
    }

    /// The condition that a Bool expression is.
    func node(of expression: Any) throws -> CloudPredicate.Node {
        if let condition = try condition(of: expression) {
            guard condition.isNil == nil else { throw unsupported(expression) }
            return condition.holds
        }
        if let coalesced = expression as? any CoalescingExpression, try constant(of: expression) == nil {
            return try node(coalescing: coalesced)
        }
        // A property of type Bool stands for itself, and a value too.
        switch try operand(of: expression) {
        case .field(let field): return .compare(field: field.name, .equal, try field.value(of: true))
        case .value(let value as Bool): return value ? .everything : .nothing
        case .value, .root: throw unsupported(expression)
        }
    }

    /// The condition that an expression of Bool or an optional Bool is; nil if it is a property or a value.
    func condition(of expression: Any) throws -> Condition? {
        switch expression {
        case let expression as any ConditionExpression:
            return Condition(holds: try expression.node(in: self))
        case let expression as any ChainingExpression:
            guard try constant(of: expression) == nil else { return nil }
            return try expression.condition(in: self)
        case let expression as any PathExpression:
            guard let text = expression.textTestedForEmptiness, try constant(of: text) == nil else { return nil }
            return Condition(
                holds: try test(text) { .compare(field: $0.name, .equal, .string("")) }
            )
        default:
            return nil
        }
    }

    func operand(of expression: Any) throws -> Operand {
        if let value = try constant(of: expression) { return .value(value) }
        guard let expression = expression as? any PathExpression else { throw unsupported(expression) }
        guard let path = try expression.path(in: self).keyPath else { return .root }
        return .field(try field(for: path, of: expression))
    }

    /// The condition that a test makes of a property, or of one with a value for nil.
    ///
    /// - Parameter makeNode: Gives the node for the property itself.
    func test(
        _ operand: Any,
        _ makeNode: (KeyPathField) throws -> CloudPredicate.Node
    ) throws -> CloudPredicate.Node {
        if let coalesced = operand as? any CoalescingExpression {
            let (property, fallback) = try coalesced.parts(in: self)
            let node = try makeNode(property)
            // Nil meets the test if the value in its place does.
            let isNil = property.isNil
            if try node.matches(try property.value(of: fallback), of: property.name) { return .or([isNil, node]) }
            return node.neverMatchesNull(of: property.name) ? node : .and([.not(isNil), node])
        }
        guard case .field(let field) = try self.operand(of: operand) else { throw unsupported(operand) }
        return try makeNode(field)
    }

    /// A comparison of a property or a condition with a value, whichever stands on the left.
    func compare(
        _ left: Any,
        _ comparison: CloudPredicate.Comparison,
        _ right: Any,
        flipped: CloudPredicate.Comparison,
        of type: Any.Type
    ) throws -> CloudPredicate.Node {
        if let condition = try condition(of: left) { return try compare(condition, comparison, right) }
        if let condition = try condition(of: right) { return try compare(condition, flipped, left) }
        switch (try constant(of: left), try constant(of: right)) {
        case (nil, let value?): return try compare(property: left, comparison, value, of: type)
        case (let value?, nil): return try compare(property: right, flipped, value, of: type)
        default:
            throw CloudError(
                .unsupported,
                "A predicate can't compare two properties with each other.",
                remedy: "Compare one property with one value."
            )
        }
    }

    private func compare(
        property: Any,
        _ comparison: CloudPredicate.Comparison,
        _ value: Any,
        of type: Any.Type
    ) throws -> CloudPredicate.Node {
        try test(property) { field in
            if comparison.isOrder { try KeptOrder.check(type, of: field.name) }
            return .compare(field: field.name, comparison, try field.value(of: value))
        }
    }

    /// The walk of what follows an optional property.
    func unwrapping(_ path: AnyKeyPath, as variable: PredicateExpressions.VariableID) -> PredicateWalk {
        var walk = self
        walk.chained[variable] = path
        return walk
    }

    /// The optional property that a variable stands for, unwrapped; nil for the object itself.
    func property(of variable: PredicateExpressions.VariableID) -> AnyKeyPath? {
        chained[variable]
    }

    /// The comparison of a condition with true, false or nil.
    private func compare(
        _ condition: Condition,
        _ comparison: CloudPredicate.Comparison,
        _ other: Any
    ) throws -> CloudPredicate.Node {
        guard !comparison.isOrder, let value = try constant(of: other) else { throw unsupported(other) }
        let isEqual: CloudPredicate.Node =
            switch value as? Bool {
            case true?: condition.holds
            case false?: .not(condition.isNil.map { .or([$0, condition.holds]) } ?? condition.holds)
            case nil: condition.isNil ?? .nothing
            }
        return comparison == .equal ? isEqual : .not(isEqual)
    }

    /// A condition with another one in the place of nil.
    private func node(coalescing coalesced: any CoalescingExpression) throws -> CloudPredicate.Node {
        let (optional, fallback) = coalesced.sides
        let condition: Condition
        if let chained = try self.condition(of: optional) {
            condition = chained
        } else {
            guard case .field(let field) = try operand(of: optional) else { throw unsupported(coalesced) }
            let isTrue = CloudPredicate.Node.compare(field: field.name, .equal, try field.value(of: true))
            condition = Condition(holds: isTrue, isNil: field.isNil)
        }
        guard let isNil = condition.isNil else { return condition.holds }
        switch try node(of: fallback) {
        case .everything: return .or([isNil, condition.holds])
        case .nothing: return condition.holds
        case let node: return .or([.and([isNil, node]), condition.holds])
        }
    }
}

extension KeyPathField {
    /// That the field is null.
    var isNil: CloudPredicate.Node { .compare(field: name, .equal, nil) }
}

extension CloudPredicate.Node {
    /// Whether the node, which is about one field, matches a value of it.
    fileprivate func matches(_ value: CloudValue?, of field: String) throws -> Bool {
        var record = CloudRecord(recordType: "Probe")
        switch SystemField(rawValue: field) {
        case nil: record[field] = value
        case .recordID: break
        case .creationDate: record.creationDate = value?.dateValue
        case .modificationDate: record.modificationDate = value?.dateValue
        case .creatorUserRecordID: record.creatorUserRecordID = value?.referenceValue?.recordID
        case .lastModifiedUserRecordID: record.lastModifiedUserRecordID = value?.referenceValue?.recordID
        case .recordChangeTag: record.recordChangeTag = value?.stringValue
        }
        return try CompiledPredicate(CloudPredicate(self)).matches(record)
    }

    /// Whether it is known that the node, which is about one field, does not match null.
    func neverMatchesNull(of name: String) -> Bool {
        switch self {
        case .compare(let field, let comparison, let value, _):
            field == name && (value == nil ? comparison != .equal : comparison != .notEqual)
        case .oneOf(let field, let values): field == name && !values.contains { $0 == nil }
        case .between(let field, _, _), .beginsWith(let field, _, _), .contains(let field, _, _): field == name
        case .and(let nodes): nodes.contains { $0.neverMatchesNull(of: name) }
        default: false
        }
    }
}
