import CloudRecords

extension CloudReference {
    /// Makes a reference to the record of an object, which need not be saved yet.
    public init(to object: CloudDataObject, action: Action = .none) {
        self.init(recordID: object.recordID, action: action)
    }
}
