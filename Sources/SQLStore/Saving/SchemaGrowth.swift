import CloudRecords

/// What the schema needs so that a record can be written.
struct SchemaGrowth {
    private let recordTypeName: String
    private let recordID: CloudRecordID
    private let existing: SQLRecordType?
    private var newFields: [(name: String, type: CloudFieldType)] = []
    private var elementTypes: [String: CloudFieldType] = [:]

    /// Compares a record with its type.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if a value is of another type than its field.
    init(_ record: CloudRecord, _ recordType: SQLRecordType?) throws {
        recordTypeName = record.recordType
        recordID = record.recordID
        existing = recordType
        for (index, name) in record.layout.names.enumerated() {
            let declared = record.layout.types[index]
            switch record.fields[index] {
            case .absent:
                break
            case .null:
                // Without a type there is nothing to clear and no column to make.
                if let declared, recordType?.field(name) == nil { newFields.append((name, declared)) }
            case .value(let value):
                try add(name, value.fieldType, declared: declared, of: record)
            }
        }
    }

    private mutating func add(
        _ name: String,
        _ type: CloudFieldType,
        declared: CloudFieldType?,
        of record: CloudRecord
    ) throws {
        guard let field = existing?.field(name) else {
            var type = type
            if type == .list(of: nil), let declared, type.accepts(declared) { type = declared }
            newFields.append((name, type))
            return
        }
        guard field.type.accepts(type) else {
            throw CloudError(
                .invalidArguments,
                """
                Field \(name) of \(record.recordType) \(record.recordID) is of type \(type), \
                but the field is stored as \(field.type).
                """,
                remedy:
                    "A field keeps the type of its first value; give the property that type or the field another name.",
                recordID: record.recordID,
                field: name
            )
        }
        if field.type == .list(of: nil), type != field.type { elementTypes[name] = type }
    }

    /// Whether the schema is enough as it is.
    var isEmpty: Bool { existing != nil && newFields.isEmpty && elementTypes.isEmpty }

    /// Makes the schema enough.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` naming what is missing where the schema does not grow.
    func apply(_ editor: SchemaEditor) throws -> SQLRecordType {
        if editor.environment == .production, let missing { throw missing }
        var recordType = existing
        if let known = recordType, !elementTypes.isEmpty {
            recordType = try editor.setElementTypes(elementTypes, of: known)
        }
        if let recordType, newFields.isEmpty { return recordType }
        return try editor.add(newFields, to: recordTypeName)
    }

    /// The error that names the first thing that is not deployed.
    private var missing: CloudError? {
        guard existing != nil else {
            return notDeployed("record type \(recordTypeName) is not deployed", field: nil)
        }
        if let (name, type) = newFields.first {
            return notDeployed(
                "field \(name) of record type \(recordTypeName), a \(type), is not deployed",
                field: name
            )
        }
        guard let (name, type) = elementTypes.min(by: { $0.key < $1.key }) else { return nil }
        return notDeployed(
            "field \(name) of record type \(recordTypeName) is deployed as a list without a type of elements, not as \(type)",
            field: name
        )
    }

    private func notDeployed(_ reason: String, field: String?) -> CloudError {
        CloudError(
            .invalidArguments,
            "Record \(recordID) can't be saved: \(reason), and production does not grow by saving.",
            remedy: "Deploy the schema first, with deploySchema() in development or with extendSchema(_:).",
            recordID: recordID,
            field: field
        )
    }
}
