import CloudRecords
import Foundation

extension CloudDataObject {
    /// The object as JSON.
    ///
    /// There is one key for each field; embedded objects and `Codable` values are nested. Dates are ISO 8601 text,
    /// bytes base64. The record ID and what the store filled are written too, under the names of the properties.
    /// Fields that were not loaded are left out, unless their properties were changed, see ``toRecord()``.
    /// ``init(json:)-(String)`` reads an equal object back.
    ///
    /// - Throws: ``CloudError/Code/mappingFailed`` if a property can't be mapped,
    ///   ``CloudError/Code/invalidArguments`` if a value has no JSON form, such as NaN.
    public func toJSON(prettyPrinted: Bool = false) throws -> String {
        let data = try wrappingJSONErrors { try JSONValue.object(jsonObject()).data(prettyPrinted: prettyPrinted) }
        return String(decoding: data, as: UTF8.self)
    }

    /// Makes an object of JSON text.
    ///
    /// Keys that the class lacks are ignored, and properties that the JSON lacks keep their initial values. In JSON with
    /// a change tag, a field without a key counts as not loaded: saving the object leaves it alone, unless the property
    /// is changed. Without a change tag the object is a new one, of which all fields are saved.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if the text is no JSON object,
    ///   ``CloudError/Code/mappingFailed`` naming the field if a value does not fit its property.
    public convenience init(json: String) throws {
        try self.init(json: Data(json.utf8))
    }

    /// Makes an object of JSON as UTF-8 bytes, see ``init(json:)-(String)``.
    public convenience init(json: Data) throws {
        let value = try wrappingJSONErrors { try JSONValue.parse(json) }
        self.init()
        try fill(from: value)
    }

    fileprivate func jsonObject() throws -> [String: JSONValue] {
        var json = try MappingPlan.plan(for: self).json(of: self)
        json[SystemField.recordID.rawValue] = try JSONValue(encoding: recordID)
        json[SystemField.creationDate.rawValue] = try creationDate.map { try JSONValue(.date($0)) }
        json[SystemField.modificationDate.rawValue] = try modificationDate.map { try JSONValue(.date($0)) }
        json[SystemField.creatorUserRecordID.rawValue] = try creatorUserRecordID.map { try JSONValue(encoding: $0) }
        json[SystemField.lastModifiedUserRecordID.rawValue] = try lastModifiedUserRecordID.map {
            try JSONValue(encoding: $0)
        }
        json[SystemField.recordChangeTag.rawValue] = recordChangeTag.map(JSONValue.string)
        return json
    }

    fileprivate func fill(from value: JSONValue) throws {
        guard case .object(let json) = value else {
            throw CloudError(
                .invalidArguments,
                "The JSON of a \(Self.recordType) is no object.",
                remedy: "Pass the JSON of one object; a list is read by Array(json:)."
            )
        }
        if let id = try systemValue(.recordID, in: json, as: { $0.decoded(CloudRecordID.self) }) { recordID = id }
        creationDate = try systemValue(.creationDate, in: json) { $0.cloudValue(of: .date)?.dateValue }
        modificationDate = try systemValue(.modificationDate, in: json) { $0.cloudValue(of: .date)?.dateValue }
        creatorUserRecordID = try systemValue(.creatorUserRecordID, in: json) { $0.decoded(CloudRecordID.self) }
        lastModifiedUserRecordID = try systemValue(.lastModifiedUserRecordID, in: json) {
            $0.decoded(CloudRecordID.self)
        }
        recordChangeTag = try systemValue(.recordChangeTag, in: json) { $0.cloudValue(of: .string)?.stringValue }
        let plan = try MappingPlan.plan(for: self)
        let filled = try plan.fill(self, from: json)
        if recordChangeTag != nil { partialLoad = try plan.partialLoad(of: self, loaded: filled) }
        didLoad()
    }

    private func systemValue<Value>(
        _ field: SystemField,
        in json: [String: JSONValue],
        as convert: (JSONValue) -> Value?
    ) throws -> Value? {
        guard let value = json[field.rawValue], value != .null else { return nil }
        guard let converted = convert(value) else {
            throw CloudError(
                .mappingFailed,
                "The JSON of a \(Self.recordType) has a wrong value for \(field.rawValue).",
                remedy: "Correct the JSON, or leave \(field.rawValue) out of it.",
                field: field.rawValue
            )
        }
        return converted
    }
}

extension Array where Element: CloudDataObject {
    /// The objects as a JSON list, see ``CloudDataObject/toJSON(prettyPrinted:)``.
    public func toJSON(prettyPrinted: Bool = false) throws -> String {
        let data = try wrappingJSONErrors {
            try JSONValue.array(try map { .object(try $0.jsonObject()) }).data(prettyPrinted: prettyPrinted)
        }
        return String(decoding: data, as: UTF8.self)
    }

    /// Makes the objects of a JSON list.
    /// - Throws: ``CloudError/Code/invalidArguments`` if the text is no JSON list, and what
    ///   ``CloudDataObject/init(json:)-(String)`` throws for an element.
    public init(json: String) throws {
        guard case .array(let values) = try wrappingJSONErrors({ try JSONValue.parse(Data(json.utf8)) }) else {
            throw CloudError(
                .invalidArguments,
                "The JSON is no list of objects.",
                remedy: "Pass a JSON list; one object is read by its class's init(json:)."
            )
        }
        self = try values.map { value in
            let object = Element()
            try object.fill(from: value)
            return object
        }
    }
}

private func wrappingJSONErrors<Result>(_ body: () throws -> Result) throws -> Result {
    do {
        return try body()
    } catch let error as CloudError {
        throw error
    } catch {
        throw CloudError(
            .invalidArguments,
            "The JSON can't be read or written: \(error)",
            remedy: "Check the text, and that no number is infinite or NaN."
        )
    }
}
