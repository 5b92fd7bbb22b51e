import CloudKitDao

extension SQLiteStore {
    /// The record of a name; nil if there is none.
    package func record(_ name: String) async throws -> CloudRecord? {
        do {
            return try await fetch([CloudRecordID(name)], desiredFields: nil).first?.get()
        } catch let error as CloudError where error.code == .unknownItem {
            return nil
        }
    }

    /// Saves records all or none, if nobody has changed them since they were read.
    ///
    /// - Returns: The records as they are stored; nil if one was changed.
    package func saveUnchanged(_ records: [CloudRecord]) async throws -> [CloudRecord]? {
        let result = try await modify(CloudModification(saving: records, isAtomic: true))
        let codes = Set(result.saved.compactMap(\.failureCode))
        // The others of an atomic batch failed because one did.
        guard codes.subtracting([.serverRecordChanged, .batchRequestFailed]).isEmpty else {
            throw Surprise("a batch was refused: \(codes)")
        }
        return codes.isEmpty ? try result.saved.map { try $0.get() } : nil
    }
}

extension CloudRecord {
    /// The number in the field `n`.
    package var count: Int64 {
        get { self["n"]?.int64Value ?? 0 }
        set { self["n"] = .int64(newValue) }
    }
}

extension Result<CloudRecord, CloudError> {
    fileprivate var failureCode: CloudError.Code? {
        if case .failure(let error) = self { error.code } else { nil }
    }
}
