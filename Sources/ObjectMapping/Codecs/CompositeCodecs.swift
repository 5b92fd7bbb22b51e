import CloudRecords

/// An optional: nil is null.
struct OptionalCodec<Wrapped>: FieldCodec {
    let wrapped: any FieldCodec<Wrapped>

    var fieldType: CloudFieldType? { wrapped.fieldType }
    var isSingleValue: Bool { false }
    var jsonForm: JSONForm { wrapped.jsonForm }
    var hasStandIns: Bool { wrapped.hasStandIns || wrapped is any RawValueCoding }

    func encode(_ value: Wrapped?) throws -> FieldState {
        guard let value else { return .null }
        return try wrapped.encode(value)
    }

    /// A raw value that this build doesn't know is nil, unless the enum names a stand-in.
    func decode(_ stored: CloudValue) throws -> Wrapped? {
        do {
            return try wrapped.decode(stored)
        } catch is UnknownRawValue {
            return nil
        }
    }

    func decodeNull() -> Wrapped?? { .some(nil) }

    func isUnknown(_ stored: CloudValue) -> Bool { wrapped.isUnknown(stored) }

    var probes: [Wrapped?] { wrapped.probes }

    var edges: [Wrapped?] { [nil] + wrapped.edges }
}

/// An array whose elements are single values.
struct ArrayCodec<Element>: FieldCodec {
    let element: any FieldCodec<Element>

    var fieldType: CloudFieldType? { .list(of: element.fieldType) }
    var isSingleValue: Bool { false }
    var jsonForm: JSONForm { element.jsonForm }
    var hasStandIns: Bool { element.hasStandIns }

    func encode(_ value: [Element]) throws -> FieldState {
        .value(.list(try value.map { try encodedElement($0, by: element) }))
    }

    func decode(_ stored: CloudValue) throws -> [Element] {
        guard case .list(let values) = stored else { throw CodecFailure.mismatch(stored, expected: "a list") }
        return try decodedElements(values, by: element)
    }

    func isUnknown(_ stored: CloudValue) -> Bool {
        stored.listValue?.contains(where: element.isUnknown) ?? false
    }

    // Never empty, so that a key path with a subscript can be read.
    var probes: [[Element]] { element.probes.map { [$0] } }

    // Empty, in both orders, with doubles, long, and with the edges of the elements.
    var edges: [[Element]] {
        let probes = element.probes
        let long = probes.isEmpty ? [] : (0..<300).map { probes[$0 % probes.count] }
        return [[], probes, probes.reversed(), long] + element.edges.map { [$0] }
    }
}

/// A set of single values; kept as a list in a fixed order, so that equal sets are kept equally.
struct SetCodec<Element: Hashable>: FieldCodec {
    let element: any FieldCodec<Element>

    var fieldType: CloudFieldType? { .list(of: element.fieldType) }
    var isSingleValue: Bool { false }
    var jsonForm: JSONForm { element.jsonForm }
    var hasStandIns: Bool { element.hasStandIns }

    func encode(_ value: Set<Element>) throws -> FieldState {
        let values = try value.map { try encodedElement($0, by: element) }
        return .value(.list(values.sorted { $0.precedes($1) }))
    }

    func decode(_ stored: CloudValue) throws -> Set<Element> {
        guard case .list(let values) = stored else { throw CodecFailure.mismatch(stored, expected: "a list") }
        return Set(try decodedElements(values, by: element))
    }

    func isUnknown(_ stored: CloudValue) -> Bool {
        stored.listValue?.contains(where: element.isUnknown) ?? false
    }

    var probes: [Set<Element>] { element.probes.map { [$0] } }

    var edges: [Set<Element>] { [[], Set(element.probes + element.edges)] + element.edges.map { [$0] } }
}

private func encodedElement<Element>(_ value: Element, by codec: any FieldCodec<Element>) throws -> CloudValue {
    guard case .value(let encoded) = try codec.encode(value) else {
        throw CodecFailure("a list can't hold nil", remedy: "Leave the nil elements out of the list.")
    }
    return encoded
}

private func decodedElements<Element>(
    _ values: [CloudValue],
    by codec: any FieldCodec<Element>
) throws -> [Element] {
    try values.map { stored in
        do {
            return try codec.decode(stored)
        } catch let unknown as UnknownRawValue {
            throw unknown.failure
        }
    }
}
