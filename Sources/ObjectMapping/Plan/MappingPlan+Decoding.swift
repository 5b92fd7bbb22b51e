import CloudRecords

extension MappingPlan {
    /// Makes an object of a record.
    ///
    /// - Parameters:
    ///   - binding: What ``binding(for:)`` gave for the record's layout.
    ///   - loaded: The names of the fields that were asked for, if not all were. An absent field that was asked for is
    ///     one that the store does not have yet.
    package func makeObject<Object: CloudDataObject>(
        _ type: Object.Type,
        from record: CloudRecord,
        binding: LayoutBinding,
        loaded: Set<String>? = nil
    ) throws -> Object {
        let object = type.init()
        try fill(object, from: record, at: binding)
        if let loaded { object.partialLoad = try partialLoad(of: object, loaded: loaded) }
        object.adopt(record)
        return object
    }

    /// Fills the properties of an object from a record's fields. Absent fields leave their properties as they are.
    func fill(_ object: CloudDataObject, from record: CloudRecord, at slots: LayoutBinding) throws {
        do {
            try record.fields.withValues { values in
                try decode(values, at: slots, into: object, by: steps)
                if hasStandIns { keepUnknownValues(among: values, at: slots, in: object) }
            }
        } catch let failure as FieldFailure {
            throw failure.decodingError(of: record.recordID, in: self)
        }
    }

    /// Takes over the assets of a record that was saved, which are now the store's copies.
    ///
    /// A property that no longer holds what was sent is left alone.
    func adoptAssets(into object: CloudDataObject, from record: CloudRecord, sentAs sent: CloudRecord) throws {
        guard holdsAssets else { return }
        let slots = binding(for: record.layout)
        do {
            try record.fields.withValues { values in
                try adoptAssets(values, at: slots, into: object, by: steps, sentAs: sent)
            }
        } catch let failure as FieldFailure {
            throw failure.decodingError(of: record.recordID, in: self)
        }
    }

    private func decode(
        _ values: UnsafeBufferPointer<FieldState>,
        at slots: LayoutBinding,
        into object: AnyObject,
        by steps: MappingSteps
    ) throws {
        if let first = values.baseAddress {
            try ObjectMemory.with(object) { memory in
                for step in steps.directImports {
                    guard let slot = slots[Int(step.slot)] else { continue }
                    if step.property.write(first + slot, into: memory) { continue }
                    // Null, a value of another type, or nothing: the whole step knows what to do.
                    try write(values[slot], into: object, by: steps.fields[Int(step.index)])
                }
            }
        }
        for step in steps.otherFields where step.isImported {
            guard let slot = slots[step.slot] else { continue }
            try write(values[slot], into: object, by: step)
        }
        for step in steps.embedded where step.isImported {
            try decodeEmbedded(values, at: slots, into: object, by: step)
        }
    }

    private func keepUnknownValues(
        among values: UnsafeBufferPointer<FieldState>,
        at slots: LayoutBinding,
        in object: CloudDataObject
    ) {
        for step in fieldSteps where step.hasStandIns && step.isImported {
            guard let slot = slots[step.slot], values[slot] != .absent else { continue }
            keepIfUnknown(values[slot].value, by: step, in: object)
        }
    }

    /// Remembers a value that was loaded into a property as a stand-in, and forgets the former one.
    func keepIfUnknown(_ value: CloudValue?, by step: FieldStep, in object: CloudDataObject) {
        object.unknownValues[step.slot] = value.flatMap { step.access.standIn(for: $0) == nil ? nil : $0 }
    }

    func write(_ state: FieldState, into object: AnyObject, by step: FieldStep) throws {
        do {
            switch state {
            case .absent: return
            case .null: try step.access.write(nil, into: object)
            case .value(let value): try step.access.write(value, into: object)
            }
        } catch {
            throw FieldFailure(slot: step.slot, underlying: error)
        }
    }

    private func decodeEmbedded(
        _ values: UnsafeBufferPointer<FieldState>,
        at slots: LayoutBinding,
        into object: AnyObject,
        by step: EmbeddedStep
    ) throws {
        var isKnown = false
        var hasValue = false
        for case let slot? in slots[step.slots] {
            if case .absent = values[slot] { continue }
            isKnown = true
            if case .value = values[slot] { hasValue = true }
        }
        guard isKnown else { return }
        if hasValue {
            let embedded = step.location.load(from: object) ?? step.location.storeNewObject(into: object)
            try decode(values, at: slots, into: embedded, by: step.steps)
        } else if step.location.isOptional {
            // Any value makes an object: a record of another client may lack the field that tells an object from nil.
            step.location.storeNil(into: object)
        } else if let embedded = step.location.load(from: object) {
            try decode(values, at: slots, into: embedded, by: step.steps)
        }
    }

    private func adoptAssets(
        _ values: UnsafeBufferPointer<FieldState>,
        at slots: LayoutBinding,
        into object: AnyObject,
        by steps: MappingSteps,
        sentAs sent: CloudRecord
    ) throws {
        for step in steps.otherFields where step.holdsAssets && step.isExported {
            guard let slot = slots[step.slot],
                try step.access.read(from: object) == sent.state(of: layout.names[step.slot])
            else { continue }
            try write(values[slot], into: object, by: step)
        }
        for step in steps.embedded {
            guard let embedded = step.location.load(from: object) else { continue }
            try adoptAssets(values, at: slots, into: embedded, by: step.steps, sentAs: sent)
        }
    }
}
