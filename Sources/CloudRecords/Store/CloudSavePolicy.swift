/// When a save may overwrite what the store holds, as CloudKit's `CKModifyRecordsOperation.RecordSavePolicy`.
public enum CloudSavePolicy: String, Sendable, Hashable, Codable {
    /// Save only if the stored record still has the change tag of the one to save; else it is a conflict.
    /// A record without a tag must not exist yet.
    case ifServerRecordUnchanged
    /// Write the record's changed fields whatever the store holds. A record that was never saved is made; one that was
    /// deleted since it was read is not made anew from its changed fields alone: that is
    /// ``CloudError/Code/unknownItem``.
    case changedKeys
    /// Write all of the record's fields whatever the store holds; the record is made if it does not exist.
    case allKeys
}
