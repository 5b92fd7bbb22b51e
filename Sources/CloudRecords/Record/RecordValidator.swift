/// The rules that every store checks before it writes anything.
///
/// - Record types and field names are an ASCII letter and then ASCII letters, digits and underscores, at most 255.
///   Fields don't have the names of a record's own properties, such as `recordID` or `creationDate`.
/// - Record names are 1 to 255 printable ASCII characters and don't start with an underscore; so are the names of
///   zones, apart from the default zone's.
/// - A record has at most ``maximumRecordSize`` bytes of field data.
/// - Doubles, dates and locations are finite; latitudes and longitudes are on the globe.
/// - Text has no NUL character.
/// - The elements of a list are of one type and are no lists.
/// - A value has the type that the record's ``FieldLayout/types`` declare, where they do.
///
/// Sizes are counted as the bytes of text in UTF-8 and of data, 8 for a number or date, 64 for a location,
/// the bytes of the names in a reference, the sum over the elements of a list, and nothing for an asset. The names
/// of fields are not counted, so that the size of a value does not depend on what its field is called.
public enum RecordValidator {
    /// The most bytes of field data that a record may have: 1 MB, which is 1,048,576.
    public static let maximumRecordSize = 1_048_576

    /// Checks that a record may be saved.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments``, or ``CloudError/Code/limitExceeded``
    ///   for too much data, that names the record and the field.
    /// - Complexity: O(*n*) in the number of fields and the bytes of their text. The names of the fields were checked
    ///   when the layout was made. A record that passes costs no allocation.
    public static func validate(_ record: CloudRecord) throws {
        try validate(record.recordID)
        let layout = record.layout
        if let violation = layout.nameViolation { throw error(violation, of: record) }
        let size = try record.fields.withValues { states in
            var size = 0
            for index in states.indices {
                guard case .value(let value) = states[index] else { continue }
                if let type = layout.types[index], !ValueRule.matches(value, type) {
                    throw typeError(value, declared: type, field: layout.names[index], of: record)
                }
                if let violation = ValueRule.violation(of: value) {
                    throw valueError(violation, field: layout.names[index], of: record)
                }
                size += ValueRule.size(of: value)
            }
            return size
        }
        guard size <= maximumRecordSize else { throw sizeError(size, of: record) }
    }

    /// Checks that a record with this ID may be saved.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments`` that names the record.
    /// - Complexity: O(*n*) in the length of the names.
    public static func validate(_ recordID: CloudRecordID) throws {
        if let violation = NameRule.violation(ofRecordName: recordID.recordName) {
            throw CloudError(
                .invalidArguments,
                "The record name \(NameRule.quoted(recordID.recordName)) \(violation.reason).",
                remedy: violation.remedy,
                recordID: recordID
            )
        }
        if !recordID.zoneID.isDefault {
            do {
                try validate(recordID.zoneID)
            } catch let error as CloudError {
                throw CloudError(
                    error.code,
                    "The record \(recordID.recordName) can't be kept: \(error.message)",
                    remedy: error.remedy,
                    recordID: recordID
                )
            }
        }
    }

    /// Checks that a zone with this ID may exist.
    ///
    /// The default zone always passes, whoever owns it.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments`` that names the zone.
    /// - Complexity: O(*n*) in the length of the names.
    public static func validate(_ zoneID: CloudZoneID) throws {
        guard !zoneID.isDefault else { return }
        let isDefaultName = zoneID.zoneName == CloudZoneID.defaultZoneName
        if !isDefaultName, let violation = NameRule.violation(ofRecordName: zoneID.zoneName) {
            throw CloudError(
                .invalidArguments,
                "The zone name \(NameRule.quoted(zoneID.zoneName)) \(violation.reason).",
                remedy: violation.remedy
            )
        }
        // An owner is the name of a user's record, which starts with an underscore.
        if let violation = NameRule.violation(ofRecordName: zoneID.ownerName, allowsUnderscore: true) {
            throw CloudError(
                .invalidArguments,
                "The owner name \(NameRule.quoted(zoneID.ownerName)) of the zone \(zoneID.zoneName) "
                    + "\(violation.reason).",
                remedy: violation.remedy
            )
        }
    }

    /// Checks that a record type may have this name.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments`` that names the type.
    /// - Complexity: O(*n*) in the length of the name.
    public static func validate(recordType: String) throws {
        guard let violation = NameRule.violation(ofIdentifier: recordType) else { return }
        throw CloudError(
            .invalidArguments,
            "The record type \(NameRule.quoted(recordType)) \(violation.reason).",
            remedy: violation.remedy
        )
    }

    /// Checks that a field of a record may have this name.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/invalidArguments`` that names the field.
    /// - Complexity: O(*n*) in the length of the name.
    public static func validate(fieldName: String) throws {
        guard let violation = NameRule.violation(ofFieldName: fieldName) else { return }
        throw CloudError(
            .invalidArguments,
            "The field name \(NameRule.quoted(fieldName)) \(violation.reason).",
            remedy: violation.remedy,
            field: fieldName
        )
    }
}

extension RecordValidator {
    private static func error(_ violation: FieldLayout.NameViolation, of record: CloudRecord) -> CloudError {
        let subject =
            violation.field.map { "has a field name \(NameRule.quoted($0)) that" }
            ?? "has a record type \(NameRule.quoted(record.recordType)) that"
        let type = violation.field == nil ? "Record" : record.recordType
        return CloudError(
            .invalidArguments,
            "\(type) \(record.recordID) \(subject) \(violation.rule.reason).",
            remedy: violation.rule.remedy,
            recordID: record.recordID,
            field: violation.field
        )
    }

    private static func valueError(
        _ violation: ValueRule.Violation,
        field: String,
        of record: CloudRecord
    ) -> CloudError {
        CloudError(
            .invalidArguments,
            "\(record.recordType) \(record.recordID): the field \(field) \(violation.reason).",
            remedy: violation.remedy,
            recordID: record.recordID,
            field: field
        )
    }

    private static func typeError(
        _ value: CloudValue,
        declared: CloudFieldType,
        field: String,
        of record: CloudRecord
    ) -> CloudError {
        CloudError(
            .invalidArguments,
            "\(record.recordType) \(record.recordID): the field \(field) is \(declared) and can't hold a value of type "
                + "\(value.fieldType).",
            remedy: "Convert the value to \(declared), or use a field of another name.",
            recordID: record.recordID,
            field: field
        )
    }

    /// The error of too much data, which names the field with the most of it.
    private static func sizeError(_ size: Int, of record: CloudRecord) -> CloudError {
        let sizes = record.layout.names.indices.map { index in
            record.fields[index].value.map(ValueRule.size) ?? 0
        }
        let largest = sizes.indices.max { sizes[$0] < sizes[$1] }
        let field = largest.map { record.layout.names[$0] }
        let share = largest.map { ", \(sizes[$0]) of them in the field \(record.layout.names[$0])" } ?? ""
        return CloudError(
            .limitExceeded,
            "\(record.recordType) \(record.recordID) has \(size) bytes of field data\(share); "
                + "a record may have \(maximumRecordSize).",
            remedy: "Keep large content in a CloudAsset.",
            recordID: record.recordID,
            field: field
        )
    }
}
