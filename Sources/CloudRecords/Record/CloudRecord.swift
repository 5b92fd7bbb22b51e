import Foundation

/// A record: a type, an identity, the system fields, and named fields.
///
/// Records are what stores keep and return. Apps mostly work with objects of their own classes instead and meet
/// records in completion handlers and conflicts. A record is a value: a copy is independent.
///
/// Each field is absent, null or a value, see ``FieldState``. Setting a field to nil makes it null,
/// which clears the stored value at the next save.
///
/// ```swift
/// var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("m1"))
/// record["text"] = .string("Hello")
/// record["likes"] = nil                      // cleared when saved
/// ```
public struct CloudRecord: Sendable {
    /// The record's identity.
    public let recordID: CloudRecordID

    /// What the store fills, together.
    @usableFromInline package var systemFields: SystemFields

    @usableFromInline package var fields: RecordFields

    /// Makes an empty record that was never saved.
    public init(recordType: String, recordID: CloudRecordID = CloudRecordID()) {
        self.init(recordID: recordID, fields: RecordFields(layout: FieldLayout(recordType: recordType, names: [])))
    }

    /// Makes an empty record that was never saved, with room for the fields of a layout.
    public init(layout: FieldLayout, recordID: CloudRecordID = CloudRecordID()) {
        self.init(recordID: recordID, fields: RecordFields(layout: layout))
    }

    @inlinable
    package init(recordID: CloudRecordID, fields: RecordFields, systemFields: SystemFields = SystemFields()) {
        self.recordID = recordID
        self.systemFields = systemFields
        self.fields = fields
    }

    /// When the record was first saved; nil before that.
    public package(set) var creationDate: Date? {
        get { systemFields.creationDate }
        set { systemFields.creationDate = newValue }
    }

    /// When the record was last saved; nil before the first time.
    public package(set) var modificationDate: Date? {
        get { systemFields.modificationDate }
        set { systemFields.modificationDate = newValue }
    }

    /// Both users of the record.
    ///
    /// Not inlined: where the compiler sees the whole record, it copies an optional part of it by way of the type's
    /// metadata, which takes ten times as long.
    @inline(never)
    package var users: RecordUsers? { systemFields.users }

    /// The user who first saved the record.
    public package(set) var creatorUserRecordID: CloudRecordID? {
        get { systemFields.creatorUserRecordID }
        set { systemFields.creatorUserRecordID = newValue }
    }

    /// The user who last saved the record.
    public package(set) var lastModifiedUserRecordID: CloudRecordID? {
        get { systemFields.lastModifiedUserRecordID }
        set { systemFields.lastModifiedUserRecordID = newValue }
    }

    /// The mark of the stored version that this record was read as; nil if it was never saved.
    public package(set) var recordChangeTag: String? {
        get { systemFields.recordChangeTag }
        set { systemFields.recordChangeTag = newValue }
    }

    /// The record's type.
    public var recordType: String { fields.layout.recordType }

    /// The layout of the record's fields.
    public var layout: FieldLayout { fields.layout }

    /// The names of the fields that are known here, be they null or a value.
    /// - Complexity: O(*n*) in the number of fields.
    public var knownFieldNames: [String] {
        layout.names.enumerated().filter { fields[$0.offset] != .absent }.map(\.element)
    }

    /// The value of a field; nil if it is null or absent.
    ///
    /// Setting nil makes the field null. Assigning to a name that the record lacks adds the field.
    public subscript(name: String) -> CloudValue? {
        get { state(of: name).value }
        set { setState(newValue.map(FieldState.value) ?? .null, of: name) }
    }

    /// What is known of a field.
    /// - Complexity: O(1).
    public func state(of name: String) -> FieldState {
        layout.index(of: name).map { fields[$0] } ?? .absent
    }

    /// Sets what is known of a field; ``FieldState/absent`` makes a save leave the stored value alone.
    public mutating func setState(_ state: FieldState, of name: String) {
        if let index = layout.index(of: name) {
            fields[index] = state
        } else if state != .absent {
            fields.append(name, type: state.value?.fieldType, state: state)
        }
    }
}

extension CloudRecord: Equatable {
    /// Two records are equal when type, ID, change tag and all known fields are; the order of fields plays no part.
    public static func == (left: CloudRecord, right: CloudRecord) -> Bool {
        guard
            left.recordType == right.recordType, left.recordID == right.recordID,
            left.recordChangeTag == right.recordChangeTag
        else { return false }
        let names = left.knownFieldNames
        return names.count == right.knownFieldNames.count
            && names.allSatisfy { left.state(of: $0) == right.state(of: $0) }
    }
}

extension CloudRecord: CustomStringConvertible {
    public var description: String {
        let known = layout.names.enumerated().compactMap { index, name -> String? in
            switch fields[index] {
            case .absent: nil
            case .null: "\(name): nil"
            case .value(let value): "\(name): \(value)"
            }
        }
        return "\(recordType) \(recordID) {\(known.joined(separator: ", "))}"
    }
}
