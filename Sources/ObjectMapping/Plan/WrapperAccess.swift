import CloudRecords

/// A wrapped property, read and written through its wrapper.
struct WrapperAccess<Wrapper: CloudPropertyWrapper>: PropertyAccess {
    let location: PropertyLocation<Wrapper>
    let codec: any FieldCodec<Wrapper.Value>

    var fieldType: CloudFieldType? { codec.fieldType }
    var isJSON: Bool { codec.isJSON }
    var valueType: Any.Type { Wrapper.Value.self }

    func read(from object: AnyObject) throws -> FieldState {
        try codec.encode(location.load(from: object).wrappedValue)
    }

    func write(_ stored: CloudValue?, into object: AnyObject) throws {
        guard let value = try codec.value(of: stored) else { return }
        var wrapper = location.load(from: object)
        wrapper.wrappedValue = value
        location.store(wrapper, into: object)
    }

    func standIn(for stored: CloudValue) -> FieldState? { codec.standIn(for: stored) }

    func state(of value: Any) throws -> FieldState? {
        guard let value = value as? Wrapper.Value else { return nil }
        return try codec.encode(value)
    }

    func writeProbe(_ which: Bool, into object: AnyObject) -> FieldState? {
        guard let probes = codec.probes else { return nil }
        var wrapper = location.load(from: object)
        wrapper.wrappedValue = which ? probes.1 : probes.0
        location.store(wrapper, into: object)
        // The wrapper may have changed the value: what it gives back is what a key path will read.
        return try? codec.encode(location.load(from: object).wrappedValue)
    }
}
