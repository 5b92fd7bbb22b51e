import CloudRecords

/// How values of one Swift type are kept in a field.
///
/// Codecs throw ``CodecFailure``, which knows nothing of records and fields; the plan adds those.
protocol FieldCodec<Value>: Sendable {
    associatedtype Value

    /// The type of the field, if it is known before there is a value.
    var fieldType: CloudFieldType? { get }

    /// The field of a value. ``FieldState/absent`` leaves what is stored alone.
    func encode(_ value: Value) throws -> FieldState

    /// The value of a field that is not null.
    func decode(_ stored: CloudValue) throws -> Value

    /// The value of a field that is null; nil if the property then keeps the value it has.
    func decodeNull() throws -> Value?

    /// Whether ``decode(_:)`` may give a stand-in for a stored value.
    var hasStandIns: Bool { get }

    /// Whether a stored value is one that this build does not know, so that ``decode(_:)`` gave a stand-in for it.
    func isUnknown(_ stored: CloudValue) -> Bool

    /// Different values, by which a key path is recognised; empty if there is no way to make any.
    var probes: [Value] { get }

    /// Values at which a computed property often departs from the stored one that it gives otherwise: the empty text,
    /// zero, nil. Empty for a conversion of the app's own, which may not take every value.
    var edges: [Value] { get }

    /// Whether the value can be an element of a list field.
    var isSingleValue: Bool { get }

    /// How the field appears in the JSON form of its object.
    var jsonForm: JSONForm { get }
}

extension FieldCodec {
    func decodeNull() -> Value? { nil }
    var hasStandIns: Bool { false }
    func isUnknown(_ stored: CloudValue) -> Bool { false }
    var probes: [Value] { [] }
    var edges: [Value] { [] }
    var isSingleValue: Bool { true }
    var jsonForm: JSONForm { .plain }
}

/// How a field appears in the JSON form of its object.
enum JSONForm: Sendable {
    /// As its value.
    case plain
    /// As true and false, which fields hold as 1 and 0.
    case bool
    /// As the JSON that its text is.
    case json
}

/// Why a value can't be mapped, in words that follow "record r, field f: ".
struct CodecFailure: Error {
    let message: String
    let remedy: String

    init(_ message: String, remedy: String) {
        self.message = message
        self.remedy = remedy
    }

    /// The failure of a stored value that is of another type than the property needs.
    static func mismatch(_ stored: CloudValue, expected: String) -> CodecFailure {
        CodecFailure(
            "the stored value \(stored) is \(stored.fieldType.nameWithArticle), not \(expected)",
            remedy: "Correct the stored value, or convert it with a field rule."
        )
    }
}

/// A conversion that the app supplies for one property.
struct ConvertingCodec<Value>: FieldCodec {
    let fieldType: CloudFieldType?
    let encoding: @Sendable (Value) throws -> CloudValue?
    let decoding: @Sendable (CloudValue?) throws -> Value

    func encode(_ value: Value) throws -> FieldState {
        try encoding(value).map(FieldState.value) ?? .null
    }

    func decode(_ stored: CloudValue) throws -> Value { try decoding(stored) }

    func decodeNull() throws -> Value? { .some(try decoding(nil)) }

    var probes: [Value] { CodecSelection.codec(for: Value.self)?.probes ?? [] }

    var isSingleValue: Bool { false }
}
