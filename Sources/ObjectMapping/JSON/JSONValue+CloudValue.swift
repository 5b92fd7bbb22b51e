import CloudRecords
import Foundation

extension JSONValue {
    /// The JSON form of a field's value.
    ///
    /// - Throws: ``CodecFailure`` for a number that JSON can't hold.
    ///
    /// Dates are ISO 8601 text, or seconds since 2001 where that can't hold them; bytes are base64 text; references,
    /// locations and assets are objects.
    init(_ value: CloudValue) throws {
        switch value {
        case .string(let value): self = .string(value)
        case .int64(let value): self = .integer(value)
        case .double(let value):
            guard value.isFinite else { throw CodecFailure.notFinite(value) }
            self = .double(value)
        case .date(let value):
            guard value.timeIntervalSinceReferenceDate.isFinite else {
                throw CodecFailure.notFinite(value.timeIntervalSinceReferenceDate)
            }
            self = ISO8601Text.text(of: value).map(JSONValue.string) ?? .double(value.timeIntervalSinceReferenceDate)
        case .bytes(let value): self = .string(value.base64EncodedString())
        case .location(let value): self = try JSONValue(encoding: value)
        case .reference(let value): self = try JSONValue(encoding: value)
        case .asset(let value): self = try JSONValue(encoding: value)
        case .list(let elements): self = .array(try elements.map { try JSONValue($0) })
        }
    }

    /// The field's value of a JSON form, for a field of a type; nil if it does not fit.
    func cloudValue(of type: CloudFieldType?) -> CloudValue? {
        switch (type, self) {
        case (.string, .string(let value)), (nil, .string(let value)): .string(value)
        case (.int64, .integer(let value)), (nil, .integer(let value)): .int64(value)
        case (nil, .bool(let value)): .int64(value ? 1 : 0)
        case (.double, .double(let value)), (nil, .double(let value)): .double(value)
        case (.double, .integer(let value)): Double(exactly: value).map(CloudValue.double)
        case (.double, .decimal(let value)): .double(NSDecimalNumber(decimal: value).doubleValue)
        case (.date, .string(let text)): ISO8601Text.date(of: text).map(CloudValue.date)
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.date, .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.bytes, .string(let text)): Data(base64Encoded: text).map(CloudValue.bytes)
        case (.location, .object): decoded(CloudLocation.self).map(CloudValue.location)
        case (.reference, .object): decoded(CloudReference.self).map(CloudValue.reference)
        case (.asset, .object): decoded(CloudAsset.self).map(CloudValue.asset)
        case (.list(of: let element), .array(let values)): list(of: values, element)
        case (nil, .array(let values)): list(of: values, nil)
        default: nil
        }
    }

    /// The JSON form of a `Codable` value.
    init(encoding value: some Encodable) throws {
        self = try JSONValue.parse(try JSONEncoder().encode(value))
    }

    /// The `Codable` value of a JSON form; nil if it is of another shape.
    func decoded<Value: Decodable>(_ type: Value.Type) -> Value? {
        (try? data()).flatMap { try? JSONDecoder().decode(type, from: $0) }
    }

    /// The same document with 0 and 1 as false and true, alone or in a list.
    var numbersAsBools: JSONValue {
        switch self {
        case .integer(0): .bool(false)
        case .integer(1): .bool(true)
        case .array(let values): .array(values.map(\.numbersAsBools))
        default: self
        }
    }

    /// The same document with false and true as 0 and 1, alone or in a list.
    var boolsAsNumbers: JSONValue {
        switch self {
        case .bool(let value): .integer(value ? 1 : 0)
        case .array(let values): .array(values.map(\.boolsAsNumbers))
        default: self
        }
    }

    private func list(of values: [JSONValue], _ element: CloudFieldType?) -> CloudValue? {
        let elements = values.compactMap { $0.cloudValue(of: element) }
        return elements.count == values.count ? .list(elements) : nil
    }
}

extension CodecFailure {
    fileprivate static func notFinite(_ value: Double) -> CodecFailure {
        CodecFailure("JSON has no form for the number \(value)", remedy: "Use a finite number, or nil for \"none\".")
    }
}
