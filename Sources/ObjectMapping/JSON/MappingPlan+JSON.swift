import CloudRecords
import Foundation

extension MappingPlan {
    /// The JSON form of an object's properties: one key for each field, and a nested object for an embedded one.
    /// Fields that were not loaded are left out.
    func json(of object: CloudDataObject) throws -> [String: JSONValue] {
        let fields = try knownFields(of: object)
        do {
            return try json(of: fields, by: steps, prefix: "")
        } catch let failure as FieldFailure {
            throw failure.encodingError(of: object, in: self)
        }
    }

    /// Fills an object's properties from JSON. Keys that are missing leave their properties as they are.
    ///
    /// - Returns: The names of the fields that the JSON has.
    func fill(_ object: CloudDataObject, from json: [String: JSONValue]) throws -> Set<String> {
        var filled: Set<String> = []
        do {
            try fill(object, from: json, by: steps, prefix: "", keepingUnknownIn: object, noting: &filled)
            return filled
        } catch let failure as FieldFailure {
            throw failure.decodingError(of: object.recordID, in: self)
        }
    }

    private func json(
        of fields: RecordFields,
        by steps: MappingSteps,
        prefix: String
    ) throws -> [String: JSONValue] {
        var json: [String: JSONValue] = [:]
        for step in steps.fields {
            let key = String(layout.names[step.slot].dropFirst(prefix.count))
            switch fields[step.slot] {
            case .absent: continue
            case .null: json[key] = .null
            case .value(let value): json[key] = try jsonValue(of: value, for: step)
            }
        }
        for step in steps.embedded {
            // Not exported, or lazy and not evaluated.
            if step.slots.allSatisfy({ fields[$0] == .absent }) { continue }
            if step.presenceSlot != nil, step.slots.allSatisfy({ fields[$0].value == nil }) {
                // Null says that all its fields are. Of a nil object that was loaded in part this is not known.
                if step.slots.allSatisfy({ fields[$0] == .null }) { json[step.name] = .null }
            } else {
                let inner = try self.json(of: fields, by: step.steps, prefix: prefix + step.name + "__")
                json[step.name] = .object(inner)
            }
        }
        return json
    }

    private func jsonValue(of value: CloudValue, for step: FieldStep) throws -> JSONValue {
        do {
            switch (step.access.jsonForm, value) {
            case (.json, .string(let text)): return try JSONValue.parse(Data(text.utf8))
            case (.bool, _): return try JSONValue(value).numbersAsBools
            default: return try JSONValue(value)
            }
        } catch {
            throw FieldFailure(slot: step.slot, underlying: error)
        }
    }

    private func fill(
        _ object: AnyObject,
        from json: [String: JSONValue],
        by steps: MappingSteps,
        prefix: String,
        keepingUnknownIn root: CloudDataObject,
        noting filled: inout Set<String>
    ) throws {
        for step in steps.fields {
            let key = String(layout.names[step.slot].dropFirst(prefix.count))
            guard let value = json[key] else { continue }
            filled.insert(layout.names[step.slot])
            guard step.isImported else { continue }
            do {
                let stored = try cloudValue(of: value, for: step)
                try step.access.write(stored, into: object)
                if step.hasStandIns { keepIfUnknown(stored, by: step, in: root) }
            } catch {
                throw FieldFailure(slot: step.slot, underlying: error)
            }
        }
        for step in steps.embedded {
            guard let value = json[step.name] else { continue }
            guard step.isImported else {
                filled.formUnion(layout.names[step.slots])
                continue
            }
            try fill(object, from: value, by: step, prefix: prefix, keepingUnknownIn: root, noting: &filled)
        }
    }

    private func fill(
        _ object: AnyObject,
        from json: JSONValue,
        by step: EmbeddedStep,
        prefix: String,
        keepingUnknownIn root: CloudDataObject,
        noting filled: inout Set<String>
    ) throws {
        switch json {
        case .null:
            step.location.storeNil(into: object)
            if step.location.isOptional { filled.formUnion(layout.names[step.slots]) }
        case .object(let json):
            if let presenceSlot = step.presenceSlot { filled.insert(layout.names[presenceSlot]) }
            let embedded = step.location.load(from: object) ?? step.location.storeNewObject(into: object)
            let prefix = prefix + step.name + "__"
            try fill(embedded, from: json, by: step.steps, prefix: prefix, keepingUnknownIn: root, noting: &filled)
        default:
            throw CloudError(
                .mappingFailed,
                "Class \(typeName), property \(step.name): the JSON holds no object for it.",
                remedy: "Correct the JSON.",
                field: prefix + step.name
            )
        }
    }

    private func cloudValue(of json: JSONValue, for step: FieldStep) throws -> CloudValue? {
        if json == .null { return nil }
        let json = step.access.jsonForm == .bool ? json.boolsAsNumbers : json
        if step.access.jsonForm == .json {
            return .string(String(decoding: try json.data(), as: UTF8.self))
        }
        guard let value = json.cloudValue(of: step.access.fieldType) else {
            throw CodecFailure(
                "the JSON value \(json.shortDescription) is not "
                    + (step.access.fieldType?.nameWithArticle ?? "a field's value"),
                remedy: "Correct the JSON."
            )
        }
        return value
    }
}

extension JSONValue {
    fileprivate var shortDescription: String {
        let text = (try? data()).map { String(decoding: $0, as: UTF8.self) } ?? "of an unknown kind"
        return text.count > 60 ? text.prefix(60) + "…" : text
    }
}
