import CloudRecords

/// An enum, or another type, that is kept as its raw value.
struct RawValueCodec<Value: RawRepresentable>: FieldCodec, RawValueCoding {
    let raw: any FieldCodec<Value.RawValue>
    /// What is loaded for a raw value that this build does not know, as a field; nil if the type names no such case.
    let fallback: CloudValue?

    var fieldType: CloudFieldType? { raw.fieldType }
    var jsonForm: JSONForm { raw.jsonForm }
    var hasStandIns: Bool { fallback != nil }

    func encode(_ value: Value) throws -> FieldState {
        try raw.encode(value.rawValue)
    }

    func decode(_ stored: CloudValue) throws -> Value {
        if let value = Value(rawValue: try raw.decode(stored)) { return value }
        guard let fallback, let value = Value(rawValue: try raw.decode(fallback)) else {
            throw UnknownRawValue(stored: stored, typeName: "\(Value.self)")
        }
        return value
    }

    func isUnknown(_ stored: CloudValue) -> Bool {
        guard let rawValue = try? raw.decode(stored) else { return false }
        return Value(rawValue: rawValue) == nil
    }

    var probes: [Value] {
        let values = raw.probes.compactMap(Value.init(rawValue:))
        if values.count > 1 { return values }
        return twoDistinctCases(of: Value.self).map { [$0.0, $0.1] } ?? values
    }

    var edges: [Value] {
        // All cases, if the type can name them.
        let cases = (Value.self as? any CaseIterable.Type).map { allCases(of: $0) } ?? []
        return cases.compactMap { $0 as? Value } + raw.edges.compactMap(Value.init(rawValue:))
    }
}

private func allCases<Enumeration: CaseIterable>(of type: Enumeration.Type) -> [Any] {
    Array(type.allCases)
}

/// A codec of raw values, seen without their type: in an optional, nil stands for those that this build doesn't know.
protocol RawValueCoding {}

/// A raw value without a case in this build.
struct UnknownRawValue: Error {
    let stored: CloudValue
    let typeName: String

    var failure: CodecFailure {
        CodecFailure(
            "the stored value \(stored) is no case of \(typeName)",
            remedy: "Make the property optional, or let the enum conform to CloudFallback."
        )
    }
}
