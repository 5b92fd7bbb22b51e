import CloudRecords

/// A property that a key path may lead to.
struct KeyPathCandidate {
    let field: KeyPathField
    let valueType: Any.Type
    /// The type that a key path through an optional embedded object has.
    let optionalValueType: Any.Type
    let writeProbe: (CloudDataObject, Bool) -> FieldState?
    /// What writes each value at which computed properties often depart from stored ones.
    let edgeWriters: [(CloudDataObject) -> FieldState?]

    func isReadable(as type: Any.Type) -> Bool {
        valueType == type || optionalValueType == type
    }

    static func fields(
        of steps: MappingSteps,
        in layout: FieldLayout,
        reach: @escaping (AnyObject) -> AnyObject?
    ) -> [KeyPathCandidate] {
        let own = steps.fields.map { step in
            KeyPathCandidate(
                field: KeyPathField(
                    name: layout.names[step.slot],
                    isJSON: step.access.jsonForm == .json,
                    encode: step.access.state(of:)
                ),
                valueType: step.access.valueType,
                optionalValueType: optionalType(of: step.access.valueType),
                writeProbe: { object, which in
                    reach(object).flatMap { step.access.writeProbe(which, into: $0) }
                },
                edgeWriters: step.access.edgeWriters.map { write in { reach($0).flatMap(write) } }
            )
        }
        let embedded = steps.embedded.flatMap { step in
            fields(of: step.steps, in: layout) { object in
                reach(object).map { step.location.load(from: $0) ?? step.location.storeNewObject(into: $0) }
            }
        }
        return own + embedded
    }

    /// The system fields, which are properties of the base class.
    static var systemFields: [KeyPathCandidate] {
        [
            systemField(.recordID, \.recordID),
            systemField(.creationDate, \.creationDate),
            systemField(.modificationDate, \.modificationDate),
            systemField(.creatorUserRecordID, \.creatorUserRecordID),
            systemField(.lastModifiedUserRecordID, \.lastModifiedUserRecordID),
            systemField(.recordChangeTag, \.recordChangeTag),
        ]
    }

    private static func systemField<Value>(
        _ field: SystemField,
        _ keyPath: ReferenceWritableKeyPath<CloudDataObject, Value>
    ) -> KeyPathCandidate {
        let codec = CodecSelection.codec(for: Value.self)
        let probes = codec?.probes ?? []
        func write(_ value: Value, into object: CloudDataObject) -> FieldState? {
            object[keyPath: keyPath] = value
            return try? codec?.encode(value)
        }
        return KeyPathCandidate(
            field: KeyPathField(name: field.rawValue) { value in
                guard let value = value as? Value else { return nil }
                return try codec?.encode(value)
            },
            valueType: Value.self,
            optionalValueType: optionalType(of: Value.self),
            writeProbe: { object, which in
                probes.count > 1 ? write(probes[which ? 1 : 0], into: object) : nil
            },
            edgeWriters: (codec?.edges ?? []).map { edge in { write(edge, into: $0) } }
        )
    }

    private static func optionalType(of type: Any.Type) -> Any.Type {
        func wrap<Value>(_ type: Value.Type) -> Any.Type { Value?.self }
        return wrap(type)
    }
}

/// A property with an embedded object or nil that a key path may lead to.
struct EmbeddedKeyPathCandidate {
    /// The field that tells an object from nil.
    let field: KeyPathField
    let location: EmbeddedObjectLocation
    /// The object that has the property.
    let owner: (CloudDataObject) -> AnyObject?

    static func list(
        of steps: MappingSteps,
        in layout: FieldLayout,
        reach: @escaping (AnyObject) -> AnyObject?
    ) -> [EmbeddedKeyPathCandidate] {
        steps.embedded.flatMap { step in
            let inner = list(of: step.steps, in: layout) { object in
                reach(object).map { step.location.load(from: $0) ?? step.location.storeNewObject(into: $0) }
            }
            guard let presenceSlot = step.presenceSlot else { return inner }
            let field = KeyPathField(name: layout.names[presenceSlot]) { value in
                if value is CloudEmbeddedObject { return .value(.int64(1)) }
                return (value as? any OptionalType)?.isNil == true ? .null : nil
            }
            return [EmbeddedKeyPathCandidate(field: field, location: step.location, owner: reach)] + inner
        }
    }
}
