import CloudRecords

/// A stored property as its author named it: without the marks that wrappers, `lazy` and `@Observable` leave.
struct MappedProperty {
    private enum Storage {
        case plain, wrapped, lazy
    }

    let stored: TypeLayout.Property
    let name: String
    private let storage: Storage

    private static let lazyPrefix = "$__lazy_storage_$_"

    /// The properties of a class, without the registrars of `@Observable`.
    static func list(of layout: TypeLayout) -> [MappedProperty] {
        let observableClasses = layout.properties.filter(\.isObservationRegistrar).map(\.declaringClass)
        return layout.properties.filter { !$0.isObservationRegistrar }.map { property in
            MappedProperty(
                property,
                isObservable: observableClasses.contains { $0 == property.declaringClass }
            )
        }
    }

    private init(_ property: TypeLayout.Property, isObservable: Bool) {
        stored = property
        let storedName = property.storedName
        if storedName.hasPrefix(Self.lazyPrefix) {
            storage = .lazy
            name = String(storedName.dropFirst(Self.lazyPrefix.count))
        } else if storedName.hasPrefix("_"), property.type is any CloudPropertyWrapper.Type {
            storage = .wrapped
            name = String(storedName.dropFirst())
        } else if storedName.hasPrefix("_"), isObservable {
            storage = .plain
            name = String(storedName.dropFirst())
        } else {
            storage = .plain
            name = storedName
        }
    }

    /// Whether a rule for this name means this property, if none has this very name: one in a wrapper that is not
    /// known as such is stored with an underscore.
    func isStored(as name: String) -> Bool {
        stored.storedName == name || stored.storedName == "_" + name
    }

    /// The property as an embedded object, if it is one.
    var embeddedObject: EmbeddedObjectLocation? {
        EmbeddedObjectLocation(stored, isLazy: storage == .lazy)
    }

    /// The property as one of the most frequent types, if it is one and is stored as such.
    var directProperty: DirectProperty? {
        storage == .plain ? DirectProperty(stored) : nil
    }

    /// Constants and weak references are not mapped.
    var isMappable: Bool { stored.isVar && stored.isStrong }

    /// Whether the property holds mapped objects, alone or in a collection.
    var holdsDataObjects: Bool {
        var type = stored.type
        while let container = type as? any ElementContaining.Type { type = container.elementType }
        return type is CloudDataObject.Type || type is CloudEmbeddedObject.Type
    }

    /// The access to the property; nil if there is none for its type.
    func access(converting codec: (any FieldCodec)?) -> (any PropertyAccess)? {
        switch storage {
        case .plain:
            return Self.directAccess(to: stored, of: stored.type, converting: codec)
        case .wrapped:
            guard let type = stored.type as? any CloudPropertyWrapper.Type else { return nil }
            return Self.wrapperAccess(to: stored, of: type, converting: codec)
        case .lazy:
            return (stored.type as? any OptionalType.Type)?.lazyAccess(to: stored, converting: codec)
        }
    }

    private static func directAccess<Value>(
        to property: TypeLayout.Property,
        of type: Value.Type,
        converting codec: (any FieldCodec)?
    ) -> (any PropertyAccess)? {
        guard let codec = codec.map({ $0 as? any FieldCodec<Value> }) ?? CodecSelection.codec(for: type),
            let location = PropertyLocation<Value>(property)
        else { return nil }
        return DirectAccess(location: location, codec: codec)
    }

    private static func wrapperAccess<Wrapper: CloudPropertyWrapper>(
        to property: TypeLayout.Property,
        of type: Wrapper.Type,
        converting codec: (any FieldCodec)?
    ) -> (any PropertyAccess)? {
        guard
            let codec = codec.map({ $0 as? any FieldCodec<Wrapper.Value> })
                ?? CodecSelection.codec(for: Wrapper.Value.self),
            let location = PropertyLocation<Wrapper>(property)
        else { return nil }
        return WrapperAccess(location: location, codec: codec)
    }
}

extension TypeLayout.Property {
    /// Whether `@Observable` made this property for its own use.
    var isObservationRegistrar: Bool { storedName == "_$observationRegistrar" }
}

/// An optional or a collection, seen without the type of its elements.
private protocol ElementContaining {
    static var elementType: Any.Type { get }
}

extension Optional: ElementContaining {
    fileprivate static var elementType: Any.Type { Wrapped.self }
}

extension Array: ElementContaining {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Set: ElementContaining {
    fileprivate static var elementType: Any.Type { Element.self }
}

extension Dictionary: ElementContaining {
    fileprivate static var elementType: Any.Type { Value.self }
}
