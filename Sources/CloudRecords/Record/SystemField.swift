/// The fields that every record has and the store fills, under the names by which queries know them.
public enum SystemField: String, Sendable, Hashable, Codable, CaseIterable {
    /// The record's identity. Queries compare it with a ``CloudRecordID`` or a ``CloudReference``.
    case recordID
    /// When the record was first saved, by the store's clock.
    case creationDate
    /// When the record was last saved, by the store's clock.
    case modificationDate
    /// The user who first saved the record.
    case creatorUserRecordID
    /// The user who last saved the record.
    case lastModifiedUserRecordID
    /// The mark of the record's stored version; it changes with every save.
    case recordChangeTag

    /// Names that no field of a record may have, because a record has properties of these names.
    package static let reservedNames: Set<String> = Set(allCases.map(\.rawValue) + ["recordType", "parent", "share"])
}
