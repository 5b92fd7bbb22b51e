import Foundation

/// A type whose values can stand in predicates and be kept in a record's field.
///
/// The types that the framework maps by itself conform. An enum or struct over one of them conforms with
/// an empty extension when it is `RawRepresentable`.
public protocol CloudValueConvertible {
    /// The value as a field holds it; nil stands for null.
    /// - Throws: ``CloudError/Code/invalidArguments`` if no field can hold it.
    func toCloudValue() throws -> CloudValue?
}

extension RawRepresentable where Self: CloudValueConvertible, RawValue: CloudValueConvertible {
    public func toCloudValue() throws -> CloudValue? { try rawValue.toCloudValue() }
}

extension String: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .string(self) }
}

extension Bool: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .int64(self ? 1 : 0) }
}

extension Double: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .double(self) }
}

extension Float: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .double(Double(self)) }
}

extension Decimal: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .string(description) }
}

extension Date: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .date(self) }
}

extension Data: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .bytes(self) }
}

extension UUID: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .string(uuidString) }
}

extension URL: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .string(absoluteString) }
}

extension CloudLocation: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .location(self) }
}

extension CloudReference: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .reference(self) }
}

extension CloudRecordID: CloudValueConvertible {
    /// A reference to the record, without an action.
    public func toCloudValue() -> CloudValue? { .reference(CloudReference(recordID: self)) }
}

extension CloudAsset: CloudValueConvertible {
    public func toCloudValue() -> CloudValue? { .asset(self) }
}

extension CloudValueConvertible where Self: BinaryInteger {
    public func toCloudValue() throws -> CloudValue? {
        guard let value = Int64(exactly: self) else {
            throw CloudError(
                .invalidArguments,
                "\(self) is too large for a field.",
                remedy: "Integers are kept as 64 bits with a sign; keep larger ones as text."
            )
        }
        return .int64(value)
    }
}

extension Int: CloudValueConvertible {}
extension Int8: CloudValueConvertible {}
extension Int16: CloudValueConvertible {}
extension Int32: CloudValueConvertible {}
extension Int64: CloudValueConvertible {}
extension UInt: CloudValueConvertible {}
extension UInt8: CloudValueConvertible {}
extension UInt16: CloudValueConvertible {}
extension UInt32: CloudValueConvertible {}
extension UInt64: CloudValueConvertible {}

extension Optional: CloudValueConvertible where Wrapped: CloudValueConvertible {
    public func toCloudValue() throws -> CloudValue? { try self?.toCloudValue() }
}

extension Array: CloudValueConvertible where Element: CloudValueConvertible {
    public func toCloudValue() throws -> CloudValue? { try CloudValue.list(ofElements: self) }
}

extension Set: CloudValueConvertible where Element: CloudValueConvertible {
    /// A list in a fixed order, so that equal sets give equal lists.
    public func toCloudValue() throws -> CloudValue? {
        guard case .list(let elements) = try CloudValue.list(ofElements: self) else { return nil }
        return .list(elements.sorted { $0.precedes($1) })
    }
}

/// Values that can stand after IN, nil among them, which no list in a field may hold.
protocol AlternativeValues {
    func alternatives() throws -> [CloudValue?]
}

extension Array: AlternativeValues where Element: CloudValueConvertible {
    func alternatives() throws -> [CloudValue?] { try map { try $0.toCloudValue() } }
}

extension Set: AlternativeValues where Element: CloudValueConvertible {
    /// In a fixed order, nil first.
    func alternatives() throws -> [CloudValue?] {
        try map { try $0.toCloudValue() }.sorted { left, right in
            guard let right else { return false }
            return left?.precedes(right) ?? true
        }
    }
}

extension CloudValue {
    fileprivate static func list(ofElements elements: some Sequence<some CloudValueConvertible>) throws -> CloudValue {
        .list(
            try elements.map { element in
                guard let value = try element.toCloudValue() else {
                    throw CloudError(
                        .invalidArguments,
                        "A list can't hold nil.",
                        remedy: "Leave the nil elements out of the list."
                    )
                }
                return value
            }
        )
    }
}
