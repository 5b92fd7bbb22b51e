import CloudRecords
import Foundation

/// A type that is kept in a field as one value, without help.
protocol ScalarValue: CloudValueConvertible {
    static var fieldType: CloudFieldType { get }

    /// Two different values.
    static var probes: (Self, Self) { get }

    /// The value that a field holds.
    static func decode(_ stored: CloudValue) throws -> Self
}

struct ScalarCodec<Value: ScalarValue>: FieldCodec {
    var fieldType: CloudFieldType? { Value.fieldType }

    func encode(_ value: Value) throws -> FieldState {
        do {
            return try value.toCloudValue().map(FieldState.value) ?? .null
        } catch let error as CloudError {
            throw CodecFailure(error.message, remedy: error.remedy)
        }
    }

    func decode(_ stored: CloudValue) throws -> Value { try Value.decode(stored) }

    var probes: (Value, Value)? { Value.probes }
}

extension String: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: (String, String) { ("", "probe") }
    static func decode(_ stored: CloudValue) throws -> String {
        guard case .string(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "text") }
        return value
    }
}

extension Bool: ScalarValue {
    static var fieldType: CloudFieldType { .int64 }
    static var probes: (Bool, Bool) { (false, true) }
    static func decode(_ stored: CloudValue) throws -> Bool {
        switch stored {
        case .int64(0): return false
        case .int64(1): return true
        default: throw CodecFailure.mismatch(stored, expected: "0 or 1 for a Bool")
        }
    }
}

extension ScalarValue where Self: FixedWidthInteger {
    static var fieldType: CloudFieldType { .int64 }
    static var probes: (Self, Self) { (0, 1) }
    static func decode(_ stored: CloudValue) throws -> Self {
        guard case .int64(let number) = stored else {
            throw CodecFailure.mismatch(stored, expected: "an integer")
        }
        guard let value = Self(exactly: number) else {
            throw CodecFailure(
                "the stored number \(number) does not fit into \(Self.self)",
                remedy: "Give the property a wider type."
            )
        }
        return value
    }
}

extension Int: ScalarValue {}
extension Int8: ScalarValue {}
extension Int16: ScalarValue {}
extension Int32: ScalarValue {}
extension Int64: ScalarValue {}
extension UInt: ScalarValue {}
extension UInt8: ScalarValue {}
extension UInt16: ScalarValue {}
extension UInt32: ScalarValue {}
extension UInt64: ScalarValue {}

extension Double: ScalarValue {
    static var fieldType: CloudFieldType { .double }
    static var probes: (Double, Double) { (0, 1) }
    static func decode(_ stored: CloudValue) throws -> Double {
        switch stored {
        case .double(let value): return value
        case .int64(let number):
            guard let value = Double(exactly: number) else {
                throw CodecFailure.mismatch(stored, expected: "a number that a Double can hold")
            }
            return value
        default: throw CodecFailure.mismatch(stored, expected: "a number")
        }
    }
}

extension Float: ScalarValue {
    static var fieldType: CloudFieldType { .double }
    static var probes: (Float, Float) { (0, 1) }
    static func decode(_ stored: CloudValue) throws -> Float {
        let value = try Double.decode(stored)
        let narrowed = Float(value)
        guard narrowed.isFinite || !value.isFinite else {
            throw CodecFailure("the stored number \(value) does not fit into Float", remedy: "Use Double.")
        }
        return narrowed
    }
}

extension Decimal: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: (Decimal, Decimal) { (0, 1) }
    static func decode(_ stored: CloudValue) throws -> Decimal {
        // The initialiser reads as far as it understands: only text that it writes again in the same way is a number.
        guard let text = stored.stringValue, let value = Decimal(string: text), !text.isEmpty,
            text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) })
        else { throw CodecFailure.mismatch(stored, expected: "the text of a decimal number") }
        return value
    }
}

extension Date: ScalarValue {
    static var fieldType: CloudFieldType { .date }
    static var probes: (Date, Date) {
        (Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1))
    }
    static func decode(_ stored: CloudValue) throws -> Date {
        guard case .date(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "a date") }
        return value
    }
}

extension Data: ScalarValue {
    static var fieldType: CloudFieldType { .bytes }
    static var probes: (Data, Data) { (Data(), Data([1])) }
    static func decode(_ stored: CloudValue) throws -> Data {
        guard case .bytes(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "bytes") }
        return value
    }
}

extension UUID: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: (UUID, UUID) {
        (
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1))
        )
    }
    static func decode(_ stored: CloudValue) throws -> UUID {
        guard let value = stored.stringValue.flatMap(UUID.init(uuidString:)) else {
            throw CodecFailure.mismatch(stored, expected: "the text of a UUID")
        }
        return value
    }
}

extension URL: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: (URL, URL) { (URL(filePath: "/0"), URL(filePath: "/1")) }
    static func decode(_ stored: CloudValue) throws -> URL {
        guard let text = stored.stringValue, let value = URL(string: text) else {
            throw CodecFailure.mismatch(stored, expected: "the text of a URL")
        }
        return value
    }
}

extension CloudLocation: ScalarValue {
    static var fieldType: CloudFieldType { .location }
    static var probes: (CloudLocation, CloudLocation) {
        (CloudLocation(latitude: 0, longitude: 0), CloudLocation(latitude: 1, longitude: 0))
    }
    static func decode(_ stored: CloudValue) throws -> CloudLocation {
        guard case .location(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "a location") }
        return value
    }
}

extension CloudReference: ScalarValue {
    static var fieldType: CloudFieldType { .reference }
    static var probes: (CloudReference, CloudReference) {
        (CloudReference(recordID: CloudRecordID("0")), CloudReference(recordID: CloudRecordID("1")))
    }
    static func decode(_ stored: CloudValue) throws -> CloudReference {
        guard case .reference(let value) = stored else {
            throw CodecFailure.mismatch(stored, expected: "a reference")
        }
        return value
    }
}

extension CloudRecordID: ScalarValue {
    static var fieldType: CloudFieldType { .reference }
    static var probes: (CloudRecordID, CloudRecordID) { (CloudRecordID("0"), CloudRecordID("1")) }
    static func decode(_ stored: CloudValue) throws -> CloudRecordID {
        try CloudReference.decode(stored).recordID
    }
}

extension CloudAsset: ScalarValue {
    static var fieldType: CloudFieldType { .asset }
    static var probes: (CloudAsset, CloudAsset) {
        (CloudAsset(fileURL: URL(filePath: "/0")), CloudAsset(fileURL: URL(filePath: "/1")))
    }
    static func decode(_ stored: CloudValue) throws -> CloudAsset {
        guard case .asset(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "an asset") }
        return value
    }
}
