import CloudRecords

/// Chooses the codec of a property from its static type.
///
/// Conformances are looked up at run time, so that user types need no declaration. A conformance that is isolated to
/// an actor is found only on that actor: plans are built in the caller's isolation, and a failure is not remembered.
enum CodecSelection {
    /// The codec of a type; nil if the type can't be kept in one field.
    static func codec<Value>(for type: Value.Type) -> (any FieldCodec<Value>)? {
        erasedCodec(for: type) as? any FieldCodec<Value>
    }

    private static func erasedCodec(for type: Any.Type) -> (any FieldCodec)? {
        if let type = type as? any ScalarValue.Type { return scalarCodec(type) }
        if let type = type as? any CompositeType.Type, let codec = type.makeCodec() { return codec }
        if let type = type as? any RawRepresentable.Type, let codec = rawValueCodec(type) { return codec }
        if let type = type as? any Codable.Type { return jsonCodec(type) }
        return nil
    }

    private static func scalarCodec<Value: ScalarValue>(_ type: Value.Type) -> any FieldCodec {
        ScalarCodec<Value>()
    }

    private static func rawValueCodec<Value: RawRepresentable>(_ type: Value.Type) -> (any FieldCodec)? {
        guard let raw = codec(for: Value.RawValue.self), raw.isSingleValue else { return nil }
        let fallback = (type as? any CloudFallback.Type).flatMap { fallbackField($0, by: raw) }
        return RawValueCodec<Value>(raw: raw, fallback: fallback)
    }

    private static func fallbackField<Value: CloudFallback, RawValue>(
        _ type: Value.Type,
        by raw: any FieldCodec<RawValue>
    ) -> CloudValue? {
        guard let rawValue = Value.fallback.rawValue as? RawValue else { return nil }
        return (try? raw.encode(rawValue))?.value
    }

    private static func jsonCodec<Value: Codable>(_ type: Value.Type) -> any FieldCodec {
        JSONCodec<Value>()
    }
}

/// A type that is made of another one: an optional, an array or a set.
private protocol CompositeType {
    static func makeCodec() -> (any FieldCodec)?
}

/// An optional, seen without its wrapped type.
protocol OptionalType {
    static var wrappedType: Any.Type { get }

    var isNil: Bool { get }

    /// The access to a `lazy` property whose storage is of this type.
    static func lazyAccess(
        to property: TypeLayout.Property,
        converting codec: (any FieldCodec)?
    ) -> (any PropertyAccess)?
}

extension Optional: CompositeType, OptionalType {
    fileprivate static func makeCodec() -> (any FieldCodec)? {
        CodecSelection.codec(for: Wrapped.self).map { OptionalCodec(wrapped: $0) }
    }

    static var wrappedType: Any.Type { Wrapped.self }

    var isNil: Bool { self == nil }

    static func lazyAccess(
        to property: TypeLayout.Property,
        converting codec: (any FieldCodec)?
    ) -> (any PropertyAccess)? {
        guard let codec = codec.map({ $0 as? any FieldCodec<Wrapped> }) ?? CodecSelection.codec(for: Wrapped.self),
            let location = PropertyLocation<Wrapped?>(property)
        else { return nil }
        return LazyAccess(location: location, codec: codec)
    }
}

extension Array: CompositeType {
    // A list field holds single values only; any other array is JSON, if its elements allow that.
    fileprivate static func makeCodec() -> (any FieldCodec)? {
        guard let element = CodecSelection.codec(for: Element.self), element.isSingleValue else { return nil }
        return ArrayCodec(element: element)
    }
}

extension Set: CompositeType {
    fileprivate static func makeCodec() -> (any FieldCodec)? {
        guard let element = CodecSelection.codec(for: Element.self), element.isSingleValue else { return nil }
        return SetCodec(element: element)
    }
}
