import CloudRecords
import Foundation

extension PredicateTranslator {
    mutating func compare(
        _ subject: PredicateSubject,
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?,
        _ options: TextOptions
    ) throws -> String {
        switch subject {
        case .missing:
            return switch comparison {
            case .equal: value == nil ? Self.always : Self.never
            case .notEqual: value == nil ? Self.never : Self.always
            default: Self.never
            }
        case .recordID: return try compareRecordID(comparison, value, options)
        case .changeTag: return compareChangeTag(comparison, value, options)
        case .user(let column):
            guard case .string(let name)? = value, !comparison.isOrder else {
                return try compare(.value(SQLOperand(sql: column, type: .reference)), comparison, value, options)
            }
            let isEqual = isUser(column, name)
            return comparison == .equal ? isEqual : "(\(isEqual)) IS NOT TRUE"
        case .value(let operand):
            switch (comparison, value) {
            case (.equal, nil): return "\(operand.sql) IS NULL"
            case (.notEqual, nil): return "\(operand.sql) IS NOT NULL"
            case (_, nil): return Self.never
            case (_, let value?): return try compare(operand, comparison, value, options)
            }
        }
    }

    private mutating func compare(
        _ operand: SQLOperand,
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue,
        _ options: TextOptions
    ) throws -> String {
        // An engine would take a number that is none for null.
        if value.isUnordered { return comparison == .notEqual ? Self.always : Self.never }
        if case .int64(let number) = value, operand.type == .double, !operand.isElement,
            Int64(exactly: Double(number)) != number
        {
            return compare(operand.sql, comparison, withoutDouble: number)
        }
        if case .string(let text) = value, !options.isEmpty {
            let folded = try folded(operand.sql, options)
            return compare(folded, comparison, bindComparand(.text(TextFolding.folded(text, options))))
        }
        let left = operand.comparable(with: value, dialect)
        let right = operand.values(value, dialect).map { bind($0, of: operand) }
        guard right.count > 1 else { return compare(left, comparison, right.first ?? "NULL") }
        let isEqual = "\(left) IN (\(right.joined(separator: ", ")))"
        return comparison == .notEqual ? "(\(isEqual)) IS NOT TRUE" : isEqual
    }

    private func compare(
        _ left: String,
        _ comparison: CloudPredicate.Comparison,
        _ placeholder: String
    ) -> String {
        switch comparison {
        case .equal: "\(left) = \(placeholder)"
        case .notEqual: dialect.isDistinct(left, from: placeholder)
        case .less: "\(left) < \(placeholder)"
        case .lessOrEqual: "\(left) <= \(placeholder)"
        case .greater: "\(left) > \(placeholder)"
        case .greaterOrEqual: "\(left) >= \(placeholder)"
        }
    }

    /// Compares a column of doubles with an integer between two of them. To look for it in an index, an engine would
    /// take it for the nearest double.
    private mutating func compare(
        _ column: String,
        _ comparison: CloudPredicate.Comparison,
        withoutDouble number: Int64
    ) -> String {
        let nearest = Double(number)
        let isAbove = nearest >= 0x1p63 || Int64(nearest) > number
        switch comparison {
        case .equal: return Self.never
        case .notEqual: return Self.always
        case .less, .lessOrEqual: return "\(column) <= \(bindComparand(.real(isAbove ? nearest.nextDown : nearest)))"
        case .greater, .greaterOrEqual:
            return "\(column) >= \(bindComparand(.real(isAbove ? nearest : nearest.nextUp)))"
        }
    }

    /// Binds a value for a comparison with an operand.
    mutating func bind(_ value: SQLValue, of operand: SQLOperand) -> String {
        // The engine reads the numbers of lists from their text, this one too.
        if operand.isElement, case .real(let number) = value, number.isFinite {
            return dialect.listElement(bindComparand(.text(JSONText.array([.real(number)]).encoded)))
        }
        return bindComparand(value)
    }

    // MARK: System fields

    private mutating func compareRecordID(
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?,
        _ options: TextOptions
    ) throws -> String {
        guard let value else { return comparison == .notEqual ? Self.always : Self.never }
        // References are compared as they are.
        var options = options
        if case .reference = value { options = [] }
        if comparison.isOrder {
            return try compare(recordName, comparison, .string(value.recordName), options)
        }
        let isEqual: String
        if options.isEmpty {
            isEqual = isRecordID(value)
        } else {
            isEqual = try compare(recordName, .equal, .string(value.recordName), options)
        }
        return comparison == .equal ? isEqual : "(\(isEqual)) IS NOT TRUE"
    }

    /// The name of the record, as an operand.
    var recordName: SQLOperand { SQLOperand(sql: column(SystemColumn.name.rawValue), type: .string) }

    /// By the directory of names, which has the only index by name.
    private mutating func isRecordID(_ value: CloudValue) -> String {
        let name = bind(.text(value.recordName))
        var zone = ""
        if case .reference(let reference) = value {
            // A text names a record in any zone.
            zone = " AND \"zone_id\" = \(bind(.integer(schema.zone(reference.recordID.zoneID) ?? -1)))"
        }
        return """
            \(column(SystemColumn.row.rawValue)) IN (SELECT "row_id" FROM "_names" \
            WHERE "record_name" = \(name)\(zone) \
            AND "type_id" = \(bind(.integer(recordType.id))))
            """
    }

