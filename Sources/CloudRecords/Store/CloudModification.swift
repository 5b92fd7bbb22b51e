/// A batch of records to save and to delete.
public struct CloudModification: Sendable {
    /// The records to save. Their absent fields are left as they are stored.
    public var saving: [CloudRecord]

    /// The IDs of the records to delete. Deleting a record that does not exist succeeds.
    public var deleting: [CloudRecordID]

    /// When a save may overwrite what is stored.
    public var savePolicy: CloudSavePolicy

    /// Whether the whole batch fails when one record does.
    public var isAtomic: Bool

    /// Called as the batch goes on, on any thread, never more than one call at a time.
    ///
    /// The last call of a batch that succeeds reports the whole.
    public var progressHandler: (@Sendable (CloudProgress) -> Void)?

    /// Makes a batch.
    public init(
        saving: [CloudRecord] = [],
        deleting: [CloudRecordID] = [],
        savePolicy: CloudSavePolicy = .ifServerRecordUnchanged,
        isAtomic: Bool = false,
        progressHandler: (@Sendable (CloudProgress) -> Void)? = nil
    ) {
        self.saving = saving
        self.deleting = deleting
        self.savePolicy = savePolicy
        self.isAtomic = isAtomic
        self.progressHandler = progressHandler
    }
}

/// What became of a batch: one result for each record, in the batch's order.
public struct CloudModificationResult: Sendable {
    /// For each record to save, the record as it is stored now or why it was not saved.
    public let saved: [Result<CloudRecord, CloudError>]

    /// For each ID to delete, the ID or why the record was not deleted.
    public let deleted: [Result<CloudRecordID, CloudError>]

    /// Makes a result. Only stores do this.
    public init(
        saved: [Result<CloudRecord, CloudError>],
        deleted: [Result<CloudRecordID, CloudError>]
    ) {
        self.saved = saved
        self.deleted = deleted
    }
}
