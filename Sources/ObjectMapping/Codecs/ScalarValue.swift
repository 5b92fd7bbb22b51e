import CloudRecords
import Foundation

/// A type that is kept in a field as one value, without help.
protocol ScalarValue: CloudValueConvertible {
    static var fieldType: CloudFieldType { get }

    /// Different values, at least two: odd ones, so that what a computed property makes of them is told from them.
    static var probes: [Self] { get }

    /// Values at which a computed property often departs from the stored one that it gives otherwise. They are moderate,
    /// so that a getter can reckon with them.
    static var edges: [Self] { get }

    /// Whether a field can hold the value; what is not a number in text would not be caught later.
    var isStorable: Bool { get }

    /// The value that a field holds.
    static func decode(_ stored: CloudValue) throws -> Self
}

extension ScalarValue {
    var isStorable: Bool { true }
}

struct ScalarCodec<Value: ScalarValue>: FieldCodec {
    var fieldType: CloudFieldType? { Value.fieldType }

    var jsonForm: JSONForm { Value.self == Bool.self ? .bool : .plain }

    func encode(_ value: Value) throws -> FieldState {
        guard value.isStorable else {
            throw CodecFailure("the value \(value) can't be stored", remedy: "Use a number, or nil for \"none\".")
        }
        do {
            return try value.toCloudValue().map(FieldState.value) ?? .null
        } catch let error as CloudError {
            throw CodecFailure(error.message, remedy: error.remedy)
        }
    }

    func decode(_ stored: CloudValue) throws -> Value { try Value.decode(stored) }

    var probes: [Value] { Value.probes }

    var edges: [Value] { Value.edges }
}

extension String: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: [String] { [" Pr\u{F6}be\tX ", "\n-7.25 \u{E9}\u{301}Zz"] }
    static var edges: [String] {
        // Empty, blank, short, and longer than any limit that a getter cuts at.
        ["", " ", "\n", "0", "a", "B.", String(repeating: "Long t\u{E9}xt, 1. ", count: 600)]
    }
    static func decode(_ stored: CloudValue) throws -> String {
        guard case .string(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "text") }
        return value
    }
}

extension Bool: ScalarValue {
    static var fieldType: CloudFieldType { .int64 }
    static var probes: [Bool] { [false, true] }
    static var edges: [Bool] { [false, true] }
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
    // The wide ones are for wrappers that keep a number within a range.
    static var probes: [Self] {
        // Small enough for a getter to reckon with them, and last those that a wrapper with odd limits tells apart.
        let odd: [Int] = bitWidth > 8 ? [12_345, isSigned ? -7_919 : 7] : [61, isSigned ? -53 : 7]
        return odd.map { Self(truncatingIfNeeded: $0) } + [0, 1, .max, .min]
    }
    static var edges: [Self] {
        let small: [Self] = [0, 1, 2, 10, 100] + (isSigned ? [-1, -100].map { Self(truncatingIfNeeded: $0) } : [])
        guard bitWidth > 16 else { return small }
        // The square of each fits into the type.
        let large = bitWidth > 32 ? 1_000_000_000 : 30_000
        return small + (isSigned ? [large, -large] : [large]).map { Self(truncatingIfNeeded: $0) }
    }
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
    static var probes: [Double] { [123_456.789, -98_765.432, 0, 1, 1_000_000, -1_000_000] }
    static var edges: [Double] { [0, 1, -1, 0.5, -0.001, 10, 100, 1_000_000_000, -1_000_000_000] }
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
    static var probes: [Float] { [1_234.75, -9_876.5, 0, 1, 1_000_000, -1_000_000] }
    static var edges: [Float] { [0, 1, -1, 0.5, -0.001, 10, 100, 1_000_000, -1_000_000] }
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
    static var probes: [Decimal] { [0, 1] }
    static var edges: [Decimal] { [-1, Decimal(5) / 10, -Decimal(1) / 1_000, 100, 1_000_000_000, -1_000_000_000] }
    var isStorable: Bool { isFinite }
    static func decode(_ stored: CloudValue) throws -> Decimal {
        // The initialiser reads as far as it understands, so the whole text has to be a number first.
        guard let text = stored.stringValue, text.wholeMatch(of: /[+-]?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?/) != nil,
            let value = Decimal(string: text), value.isFinite
        else { throw CodecFailure.mismatch(stored, expected: "the text of a decimal number") }
        return value
    }
}

