import CloudRecords

/// Which values a field can be compared with, and how they are bound.
struct ComparisonCheck {
    let field: SQLField
    let recordType: SQLRecordType

    /// - Throws: ``CloudError/Code/invalidArguments`` naming field and both types.
    func require(_ value: CloudValue, isOrder: Bool) throws {
        switch (field.type, value) {
        case (.string, .string), (.date, .date), (.bytes, .bytes), (.reference, .reference), (.int64, .int64),
            (.int64, .double), (.double, .int64), (.double, .double):
            return
        case (.location, .location) where !isOrder:
            return
        case (.list, .list) where !isOrder && field.type.accepts(value.fieldType):
            return
        default:
            throw mismatch(value.fieldType.description)
        }
    }

    func requireElement(_ value: CloudValue, of elementType: CloudFieldType) throws {
        let element = SQLField(name: field.name, type: elementType, column: field.column)
        do {
            try ComparisonCheck(field: element, recordType: recordType).require(value, isOrder: false)
        } catch {
            throw mismatch(value.fieldType.description)
        }
    }

    func mismatch(_ other: String) -> CloudError {
        CloudError(
            .invalidArguments,
            "Field \(field.name) of \(recordType.name) is \(field.type) and can't be compared with \(other).",
            remedy: "Use a value of the field's type, and an operator that the type has.",
            field: field.name
        )
    }

    /// The value as the column holds it.
    func bound(_ value: CloudValue) -> SQLValue {
        switch value {
        case .string(let text): .text(text)
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        case .bytes(let data): .blob(data)
        case .location(let location): .text(ValueText.encode(location))
        case .reference(let reference): .text(ReferenceText.encode(reference.recordID))
        case .asset(let asset): .text(asset.contentName ?? "")
        case .list(let elements): .text(ValueText.encode(elements))
        }
    }

    /// The value as a list holds it: a reference with either action.
    func elements(_ value: CloudValue) -> [JSONText] {
        guard case .reference(let reference) = value else { return [ValueText.json(value)] }
        return [CloudReference.Action.none, .deleteSelf].map { action in
            .text(ReferenceText.encodeElement(CloudReference(recordID: reference.recordID, action: action)))
        }
    }
}

/// How predicates see a system field that is kept in a column of its own.
struct SystemOperand {
    private let field: SystemField

    init(_ field: SystemField) {
        self.field = field
    }

    var column: String {
        let column: SystemColumn =
            switch field {
            case .recordID: .name
            case .creationDate: .created
            case .modificationDate: .modified
            case .creatorUserRecordID: .creator
            case .lastModifiedUserRecordID: .modifier
            case .recordChangeTag: .sequence
            }
        return column.rawValue
    }

    /// The value as the column holds it.
    func value(_ value: CloudValue, of recordType: SQLRecordType) throws -> SQLValue {
        switch (field, value) {
        case (.creationDate, .date(let date)), (.modificationDate, .date(let date)):
            return .real(date.timeIntervalSinceReferenceDate)
        case (.recordID, .reference(let reference)):
            return .text(reference.recordID.recordName)
        case (.creatorUserRecordID, .reference(let reference)), (.lastModifiedUserRecordID, .reference(let reference)):
            return .text(ReferenceText.encode(reference.recordID))
        case (.recordID, .string(let text)), (.creatorUserRecordID, .string(let text)),
            (.lastModifiedUserRecordID, .string(let text)):
            return .text(text)
        default:
            throw Self.mismatch(field, value, recordType)
        }
    }

    static func mismatch(_ field: SystemField, _ value: CloudValue, _ recordType: SQLRecordType) -> CloudError {
        let type =
            switch field {
            case .creationDate, .modificationDate: "a date"
            case .recordID, .creatorUserRecordID, .lastModifiedUserRecordID: "a record's identity"
            case .recordChangeTag: "a change tag"
            }
        return CloudError(
            .invalidArguments,
            "\(field.rawValue) of \(recordType.name) is \(type) and can't be compared so with \(value.fieldType).",
            remedy: "Use a value of the system field's type, and an operator that the type has.",
            field: field.rawValue
        )
    }
}
