import Foundation

/// A value that a record's field can hold.
///
/// Bool is kept as an ``int64(_:)`` of 0 or 1. All elements of a list are of one type; lists are not nested.
public enum CloudValue: Sendable, Codable {
    case string(String)
    case int64(Int64)
    case double(Double)
    case date(Date)
    case bytes(Data)
    indirect case location(CloudLocation)
    indirect case reference(CloudReference)
    indirect case asset(CloudAsset)
    case list([CloudValue])

    /// The type of the field that holds this value.
    ///
    /// The element type of a list is that of its first element; nil for an empty list.
    public var fieldType: CloudFieldType {
        switch self {
        case .string: .string
        case .int64: .int64
        case .double: .double
        case .date: .date
        case .bytes: .bytes
        case .location: .location
        case .reference: .reference
        case .asset: .asset
        case .list(let elements): .list(of: elements.first?.fieldType)
        }
    }
}

extension CloudValue: Hashable {
    /// Two values are equal when type and value are; text compares by its bytes, as it does in every store.
    public static func == (left: CloudValue, right: CloudValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): TextBytes.areEqual(left, right)
        case (.int64(let left), .int64(let right)): left == right
        case (.double(let left), .double(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        case (.bytes(let left), .bytes(let right)): left == right
        case (.location(let left), .location(let right)): left == right
        case (.reference(let left), .reference(let right)): left == right
        case (.asset(let left), .asset(let right)): left == right
        case (.list(let left), .list(let right)): left == right
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .string(let value): hasher.combine(value)
        case .int64(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .bytes(let value): hasher.combine(value)
        case .location(let value): hasher.combine(value)
        case .reference(let value): hasher.combine(value)
        case .asset(let value): hasher.combine(value)
        case .list(let value): hasher.combine(value)
        }
    }
}

extension CloudValue {
    /// The text, if this is a string.
    public var stringValue: String? {
        if case .string(let value) = self { value } else { nil }
    }

    /// The number, if this is an integer.
    public var int64Value: Int64? {
        if case .int64(let value) = self { value } else { nil }
    }

    /// The number, if this is a double.
    public var doubleValue: Double? {
        if case .double(let value) = self { value } else { nil }
    }

    /// The point in time, if this is a date.
    public var dateValue: Date? {
        if case .date(let value) = self { value } else { nil }
    }

    /// The bytes, if this holds any.
    public var bytesValue: Data? {
        if case .bytes(let value) = self { value } else { nil }
    }

    /// The location, if this is one.
    public var locationValue: CloudLocation? {
        if case .location(let value) = self { value } else { nil }
    }

    /// The reference, if this is one.
    public var referenceValue: CloudReference? {
        if case .reference(let value) = self { value } else { nil }
    }

    /// The asset, if this is one.
    public var assetValue: CloudAsset? {
        if case .asset(let value) = self { value } else { nil }
    }

    /// The elements, if this is a list.
    public var listValue: [CloudValue]? {
        if case .list(let value) = self { value } else { nil }
    }
}

extension CloudValue: CustomStringConvertible {
    /// The value as a person reads it: text in quotes, bytes as a count.
    public var description: String {
        switch self {
        case .string(let value): value.debugDescription
        case .int64(let value): String(value)
        case .double(let value): String(value)
        case .date(let value): value.formatted(.iso8601)
        case .bytes(let value): "\(value.count) bytes"
        case .location(let value): "(\(value))"
        case .reference(let value): value.description
        case .asset(let value): value.description
        case .list(let elements): "[\(elements.map(\.description).joined(separator: ", "))]"
        }
    }
}
