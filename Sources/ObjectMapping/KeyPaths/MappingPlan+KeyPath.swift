import CloudRecords

/// A key path as the key of a cache.
///
/// Unchecked, and sound: a key path is immutable, and only those that lead to a stored property are kept, which capture
/// nothing but other key paths. Looking one up compares and hashes it on the caller's thread.
struct KeptKeyPath: Hashable, @unchecked Sendable {
    let keyPath: AnyKeyPath
}

/// A field that a key path leads to, and how a value of the key path's type is kept in it.
struct KeyPathField: Sendable {
    let name: String
    /// Whether the property is kept as JSON text, which tells nothing of the order or equality of its values.
    let isJSON: Bool
    private let encode: @Sendable (Any) throws -> FieldState?

    init(name: String, isJSON: Bool = false, encode: @escaping @Sendable (Any) throws -> FieldState?) {
        self.name = name
        self.isJSON = isJSON
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
    /// happens to give. So do values at which computed properties often depart from stored ones, such as the empty text.
    /// The answer is kept.
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
            throw unresolved(keyPath, in: type.init())
        }
        keyPathFields.withLock { $0[kept] = field }
        return field
    }

    private func resolve(_ keyPath: AnyKeyPath, in probe: CloudDataObject) -> KeyPathField? {
        let valueType = type(of: keyPath).valueType
        let candidates = KeyPathCandidate.systemFields + KeyPathCandidate.fields(of: steps, in: layout, reach: { $0 })
        let check = KeyPathCheck(keyPath: keyPath, probe: probe, candidates: candidates, steps: steps)
        if let type = (valueType as? any OptionalType.Type)?.wrappedType as? CloudEmbeddedObject.Type {
            let remaining = EmbeddedKeyPathCandidate.list(of: steps, in: layout, reach: { $0 })
                .filter { $0.location.embeddedType == type && check.leads(to: $0) }
            return remaining.count == 1 ? remaining.first?.field : nil
        }
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
        guard remaining.count == 1, let (index, candidate) = remaining.first, check.leads(toCandidateAt: index) else {
            return nil
        }
        return candidate.field
    }
}
