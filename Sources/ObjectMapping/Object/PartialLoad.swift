import CloudRecords

/// What is to be remembered of how an object was loaded. Few objects have such notes; the others don't grow by them.
final class LoadingNotes {
    var partialLoad: PartialLoad?
    var unknownValues: [Int: CloudValue] = [:]
}

/// An object of which only some fields were loaded: the other properties have their initial values.
struct PartialLoad {
    /// The names of the fields that were loaded, or saved since.
    var loaded: Set<String>
    /// All fields as the object had them then.
    let fields: RecordFields
    /// Whether the object has become a new one since, by its deletion or by another record ID: what was not loaded
    /// is then nowhere to be left alone.
    var isOfFormerRecord = false
}

extension CloudDataObject {
    /// Maps the object to a record that is to be saved.
    ///
    /// - Throws: What ``toRecord()`` throws, and ``CloudError/Code/invalidArguments`` for a new object that has only
    ///   some fields of a former record.
    package func recordForSaving() throws -> CloudRecord {
        let record = try toRecord()
        guard let partialLoad, partialLoad.isOfFormerRecord else { return record }
        let plan = try MappingPlan.plan(for: self)
        guard let missing = plan.unknownSlots(in: try plan.fields(of: self), since: partialLoad).first else {
            return record
        }
        let field = plan.layout.names[missing]
        throw CloudError(
            .invalidArguments,
            "\(recordType) \(recordID) can't be saved as a new record: only some fields were loaded of the record that it "
                + "was before it was deleted or got another ID, and \(field) was not among them.",
            remedy: "Load the whole object before you delete or copy it, or fill a new object.",
            recordID: recordID,
            field: field
        )
    }
}

extension MappingPlan {
    /// Whether a record knows all fields of the class.
    func isComplete(_ fields: RecordFields, at slots: LayoutBinding) -> Bool {
        fields.withValues { values in
            for slot in 0..<layout.count {
                guard let position = slots[slot] else { return false }
                if case .absent = values[position] { return false }
            }
            return true
        }
    }

    /// What is to be kept of an object of which some fields were loaded; nil if all were.
    func partialLoad(of object: CloudDataObject, loaded: Set<String>) throws -> PartialLoad? {
        guard !layout.names.allSatisfy(loaded.contains) else { return nil }
        return PartialLoad(loaded: loaded, fields: try fields(of: object))
    }

    /// The fields of an object, in the plan's layout. Those that were not loaded are absent, unless their property was
    /// changed.
    func knownFields(of object: CloudDataObject) throws -> RecordFields {
        var fields = try fields(of: object)
        guard let partialLoad = object.partialLoad else { return fields }
        for slot in unknownSlots(in: fields, since: partialLoad) { fields[slot] = .absent }
        return fields
    }

    /// The positions of the fields that the object would save and that were neither loaded nor changed.
    fileprivate func unknownSlots(in fields: RecordFields, since partialLoad: PartialLoad) -> [Int] {
        let removed = removedSlots(in: fields, since: partialLoad.fields, by: steps)
        return layout.names.indices.filter { slot in
            !partialLoad.loaded.contains(layout.names[slot])
                && fields[slot] != .absent && fields[slot] == partialLoad.fields[slot]
                && !removed.contains(slot)
        }
    }

    /// The positions of the fields of embedded objects that were there and are nil now: all of them are changed, though
    /// some may have been null before.
    private func removedSlots(in fields: RecordFields, since former: RecordFields, by steps: MappingSteps) -> Set<Int> {
        var removed: Set<Int> = []
        for step in steps.embedded {
            if let presenceSlot = step.presenceSlot, fields[presenceSlot] == .null, former[presenceSlot].value != nil {
                removed.formUnion(step.slots)
            } else {
                removed.formUnion(removedSlots(in: fields, since: former, by: step.steps))
            }
        }
        return removed
    }
}
