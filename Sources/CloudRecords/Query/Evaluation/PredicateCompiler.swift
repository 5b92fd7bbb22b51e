/// Turns a predicate's tree into closures.
struct PredicateCompiler {
    /// Whether a record matches; in the term of a quantifier, whether an element of the list does.
    typealias RecordTest =
        @Sendable (_ record: CloudRecord, _ fields: FieldPositions.NumberedFields, _ element: FieldState) -> Bool

    /// The names of the fields, in the order of their numbers.
    private(set) var names: [String] = []
    private var numbers: [String: Int] = [:]
    /// The list whose element the term is about.
    private var list: String?

    /// What a name in a predicate stands for.
    private enum Operand {
        case field(number: Int)
        case system(SystemField)
        /// The element of the list.
        case element
        /// Nothing: null in every record.
        case nothing
    }

    mutating func test(_ node: CloudPredicate.Node) -> RecordTest {
        switch node {
        case .everything: return { _, _, _ in true }
        case .nothing, .malformed: return { _, _, _ in false }
        case .compare(let field, let comparison, let value, let options):
            if let direct = direct(node) { return { _, fields, _ in direct.holds(fields) } }
            return identity(field) { .compare($0, comparison, value, options) }
                ?? test(field, ValueTest.compare(comparison, value, options))
        case .oneOf(let field, let values):
            return identity(field) { .oneOf($0, values) } ?? test(field, ValueTest.oneOf(values))
        case .beginsWith(let field, let text, let options):
            return test(field, ValueTest.text(options, text, TextBytes.hasPrefix))
        case .endsWith(let field, let text, let options):
            return test(field, ValueTest.text(options, text, TextBytes.hasSuffix))
        case .like(let field, let pattern, let options):
            return test(field, ValueTest.like(LikePattern(pattern, options)))
        case .contains(let field, let value, let options): return test(field, ValueTest.contains(value, options))
        case .quantified(let quantifier, let field, let node): return quantified(quantifier, field, node)
        case .near(let field, let place, let metres): return test(field, ValueTest.near(place, metres))
        case .tokens(let text): return tokens(TokenText.words(of: text))
        case .not(let node):
            let test = test(node)
            return { !test($0, $1, $2) }
        case .between, .and:
            let conjunction = conjunction(node)
            return { conjunction.holds($0, $1, $2) }
        case .or(let nodes):
            let tests = nodes.map { test($0) }
            return { record, fields, element in
                for test in tests where test(record, fields, element) { return true }
                return false
            }
        }
    }

    /// The tests that have to hold where the node does.
    mutating func conjunction(_ node: CloudPredicate.Node) -> Conjunction {
        var conjunction = Conjunction()
        add(node, to: &conjunction)
        return conjunction
    }

    private mutating func add(_ node: CloudPredicate.Node, to conjunction: inout Conjunction) {
        switch node {
        case .and(let nodes):
            for node in nodes { add(node, to: &conjunction) }
        case .between(let field, let low, let high):
            add(.compare(field: field, .greaterOrEqual, low), to: &conjunction)
            add(.compare(field: field, .lessOrEqual, high), to: &conjunction)
        default:
            if let direct = direct(node) {
                conjunction.comparisons.append(direct)
            } else {
                conjunction.others.append(test(node))
            }
        }
    }

    // MARK: Operands

    private mutating func operand(_ name: String) -> Operand {
        if let list { return name == list ? .element : .nothing }
        if let field = SystemField(rawValue: name) { return .system(field) }
        if let number = numbers[name] { return .field(number: number) }
        numbers[name] = names.count
        names.append(name)
        return .field(number: names.count - 1)
    }

    /// The test of what a name stands for.
    private mutating func test(_ name: String, _ test: @escaping ValueTest.Test) -> RecordTest {
        switch operand(name) {
        case .field(let number): return { _, fields, _ in test(fields[number]) }
        case .element: return { _, _, element in test(element) }
        case .nothing: return { _, _, _ in test(.absent) }
        case .system(let field): return { record, _, _ in test(record.text(of: field)) }
        }
    }

    /// The node as a comparison of a field with a number, date or exact text; nil if it is none.
    private mutating func direct(_ node: CloudPredicate.Node) -> DirectComparison? {
        guard case .compare(let name, let comparison, let value?, let options) = node, options.isEmpty,
            case .field(let number) = operand(name)
        else { return nil }
        return DirectComparison(number: number, comparison, value)
    }

    /// The test of a system field that is a record's identity; nil for other names.
    private mutating func identity(
        _ name: String,
        _ makeTest: (IdentityTest.Kind) -> IdentityTest
    ) -> RecordTest? {
        guard case .system(let field) = operand(name) else { return nil }
        switch field {
        case .recordID:
            let test = makeTest(.record)
            return { record, _, _ in test.matches(record.recordID) }
        case .creatorUserRecordID:
            let test = makeTest(.user)
            return { record, _, _ in test.matches(record.creatorUserRecordID) }
        case .lastModifiedUserRecordID:
            let test = makeTest(.user)
            return { record, _, _ in test.matches(record.lastModifiedUserRecordID) }
        case .creationDate, .modificationDate, .recordChangeTag:
            return nil
        }
    }

    // MARK: Lists and words

    private mutating func quantified(
        _ quantifier: CloudPredicate.Quantifier,
        _ name: String,
        _ node: CloudPredicate.Node
    ) -> RecordTest {
        let operand = operand(name)
        let outer = list
        list = name
        let test = test(node)
        list = outer
        return { record, fields, element in
            let state: FieldState =
                switch operand {
                case .field(let number): fields[number]
                case .element: element
                case .system, .nothing: .absent
                }
            guard let value = state.value else { return quantifier != .any }
            guard case .list(let elements) = value else { return false }
            // ANY looks for an element that matches; so does NONE, in vain; ALL for one that doesn't, in vain.
            let sought = quantifier != .all
            for element in elements where test(record, fields, .value(element)) == sought { return quantifier == .any }
            return quantifier != .any
        }
    }

    /// Each of the words has to occur in some text field of the record. Without words nothing matches.
    private func tokens(_ words: [String]) -> RecordTest {
        if words.isEmpty { return { _, _, _ in false } }
        let sought = Set(words)
        let isElement = list != nil
        return { _, fields, element in
            var missing = sought
            func look(into state: FieldState) {
                guard case .value(.string(let text)) = state else { return }
                TokenText.forEachWord(of: text) { missing.remove($0) }
            }
            if isElement {
                look(into: element)
            } else {
                for state in fields.states where !missing.isEmpty { look(into: state) }
            }
            return missing.isEmpty
        }
    }
}

extension CloudRecord {
    /// A system field as the operators on text and dates see it: an identity is its record name to them.
    fileprivate func text(of field: SystemField) -> FieldState {
        let value: CloudValue? =
            switch field {
            case .recordID: .string(recordID.recordName)
            case .creationDate: creationDate.map(CloudValue.date)
            case .modificationDate: modificationDate.map(CloudValue.date)
            case .recordChangeTag: recordChangeTag.map(CloudValue.string)
            // Users are compared as identities, and have no operators on text.
            case .creatorUserRecordID, .lastModifiedUserRecordID: nil
            }
        return value.map(FieldState.value) ?? .null
    }
}
