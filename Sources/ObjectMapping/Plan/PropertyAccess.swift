import CloudRecords

/// One property of a class with its codec, seen without the property's type.
protocol PropertyAccess: Sendable {
    var fieldType: CloudFieldType? { get }
    var isJSON: Bool { get }

    /// The type that a key path to the property has as its value.
    var valueType: Any.Type { get }

    func read(from object: AnyObject) throws -> FieldState

    /// Writes a field's value; nil stands for null.
    func write(_ stored: CloudValue?, into object: AnyObject) throws

    /// The field of the stand-in that is loaded for a stored value which this build doesn't know; nil if it knows it.
    func standIn(for stored: CloudValue) -> FieldState?

    /// The field of a value of the property's type; nil if the value is of another type.
    func state(of value: Any) throws -> FieldState?

    /// Writes one of two recognisable values, and returns the field of what is read back; nil if there is no such value.
    func writeProbe(_ which: Bool, into object: AnyObject) -> FieldState?
}

extension FieldCodec {
    /// The value to write for a field, nil standing for null; nil if the property is to keep the value it has.
    func value(of stored: CloudValue?) throws -> Value? {
        do {
            if let stored { return try decode(stored) }
            return try decodeNull()
        } catch let unknown as UnknownRawValue {
            throw unknown.failure
        }
    }
}

extension FieldCodec {
    func standIn(for stored: CloudValue) -> FieldState? {
        guard isUnknown(stored), let value = try? decode(stored) else { return nil }
        return try? encode(value)
    }
}

/// A property that is read and written directly.
struct DirectAccess<Value>: PropertyAccess {
    let location: PropertyLocation<Value>
    let codec: any FieldCodec<Value>

    var fieldType: CloudFieldType? { codec.fieldType }
    var isJSON: Bool { codec.isJSON }
    var valueType: Any.Type { Value.self }

    func read(from object: AnyObject) throws -> FieldState {
        try codec.encode(location.load(from: object))
    }

    func write(_ stored: CloudValue?, into object: AnyObject) throws {
        guard let value = try codec.value(of: stored) else { return }
        location.store(value, into: object)
    }

    func standIn(for stored: CloudValue) -> FieldState? { codec.standIn(for: stored) }

    func state(of value: Any) throws -> FieldState? {
        guard let value = value as? Value else { return nil }
        return try codec.encode(value)
    }

    func writeProbe(_ which: Bool, into object: AnyObject) -> FieldState? {
        guard let probes = codec.probes else { return nil }
        let value = which ? probes.1 : probes.0
        location.store(value, into: object)
        return try? codec.encode(value)
    }
}

/// A `lazy` property, through its storage.
struct LazyAccess<Evaluated>: PropertyAccess {
    let location: PropertyLocation<Evaluated?>
    let codec: any FieldCodec<Evaluated>

    var fieldType: CloudFieldType? { codec.fieldType }
    var isJSON: Bool { codec.isJSON }
    var valueType: Any.Type { Evaluated.self }

    /// An unevaluated property is absent: it is never evaluated to be kept, and what is stored is left alone.
    func read(from object: AnyObject) throws -> FieldState {
        guard let value = location.load(from: object) else { return .absent }
        return try codec.encode(value)
    }

    func write(_ stored: CloudValue?, into object: AnyObject) throws {
        guard let value = try codec.value(of: stored) else { return }
        location.store(value, into: object)
    }

    func standIn(for stored: CloudValue) -> FieldState? { codec.standIn(for: stored) }

    func state(of value: Any) throws -> FieldState? {
        guard let value = value as? Evaluated else { return nil }
        return try codec.encode(value)
    }

    func writeProbe(_ which: Bool, into object: AnyObject) -> FieldState? {
        guard let probes = codec.probes else { return nil }
        let value = which ? probes.1 : probes.0
        location.store(value, into: object)
        return try? codec.encode(value)
    }
}
