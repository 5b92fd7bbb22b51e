import CloudRecords

/// A key path as the key of a cache.
///
/// Unchecked, and sound: a key path is immutable, and only those that lead to a stored property are kept, which capture
/// nothing. Looking one up compares and hashes it on the caller's thread.
struct KeptKeyPath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
}

/// A field that a key path leads to, and how a value of the key path's type is kept in it.
struct KeyPathField: Sendable {
    let name: String
    private let encode: @Sendable (Any) throws -> FieldState?

    init(name: String, encode: @escaping @Sendable (Any) throws -> FieldState?) {
        self.name = name
        self.encode = encode
    }

    /// The field of a value; nil if the value is of another type.
    func state(of value: Any) throws -> FieldState? {
        do {
            return try encode(value)
        } catch let failure as CodecFailure {
            throw CloudError(
                .invalidArguments,
                "Field \(name): \(failure.message).",
                remedy: failure.remedy,
                field: name
            )
        }
    }
}

extension MappingPlan {
    /// The field that a key path leads to.
    ///
    /// A key path can't be asked for the name of its property. So recognisable values are written into a fresh object,
    /// a different pattern for each property, and read back through the key path: the pattern names the property.
    /// This holds for final and open classes, wrapped, lazy and embedded properties alike. The properties of other
    /// types take part too, so that a computed property which depends on one is not taken for the property that it
    /// happens to give. The answer is kept.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if the key path leads to no mapped property.
    func field<Root: CloudDataObject, Value>(for keyPath: KeyPath<Root, Value>) throws -> KeyPathField {
        try field(for: keyPath, of: Root.self)
    }

    /// The same for a key path whose types are not known, on objects of the plan's class.
    func field(for keyPath: AnyKeyPath, of type: CloudDataObject.Type) throws -> KeyPathField {
        let kept = KeptKeyPath(keyPath: keyPath)
        if let field = keyPathFields.withLock({ $0[kept] }) { return field }
        guard let field = resolve(keyPath, in: type.init()) else {
            throw CloudError(
                .invalidArguments,
                "A key path of type \(Swift.type(of: keyPath).valueType) leads to no property of \(typeName) that is kept "
                    + "in a field.",
                remedy: "Use a stored property; for one of a type without two known values, write the field's name."
            )
        }
        keyPathFields.withLock { $0[kept] = field }
        return field
    }

    private func resolve(_ keyPath: AnyKeyPath, in probe: CloudDataObject) -> KeyPathField? {
        let valueType = type(of: keyPath).valueType
        let candidates = KeyPathCandidate.systemFields + KeyPathCandidate.fields(of: steps, in: layout, reach: { $0 })
        let bits = max(1, Int.bitWidth - candidates.count.leadingZeroBitCount)
        var remaining = candidates.enumerated().filter { $0.element.isReadable(as: valueType) }
        for bit in 0..<bits {
            // Each pattern and its complement, so that a computed property that never changes is not taken for a field.
            for isComplement in [false, true] {
                var expected: [Int: FieldState] = [:]
                for (index, candidate) in candidates.enumerated() {
                    let isSet = ((index + 1) >> bit) & 1 == 1
                    expected[index] = candidate.writeProbe(probe, isSet != isComplement)
                }
                // Nil only when the key path is not one of the probe's class.
                guard let value = probe[keyPath: keyPath] else { return nil }
                remaining = remaining.filter { index, candidate in
                    guard let expected = expected[index], let actual = try? candidate.field.state(of: value) else {
                        return false
                    }
                    return expected == actual
                }
            }
        }
        return remaining.count == 1 ? remaining.first?.element.field : nil
    }
}

/// A property that a key path may lead to.
private struct KeyPathCandidate {
    let field: KeyPathField
    let valueType: Any.Type
    /// The type that a key path through an optional embedded object has.
    let optionalValueType: Any.Type
    let writeProbe: (CloudDataObject, Bool) -> FieldState?

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
                field: KeyPathField(name: layout.names[step.slot], encode: step.access.state(of:)),
                valueType: step.access.valueType,
                optionalValueType: optionalType(of: step.access.valueType),
                writeProbe: { object, which in
                    reach(object).flatMap { step.access.writeProbe(which, into: $0) }
                }
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
        return KeyPathCandidate(
            field: KeyPathField(name: field.rawValue) { value in
                guard let value = value as? Value else { return nil }
                return try codec?.encode(value)
            },
            valueType: Value.self,
            optionalValueType: optionalType(of: Value.self),
            writeProbe: { object, which in
                guard let codec, probes.count > 1 else { return nil }
                let value = probes[which ? 1 : 0]
                object[keyPath: keyPath] = value
                return try? codec.encode(value)
            }
        )
    }

    private static func optionalType(of type: Any.Type) -> Any.Type {
        func wrap<Value>(_ type: Value.Type) -> Any.Type { Value?.self }
        return wrap(type)
    }
}
