import Foundation

/// A part of a push's payload, whatever it was made from: property lists, JSON, or values of Swift's own types.
indirect enum PushValue {
    case text(String)
    case integer(Int64)
    case double(Double)
    case list([PushValue])
    case object([String: PushValue])

    /// Nil for what no payload has. Keys that are no text are left out.
    init?(_ value: Any) {
        switch value {
        case let text as String: self = .text(text)
        case let flag as Bool: self = .integer(flag ? 1 : 0)
        case let number as NSNumber: self = Self.number(number)
        case let integer as any BinaryInteger:
            self = Int64(exactly: integer).map(PushValue.integer) ?? .double(Double(integer))
        case let double as Double: self = .double(double)
        case let list as [Any]: self = .list(list.compactMap(PushValue.init))
        case let object as [AnyHashable: Any]:
            var members: [String: PushValue] = [:]
            for (key, value) in object {
                guard let key = key.base as? String ?? key as? String, let value = PushValue(value) else { continue }
                members[key] = value
            }
            self = .object(members)
        default: return nil
        }
    }

    private static func number(_ number: NSNumber) -> PushValue {
        // The encodings of Double and Float.
        let isFloating = ["d", "f"].contains(String(cString: number.objCType))
        guard isFloating else { return .integer(number.int64Value) }
        return Int64(exactly: number.doubleValue).map(PushValue.integer) ?? .double(number.doubleValue)
    }

    subscript(key: String) -> PushValue? { members?[key] }

    var members: [String: PushValue]? {
        if case .object(let members) = self { members } else { nil }
    }

    var isObject: Bool { members != nil }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var integer: Int64? {
        switch self {
        case .integer(let integer): integer
        case .double(let double): Int64(exactly: double)
        case .text(let text): Int64(text)
        case .list, .object: nil
        }
    }

    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .double(let double): double
        case .text, .list, .object: nil
        }
    }

    /// The texts of a list; what is no text is left out.
    var texts: [String]? {
        if case .list(let elements) = self { elements.compactMap(\.text) } else { nil }
    }
}

extension PushValue {
    /// The value of a record's field: texts and numbers as they are, others as CloudKit Web Services write them.
    var cloudValue: CloudValue? {
        switch self {
        case .text(let text): return .string(text)
        case .integer(let integer): return .int64(integer)
        case .double(let double): return .double(double)
        case .list: return nil
        case .object(let members):
            guard let value = members["value"] else { return nil }
            switch members["type"]?.text {
            case "TIMESTAMP": return value.double.map { .date(Date(timeIntervalSince1970: $0 / 1_000)) }
            case "DOUBLE": return value.double.map(CloudValue.double)
            case "REFERENCE":
                return value["recordName"]?.text.map { .reference(CloudReference(recordID: CloudRecordID($0))) }
            case "LOCATION":
                guard let latitude = value["latitude"]?.double, let longitude = value["longitude"]?.double else {
                    return nil
                }
                return .location(CloudLocation(latitude: latitude, longitude: longitude))
            default: return value.isObject ? nil : value.cloudValue
            }
        }
    }
}
