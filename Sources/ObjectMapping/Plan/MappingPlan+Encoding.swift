import CloudRecords

extension MappingPlan {
    /// The fields of an object, in the plan's layout.
    func fields(of object: CloudDataObject) throws -> RecordFields {
        do {
            var states = ObjectMemory.with(object) {
                ContiguousArray(DirectFields(properties: directExports, object: $0))
            }
            if !steps.isDirect { try encodeOthers(object, by: steps, into: &states) }
            if hasStandIns, !object.unknownValues.isEmpty { restoreUnknownValues(of: object, in: &states) }
            return RecordFields(layout: layout, storage: states)
        } catch let failure as FieldFailure {
            throw failure.encodingError(of: object, in: self)
        }
    }

    /// The fields of an object before those that need more than a look at its memory: they are absent.
    ///
    /// As a collection, for of these an array is made in place, and by code that the compiler makes for this very type.
    private struct DirectFields: RandomAccessCollection {
        let properties: [DirectProperty?]
        let object: ObjectMemory

        var startIndex: Int { 0 }
        var endIndex: Int { properties.count }

        subscript(index: Int) -> FieldState { properties[index]?.read(from: object) ?? .absent }
    }

    private func encodeOthers(
        _ object: AnyObject,
        by steps: MappingSteps,
        into states: inout ContiguousArray<FieldState>
    ) throws {
        for step in steps.otherFields where step.isExported {
            states[step.slot] = try encodedState(of: object, by: step)
        }
        for step in steps.embedded where step.isExported {
            try encodeEmbedded(in: object, by: step, into: &states)
        }
    }

    private func encodedState(of object: AnyObject, by step: FieldStep) throws -> FieldState {
        do {
            return try step.access.read(from: object)
        } catch {
            throw FieldFailure(slot: step.slot, underlying: error)
        }
    }

    /// Puts values that this build doesn't know in the place of the stand-ins that were loaded for them.
    private func restoreUnknownValues(of object: CloudDataObject, in states: inout ContiguousArray<FieldState>) {
        for step in fieldSteps where step.hasStandIns {
            guard let value = object.unknownValues[step.slot], states[step.slot] == step.access.standIn(for: value)
            else { continue }
            states[step.slot] = .value(value)
        }
    }

    private func encodeEmbedded(
        in object: AnyObject,
        by step: EmbeddedStep,
        into states: inout ContiguousArray<FieldState>
    ) throws {
        guard let embedded = step.location.load(from: object) else {
            // A lazy one that was not evaluated stays absent.
            guard step.location.isOptional else { return }
            for slot in step.slots { states[slot] = .null }
            return
        }
        guard type(of: embedded) == step.location.embeddedType else {
            throw CloudError(
                .mappingFailed,
                "Class \(type(of: object)), property \(step.name): it holds a \(type(of: embedded)), "
                    + "but only what \(step.location.embeddedType) declares would be kept.",
                remedy: "Declare the property with the class of the object that it holds.",
                field: step.name
            )
        }
        if let presenceSlot = step.presenceSlot { states[presenceSlot] = .value(.int64(1)) }
        ObjectMemory.with(embedded) { embedded in
            for direct in step.steps.directExports {
                states[Int(direct.slot)] = direct.property.read(from: embedded)
            }
        }
        try encodeOthers(embedded, by: step.steps, into: &states)
    }
}

/// What went wrong with one field; the plan makes an error of it that names record and field.
struct FieldFailure: Error {
    let slot: Int
    let underlying: any Error

    func encodingError(of object: CloudDataObject, in plan: MappingPlan) -> CloudError {
        error(.invalidArguments, recordID: object.recordID, in: plan)
    }

    func decodingError(of recordID: CloudRecordID, in plan: MappingPlan) -> CloudError {
        error(.mappingFailed, recordID: recordID, in: plan)
    }

    private func error(_ code: CloudError.Code, recordID: CloudRecordID, in plan: MappingPlan) -> CloudError {
        let field = plan.layout.names[slot]
        let reason: (message: String, remedy: String) =
            switch underlying {
            case let failure as CodecFailure: (failure.message, failure.remedy)
            case let unknown as UnknownRawValue: (unknown.failure.message, unknown.failure.remedy)
            case let error as CloudError: (error.message, error.remedy)
            default: ("\(underlying)", "Look at the conversion of this property.")
            }
        return CloudError(
            code,
            "\(plan.layout.recordType) \(recordID), field \(field): \(reason.message.hasSuffix(".") ? reason.message : reason.message + ".")",
            remedy: reason.remedy,
            recordID: recordID,
            field: field
        )
    }
}