    /// All names of a zone at once: one look into the directory for each, however many there are.
    private mutating func isOneOfRecordIDs(_ values: [CloudValue]) -> String {
        // A text names a record in any zone: it stands under nil.
        let names = Dictionary(grouping: values) { value in
            value.referenceValue.map { schema.zone($0.recordID.zoneID) ?? -1 }
        }
        let terms = names.sorted { ($0.key ?? 0) < ($1.key ?? 0) }.map { zone, values in
            let list = bind(.text(JSONText.array(values.map { .text($0.recordName) }).encoded))
            let zoneCondition = zone.map { " AND \"zone_id\" = \(bind(.integer($0)))" } ?? ""
            return """
                \(column(SystemColumn.row.rawValue)) IN (SELECT "row_id" FROM "_names" \
                WHERE \(dialect.isElement("\"record_name\"", ofList: list, .plain))\(zoneCondition) \
                AND "type_id" = \(bind(.integer(recordType.id))))
                """
        }
        return Self.joined(terms, "OR") ?? Self.never
    }

    /// A text names a user in any zone.
    private mutating func isUser(_ column: String, _ name: String) -> String {
        let zones = ReferenceText.zones(ofRecordsNamed: name)
        let isInDefault = "\(column) = \(bindComparand(.text(name)))"
        let isAfter = "\(column) > \(bindComparand(.text(zones.after)))"
        return "\(isInDefault) OR \(isAfter) AND \(column) < \(bindComparand(.text(zones.before)))"
    }

    private mutating func compareChangeTag(
        _ comparison: CloudPredicate.Comparison,
        _ value: CloudValue?,
        _ options: TextOptions
    ) -> String {
        guard case .string(let tag)? = value, !comparison.isOrder else {
            return comparison == .notEqual ? Self.always : Self.never
        }
        // A tag is folded already: it has digits and small letters only.
        let sequence = ChangeTag.sequence(TextFolding.folded(tag, options)) ?? -1
        return compare(column(SystemColumn.sequence.rawValue), comparison, bindComparand(.integer(sequence)))
    }

    // MARK: Sets

    mutating func oneOf(_ subject: PredicateSubject, _ values: [CloudValue?]) throws -> String {
        switch subject {
        case .recordID: return isOneOfRecordIDs(values.compactMap(\.self))
        case .value(let operand): return isOneOf(operand, values)
        case .user(let column):
            let names = values.filter { $0?.stringValue != nil }
            let others = isOneOf(SQLOperand(sql: column, type: .reference), values.filter { $0?.stringValue == nil })
            let terms = try inside { translator in
                try names.map { try translator.compare(subject, .equal, $0, []) }
            }
            return Self.joined([others] + terms, "OR") ?? Self.never
        case .changeTag, .missing:
            let terms = try inside { translator in
                try values.map { try translator.compare(subject, .equal, $0, []) }
            }
            return Self.joined(terms, "OR") ?? Self.never
        }
    }

    private mutating func isOneOf(_ operand: SQLOperand, _ values: [CloudValue?]) -> String {
        let present = values.compactMap { value -> CloudValue? in
            guard let value, !value.isUnordered else { return nil }
            guard case .int64(let number) = value, operand.type == .double, !operand.isElement else { return value }
            return Int64(exactly: Double(number)) == number ? value : nil
        }
        let groups = Dictionary(grouping: present) { operand.comparable(with: $0, dialect) }
        // In an order that is the same each time.
        var terms = groups.sorted { $0.key < $1.key }.map { left, values in
            isOneOf(left, values.flatMap { operand.values($0, dialect) }, operand)
        }
        if values.contains(nil) { terms.append("\(operand.sql) IS NULL") }
        return Self.joined(terms, "OR") ?? Self.never
    }

    private mutating func isOneOf(_ left: String, _ values: [SQLValue], _ operand: SQLOperand) -> String {
        // Many values as one parameter: their number then neither limits the query nor makes another statement.
        if values.count > 16, let (list, elements) = Self.list(values, operand) {
            return dialect.isElement(left, ofList: bind(.text(list.encoded)), elements)
        }
        // Engines take so short a list for comparisons.
        if values.count <= 2, !usesIndexes {
            let terms = values.map { "\(left) = \(bind($0, of: operand))" }
            return Self.joined(terms, "OR") ?? Self.never
        }
        return "\(left) IN (\(values.map { bind($0, of: operand) }.joined(separator: ", ")))"
    }

    /// Values as a list that is read exactly; nil if they are of types that don't go together.
    private static func list(_ values: [SQLValue], _ operand: SQLOperand) -> (list: JSONText, elements: ListElements)? {
        var elements = ListElements.plain
        var list: [JSONText] = []
        list.reserveCapacity(values.count)
        for value in values {
            switch value {
            case .text(let text): list.append(.text(text))
            case .integer(let number): list.append(.integer(number))
            case .real(let number) where operand.isElement && number.isFinite: list.append(.real(number))
            case .real(let number):
                elements = .numbers
                list.append(.text(number.description))
            case .blob(let data):
                elements = .bytes
                list.append(.text(data.base64EncodedString()))
            case .null: return nil
            }
        }
        let isMixed = values.contains { value in
            switch (elements, value) {
            case (.plain, _), (.numbers, .integer), (.numbers, .real), (.bytes, .blob): false
            default: true
            }
        }
        return isMixed ? nil : (.array(list), elements)
    }
}

extension CloudValue {
    /// The name of the record that the value names.
    fileprivate var recordName: String {
        switch self {
        case .reference(let reference): reference.recordID.recordName
        case .string(let text): text
        default: ""
        }
    }
}
