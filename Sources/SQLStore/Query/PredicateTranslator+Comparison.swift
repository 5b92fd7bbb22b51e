import CloudRecords

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
            return compare(folded, comparison, bind(.text(TextFolding.folded(text, options))))
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
        case .less, .lessOrEqual: return "\(column) <= \(bind(.real(isAbove ? nearest.nextDown : nearest)))"
        case .greater, .greaterOrEqual: return "\(column) >= \(bind(.real(isAbove ? nearest : nearest.nextUp)))"
        }
    }

    /// Binds a value for a comparison with an operand.
    mutating func bind(_ value: SQLValue, of operand: SQLOperand) -> String {
        // The engine reads the numbers of lists from their text, this one too.
        if operand.isElement, case .real(let number) = value, number.isFinite {
            return dialect.listElement(bind(.text(JSONText.array([.real(number)]).encoded)))
        }
        return bind(value)
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
        var zone = ""
        if case .reference(let reference) = value {
            // A text names a record in any zone.
            zone = " AND \"zone_id\" = \(bind(.integer(schema.zone(reference.recordID.zoneID) ?? -1)))"
        }
        return """
            \(column(SystemColumn.row.rawValue)) IN (SELECT "row_id" FROM "_names" \
            WHERE "record_name" = \(bind(.text(value.recordName)))\(zone) \
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
            let list = JSONText.array(values.map { .text($0.recordName) }).encoded
            let zoneCondition = zone.map { " AND \"zone_id\" = \(bind(.integer($0)))" } ?? ""
            return """
                \(column(SystemColumn.row.rawValue)) IN (SELECT "row_id" FROM "_names" \
                WHERE \(dialect.isElement("\"record_name\"", ofList: bind(.text(list))))\(zoneCondition) \
                AND "type_id" = \(bind(.integer(recordType.id))))
                """
        }
        return Self.joined(terms, "OR") ?? Self.never
    }

    /// A text names a user in any zone.
    private mutating func isUser(_ column: String, _ name: String) -> String {
        let zones = ReferenceText.zones(ofRecordsNamed: name)
        let isElsewhere = "\(column) > \(bind(.text(zones.after))) AND \(column) < \(bind(.text(zones.before)))"
        return "\(column) = \(bind(.text(name))) OR \(isElsewhere)"
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
        return compare(column(SystemColumn.sequence.rawValue), comparison, bind(.integer(sequence)))
    }

    // MARK: Sets

    mutating func oneOf(_ subject: PredicateSubject, _ values: [CloudValue?]) throws -> String {
        let hasNull = values.contains(nil)
        if case .recordID = subject { return isOneOfRecordIDs(values.compactMap(\.self)) }
        guard case .value(let operand) = subject else {
            let terms = try inside { translator in
                try values.map { try translator.compare(subject, .equal, $0, []) }
            }
            return Self.joined(terms, "OR") ?? Self.never
        }
        let values = values.compactMap { value -> CloudValue? in
            guard let value, !value.isUnordered else { return nil }
            guard case .int64(let number) = value, operand.type == .double, !operand.isElement else { return value }
            return Int64(exactly: Double(number)) == number ? value : nil
        }
        var terms: [String] = []
        for (left, values) in Dictionary(grouping: values, by: { operand.comparable(with: $0, dialect) }) {
            terms.append(isOneOf(left, values.flatMap { operand.values($0, dialect) }, operand))
        }
        if hasNull { terms.append("\(operand.sql) IS NULL") }
        return Self.joined(terms.sorted(), "OR") ?? Self.never
    }

    private mutating func isOneOf(_ left: String, _ values: [SQLValue], _ operand: SQLOperand) -> String {
        let elements = values.compactMap { value -> JSONText? in
            switch value {
            case .text(let text): .text(text)
            case .integer(let number): .integer(number)
            case .null, .real, .blob: nil
            }
        }
        // Many values as one parameter: their number then neither limits the query nor makes another statement.
        if values.count > 16, elements.count == values.count {
            return dialect.isElement(left, ofList: bind(.text(JSONText.array(elements).encoded)))
        }
        return "\(left) IN (\(values.map { bind($0, of: operand) }.joined(separator: ", ")))"
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
