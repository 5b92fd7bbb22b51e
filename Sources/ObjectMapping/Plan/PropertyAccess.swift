import CloudRecords

/// One property of a class with its codec, seen without the property's type.
protocol PropertyAccess: Sendable {
    var fieldType: CloudFieldType? { get }
    var jsonForm: JSONForm { get }

    /// Whether a stored value that this build doesn't know may be loaded as a stand-in.
    var hasStandIns: Bool { get }

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

    /// For each of the values at which computed properties often depart from stored ones, what writes it and returns
    /// the field of what is read back, nil if the field can't hold it.
    ///
    /// Empty for a property that is written through code of the app, which may not take every value.
    var edgeWriters: [(AnyObject) -> FieldState?] { get }
}

/// The access to a property whose type is known, which knows where its values lie.
protocol TypedPropertyAccess<Value>: PropertyAccess {
    associatedtype Value

    var codec: any FieldCodec<Value> { get }

    /// The property's value; nil if there is none yet.
    func value(in object: AnyObject) -> Value?

    func setValue(_ value: Value, in object: AnyObject)
}

extension TypedPropertyAccess {
    var fieldType: CloudFieldType? { codec.fieldType }
    var jsonForm: JSONForm { codec.jsonForm }
    var hasStandIns: Bool { codec.hasStandIns }
    var valueType: Any.Type { Value.self }

    func read(from object: AnyObject) throws -> FieldState {
        guard let value = value(in: object) else { return .absent }
        return try codec.encode(value)
    }

    func write(_ stored: CloudValue?, into object: AnyObject) throws {
        do {
            if let stored {
                setValue(try codec.decode(stored), in: object)
            } else if let value = try codec.decodeNull() {
                setValue(value, in: object)
            }
        } catch let unknown as UnknownRawValue {
            throw unknown.failure
        }
    }

    func standIn(for stored: CloudValue) -> FieldState? {
        guard codec.isUnknown(stored), let value = try? codec.decode(stored) else { return nil }
        return try? codec.encode(value)
    }

    func state(of value: Any) throws -> FieldState? {
        if let value = value as? Value { return try codec.encode(value) }
        // A key path through an optional embedded object gives nil where the field is null.
        if let optional = value as? any OptionalType, optional.isNil { return .null }
        return nil
    }

    func writeProbe(_ which: Bool, into object: AnyObject) -> FieldState? {
        // A wrapper may change what is written to it: what it gives back is what a key path will read, and two probes
        // are needed that it gives back differently.
        let probes = codec.probes
        guard let first = probes.first, let firstState = exchange(first, in: object) else { return nil }
        for second in probes.dropFirst() {
            guard let secondState = exchange(second, in: object), secondState != firstState else { continue }
            return which ? secondState : exchange(first, in: object)
        }
        return nil
    }

    var edgeWriters: [(AnyObject) -> FieldState?] {
        codec.edges.map { edge in { self.exchange(edge, in: $0) } }
    }

    private func exchange(_ value: Value, in object: AnyObject) -> FieldState? {
        setValue(value, in: object)
        return try? read(from: object)
    }
}

/// A property that is read and written directly.
struct DirectAccess<Value>: TypedPropertyAccess {
    let location: PropertyLocation<Value>
    let codec: any FieldCodec<Value>

    func value(in object: AnyObject) -> Value? { location.load(from: object) }

    // Without the detour over an optional, whose type would have to be looked up for each value.
    func read(from object: AnyObject) throws -> FieldState { try codec.encode(location.load(from: object)) }

    func setValue(_ value: Value, in object: AnyObject) { location.store(value, into: object) }
}

/// A `lazy` property, through its storage.
///
/// An unevaluated property is absent: it is never evaluated to be kept, and what is stored is left alone.
struct LazyAccess<Value>: TypedPropertyAccess {
    let location: PropertyLocation<Value?>
    let codec: any FieldCodec<Value>

    func value(in object: AnyObject) -> Value? { location.load(from: object) }

    func setValue(_ value: Value, in object: AnyObject) { location.store(value, into: object) }
}

/// A wrapped property, read and written through its wrapper.
struct WrapperAccess<Wrapper: CloudPropertyWrapper>: TypedPropertyAccess {
    let location: PropertyLocation<Wrapper>
    let codec: any FieldCodec<Wrapper.Value>

    var edgeWriters: [(AnyObject) -> FieldState?] { [] }

    func value(in object: AnyObject) -> Wrapper.Value? { location.load(from: object).wrappedValue }

    func setValue(_ value: Wrapper.Value, in object: AnyObject) {
        var wrapper = location.load(from: object)
        wrapper.wrappedValue = value
        location.store(wrapper, into: object)
    }
}
