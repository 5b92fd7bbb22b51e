import CloudRecords
import ObjectMapping
import Testing

/// The object as it comes back from a record.
func roundTrip<Object: CloudDataObject>(_ object: Object) throws -> Object {
    let loaded = Object()
    try loaded.fill(from: try object.toRecord())
    return loaded
}

/// The object as it comes back from its JSON form.
func jsonRoundTrip<Object: CloudDataObject>(_ object: Object) throws -> Object {
    try #require(try [Object](json: try [object].toJSON()).first)
}

/// A record of a class with some fields, as another client may have saved it.
func record(_ type: CloudDataObject.Type, name: String = "r1", _ fields: [String: CloudValue?]) -> CloudRecord {
    var record = CloudRecord(recordType: type.recordType, recordID: CloudRecordID(name))
    for (field, value) in fields { record[field] = value }
    return record
}

/// The error that the body throws; a failed expectation if it throws none, or another.
func cloudError(
    _ code: CloudError.Code,
    sourceLocation: SourceLocation = #_sourceLocation,
    _ body: () throws -> Void
) throws -> CloudError {
    let error = try #require(
        #expect(throws: CloudError.self, sourceLocation: sourceLocation) { try body() },
        sourceLocation: sourceLocation
    )
    #expect(error.code == code, sourceLocation: sourceLocation)
    #expect(!error.remedy.isEmpty, "an error says what to do", sourceLocation: sourceLocation)
    return error
}

/// Expects that loading a record fails with an error that names record and field.
func expectLoadFailure(
    _ type: CloudDataObject.Type,
    field: String,
    _ value: CloudValue,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let error = try cloudError(.mappingFailed, sourceLocation: sourceLocation) {
        try type.init().fill(from: record(type, name: "broken1", [field: value]))
    }
    #expect(error.message.contains("broken1"), sourceLocation: sourceLocation)
    #expect(error.message.contains(field), sourceLocation: sourceLocation)
    #expect(error.recordID == CloudRecordID("broken1"), sourceLocation: sourceLocation)
    #expect(error.field == field, sourceLocation: sourceLocation)
}

/// The field types that a class declares.
func fieldTypes(_ type: CloudDataObject.Type) throws -> [String: CloudFieldType] {
    let layout = try MappingPlan.plan(for: type).layout
    return Dictionary(
        uniqueKeysWithValues: zip(layout.names, layout.types).compactMap { name, type in type.map { (name, $0) } }
    )
}

/// A generator whose sequence depends on its seed alone.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    // SplitMix64.
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
