import CloudRecords

extension MappingPlan {
    /// The fields of an object, in the plan's layout.
    func fields(of object: CloudDataObject) throws -> RecordFields {
        var states = ContiguousArray(repeating: FieldState.absent, count: layout.count)
        let stored = object.storedFields
        do {
            try encode(object, by: steps, into: &states, stored: stored)
        } catch let failure as FieldFailure {
            throw failure.encodingError(of: object, in: self)
        }
        return RecordFields(layout: layout, storage: states)
    }

    private func encode(
        _ object: AnyObject,
        by steps: [MappingStep],
        into states: inout ContiguousArray<FieldState>,
        stored: RecordFields?
    ) throws {
        for step in steps {
            switch step {
            case .field(let step) where step.isExported:
                if let direct = step.direct {
                    states[step.slot] = direct.read(from: object)
                } else {
                    states[step.slot] = try encodedState(of: object, by: step, stored: stored)
                }
            case .embedded(let step) where step.isExported:
                try encodeEmbedded(in: object, by: step, into: &states, stored: stored)
            case .field, .embedded:
                continue
            }
        }
    }

    private func encodedState(of object: AnyObject, by step: FieldStep, stored: RecordFields?) throws -> FieldState {
        let state: FieldState
        do {
            state = try step.access.read(from: object)
        } catch {
            throw FieldFailure(slot: step.slot, underlying: error)
        }
        // A raw value that this build doesn't know was loaded as a stand-in. As long as the property still has that,
        // the stored value is written back.
        guard let stored, let slot = stored.layout.index(of: layout.names[step.slot]),
            let value = stored[slot].value, let standIn = step.access.standIn(for: value)
        else { return state }
        return standIn == state ? .value(value) : state
    }

    private func encodeEmbedded(
        in object: AnyObject,
        by step: EmbeddedStep,
        into states: inout ContiguousArray<FieldState>,
        stored: RecordFields?
    ) throws {
        guard let embedded = step.location.load(from: object) else {
            for slot in step.slots { states[slot] = .null }
            return
        }
        if let presenceSlot = step.presenceSlot { states[presenceSlot] = .value(.int64(1)) }
        try encode(embedded, by: step.steps, into: &states, stored: stored)
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
            "\(plan.layout.recordType) \(recordID), field \(field): \(reason.message).",
            remedy: reason.remedy,
            recordID: recordID,
            field: field
        )
    }
}
