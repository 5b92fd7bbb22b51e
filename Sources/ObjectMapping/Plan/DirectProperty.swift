import CloudRecords
import Foundation

/// A property of one of the most frequent types, without any dynamic dispatch.
enum DirectProperty: Sendable {
    case string(PropertyLocation<String>)
    case optionalString(PropertyLocation<String?>)
    case int(PropertyLocation<Int>)
    case optionalInt(PropertyLocation<Int?>)
    case double(PropertyLocation<Double>)
    case optionalDouble(PropertyLocation<Double?>)
    case bool(PropertyLocation<Bool>)
    case optionalBool(PropertyLocation<Bool?>)
    case date(PropertyLocation<Date>)
    case optionalDate(PropertyLocation<Date?>)

    init?(_ property: TypeLayout.Property) {
        if let location = PropertyLocation<String>(property) {
            self = .string(location)
        } else if let location = PropertyLocation<String?>(property) {
            self = .optionalString(location)
        } else if let location = PropertyLocation<Int>(property) {
            self = .int(location)
        } else if let location = PropertyLocation<Int?>(property) {
            self = .optionalInt(location)
        } else if let location = PropertyLocation<Double>(property) {
            self = .double(location)
        } else if let location = PropertyLocation<Double?>(property) {
            self = .optionalDouble(location)
        } else if let location = PropertyLocation<Bool>(property) {
            self = .bool(location)
        } else if let location = PropertyLocation<Bool?>(property) {
            self = .optionalBool(location)
        } else if let location = PropertyLocation<Date>(property) {
            self = .date(location)
        } else if let location = PropertyLocation<Date?>(property) {
            self = .optionalDate(location)
        } else {
            return nil
        }
    }

    /// The property's field.
    @inline(__always)
    func read(from object: ObjectMemory) -> FieldState {
        switch self {
        case .string(let location): .value(.string(location.load(from: object)))
        case .optionalString(let location): location.load(from: object).map { .value(.string($0)) } ?? .null
        case .int(let location): .value(.int64(Int64(location.load(from: object))))
        case .optionalInt(let location): location.load(from: object).map { .value(.int64(Int64($0))) } ?? .null
        case .double(let location): .value(.double(location.load(from: object)))
        case .optionalDouble(let location): location.load(from: object).map { .value(.double($0)) } ?? .null
        case .bool(let location): .value(.int64(location.load(from: object) ? 1 : 0))
        case .optionalBool(let location): location.load(from: object).map { .value(.int64($0 ? 1 : 0)) } ?? .null
        case .date(let location): .value(.date(location.load(from: object)))
        case .optionalDate(let location): location.load(from: object).map { .value(.date($0)) } ?? .null
        }
    }

    /// Writes a field that fits the property as it is; returns false if it doesn't, and nothing was written.
    @inline(__always)
    func write(_ field: UnsafePointer<FieldState>, into object: ObjectMemory) -> Bool {
        switch self {
        case .string(let location):
            guard case .value(.string(let value)) = field.pointee else { return false }
            location.store(value, into: object)
        case .optionalString(let location):
            switch field.pointee {
            case .value(.string(let value)): location.store(value, into: object)
            case .null: location.store(nil, into: object)
            default: return false
            }
        case .int(let location):
            guard case .value(.int64(let number)) = field.pointee, let value = Int(exactly: number) else {
                return false
            }
            location.store(value, into: object)
        case .optionalInt(let location):
            switch field.pointee {
            case .value(.int64(let number)):
                guard let value = Int(exactly: number) else { return false }
                location.store(value, into: object)
            case .null: location.store(nil, into: object)
            default: return false
            }
        case .double(let location):
            guard case .value(.double(let value)) = field.pointee else { return false }
            location.store(value, into: object)
        case .optionalDouble(let location):
            switch field.pointee {
            case .value(.double(let value)): location.store(value, into: object)
            case .null: location.store(nil, into: object)
            default: return false
            }
        case .bool(let location):
            guard case .value(.int64(let number)) = field.pointee, number == 0 || number == 1 else { return false }
            location.store(number == 1, into: object)
        case .optionalBool(let location):
            switch field.pointee {
            case .value(.int64(let number)) where number == 0 || number == 1:
                location.store(number == 1, into: object)
            case .null: location.store(nil, into: object)
            default: return false
            }
        case .date(let location):
            guard case .value(.date(let value)) = field.pointee else { return false }
            location.store(value, into: object)
        case .optionalDate(let location):
            switch field.pointee {
            case .value(.date(let value)): location.store(value, into: object)
            case .null: location.store(nil, into: object)
            default: return false
            }
        }
        return true
    }
}