extension Date: ScalarValue {
    static var fieldType: CloudFieldType { .date }
    static var probes: [Date] {
        [Date(timeIntervalSinceReferenceDate: 0), Date(timeIntervalSinceReferenceDate: 1)]
    }
    static var edges: [Date] {
        [.distantPast, .distantFuture, Date(timeIntervalSince1970: 0), Date(timeIntervalSinceReferenceDate: -0.5)]
    }
    static func decode(_ stored: CloudValue) throws -> Date {
        guard case .date(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "a date") }
        return value
    }
}

extension Data: ScalarValue {
    static var fieldType: CloudFieldType { .bytes }
    static var probes: [Data] { [Data(), Data([1])] }
    static var edges: [Data] { [Data([0]), Data("text".utf8), Data(repeating: 7, count: 10_000)] }
    static func decode(_ stored: CloudValue) throws -> Data {
        guard case .bytes(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "bytes") }
        return value
    }
}

extension UUID: ScalarValue {
    static var fieldType: CloudFieldType { .string }
    static var probes: [UUID] {
        [
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)),
            UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)),
        ]
    }
    static var edges: [UUID] {
        [UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255))]
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
    static var probes: [URL] { [URL(filePath: "/0"), URL(filePath: "/1")] }
    static var edges: [URL] {
        ["https://Example.org:80/a%20b/?c=d#e", "http://example.org", "mailto:a@b", "a"].compactMap {
            URL(string: $0, encodingInvalidCharacters: false)
        }
    }
    static func decode(_ stored: CloudValue) throws -> URL {
        // Not the lenient initialiser, which would escape what is no URL and load another text than is stored.
        guard let text = stored.stringValue, let value = URL(string: text, encodingInvalidCharacters: false) else {
            throw CodecFailure.mismatch(stored, expected: "the text of a URL")
        }
        return value
    }
}

extension CloudLocation: ScalarValue {
    static var fieldType: CloudFieldType { .location }
    static var probes: [CloudLocation] {
        [CloudLocation(latitude: 0, longitude: 0), CloudLocation(latitude: 1, longitude: 0)]
    }
    static var edges: [CloudLocation] {
        [
            CloudLocation(latitude: -90, longitude: 180),
            CloudLocation(latitude: 52.123_456_789, longitude: -4.3, altitude: -3, horizontalAccuracy: -1),
        ]
    }
    static func decode(_ stored: CloudValue) throws -> CloudLocation {
        guard case .location(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "a location") }
        return value
    }
}

extension CloudReference: ScalarValue {
    static var fieldType: CloudFieldType { .reference }
    static var probes: [CloudReference] {
        [CloudReference(recordID: CloudRecordID("0")), CloudReference(recordID: CloudRecordID("1"))]
    }
    static var edges: [CloudReference] {
        [
            CloudReference(recordID: CloudRecordID("0"), action: .deleteSelf),
            CloudReference(recordID: CloudRecordID("0", zone: CloudZoneID("zone"))),
        ]
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
    static var probes: [CloudRecordID] { [CloudRecordID("0"), CloudRecordID("1")] }
    static var edges: [CloudRecordID] { [CloudRecordID(""), CloudRecordID("0", zone: CloudZoneID("zone"))] }
    static func decode(_ stored: CloudValue) throws -> CloudRecordID {
        try CloudReference.decode(stored).recordID
    }
}

extension CloudAsset: ScalarValue {
    static var fieldType: CloudFieldType { .asset }
    static var probes: [CloudAsset] {
        [CloudAsset(fileURL: URL(filePath: "/0")), CloudAsset(fileURL: URL(filePath: "/1"))]
    }
    static var edges: [CloudAsset] { [CloudAsset(fileURL: URL(filePath: "/folder/Name.txt"))] }
    static func decode(_ stored: CloudValue) throws -> CloudAsset {
        guard case .asset(let value) = stored else { throw CodecFailure.mismatch(stored, expected: "an asset") }
        return value
    }
}
