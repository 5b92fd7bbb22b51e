import CloudRecords

/// What a name in a predicate stands for.
enum PredicateSubject {
    case value(SQLOperand)
    case recordID
    /// A column with a user.
    case user(String)
    case changeTag
    /// A field that no record has.
    case missing
}

/// One side of a comparison in SQL: a column, or an element of the list in one.
struct SQLOperand {
    let sql: String
    let type: CloudFieldType
    /// Whether it is an element of a list, which is kept as ``ValueText`` has it.
    var isElement = false

    /// The values that count as equal to this one, as SQL has them: references do so with either action.
    func values(_ value: CloudValue, _ dialect: any SQLDialect) -> [SQLValue] {
        guard isElement else { return [columnValue(value)] }
        switch value {
        case .location: return [columnValue(value)]
        case .reference(let reference):
            return [CloudReference.Action.none, .deleteSelf].map { action in
                .text(ReferenceText.encodeElement(CloudReference(recordID: reference.recordID, action: action)))
            }
        default: return [columnValue(value)]
        }
    }

    /// The operand as it has to be compared with a value.
    ///
    /// Locations and lists are kept as text. Where that is not the same for equal values, it is made so: minus zero
    /// equals zero, and references in lists are equal with either action.
    func comparable(with value: CloudValue, _ dialect: any SQLDialect) -> String {
        switch value {
        case .bytes where isElement:
            return dialect.bytes(ofElement: sql)
        case .location:
            return Self.withoutMinusZero(sql)
        case .list(let elements):
            switch elements.first {
            case .double?, .date?, .location?: return Self.withoutMinusZero(sql)
            case .reference?: return Self.withoutActions(sql)
            default: return sql
            }
        default:
            return sql
        }
    }

    private static func withoutMinusZero(_ sql: String) -> String {
        // A minus sign is the first of a number, or stands in an exponent, which has no point.
        "replace(replace(\(sql), '-0.0,', '0.0,'), '-0.0]', '0.0]')"
    }

    // A backslash of a name is two in JSON, and could be taken for that of the mark: it is written differently first.

    private static func withoutActions(_ sql: String) -> String {
        "replace(replace(\(sql), '\\\\', '\\u005c'), '\\u001edeleteSelf\"', '\"')"
    }

    private static func json(ofReferences elements: [CloudValue]) -> String {
        ValueText.json(CloudValue.list(elements).withoutActions).encoded.replacing("\\\\", with: "\\u005c")
    }

    private func columnValue(_ value: CloudValue) -> SQLValue {
        switch value {
        case .string(let text): .text(text)
        case .int64(let number): .integer(number)
        case .double(let number): .real(number)
        case .date(let date): .real(date.timeIntervalSinceReferenceDate)
        case .bytes(let data): .blob(data)
        case .location: .text(ValueText.json(value.withoutMinusZero).encoded)
        case .reference(let reference): .text(ReferenceText.encode(reference.recordID))
        case .asset(let asset): .text(asset.contentName ?? "")
        case .list(let elements) where elements.first?.referenceValue != nil: .text(Self.json(ofReferences: elements))
        case .list: .text(ValueText.json(value.withoutMinusZero).encoded)
        }
    }
}

extension CloudValue {
    /// Whether no value equals it, not even itself.
    var isUnordered: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }

    fileprivate var withoutMinusZero: CloudValue {
        switch self {
        // Adding zero makes minus zero zero, and leaves all other numbers as they are.
        case .double(let number): .double(number + 0)
        case .date(let date): .date(.init(timeIntervalSinceReferenceDate: date.timeIntervalSinceReferenceDate + 0))
        case .location(let location):
            .location(
                CloudLocation(
                    latitude: location.latitude + 0,
                    longitude: location.longitude + 0,
                    altitude: location.altitude + 0,
                    horizontalAccuracy: location.horizontalAccuracy + 0,
                    verticalAccuracy: location.verticalAccuracy + 0,
                    course: location.course + 0,
                    speed: location.speed + 0,
                    timestamp: location.timestamp.map {
                        .init(timeIntervalSinceReferenceDate: $0.timeIntervalSinceReferenceDate + 0)
                    }
                )
            )
        case .list(let elements): .list(elements.map(\.withoutMinusZero))
        default: self
        }
    }

    fileprivate var withoutActions: CloudValue {
        switch self {
        case .reference(let reference): .reference(CloudReference(recordID: reference.recordID))
        case .list(let elements): .list(elements.map(\.withoutActions))
        default: self
        }
    }
}
