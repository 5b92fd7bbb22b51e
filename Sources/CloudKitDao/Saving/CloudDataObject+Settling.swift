extension CloudDataObject {
    /// Brings the object to what the store made of its record.
    ///
    /// - Parameters:
    ///   - saved: The record as it is stored now.
    ///   - sent: The record as the object was mapped to it.
    ///   - server: The stored record that a conflict was resolved with, if there was one.
    func settle(_ saved: CloudRecord, sentAs sent: CloudRecord, resolvedWith server: CloudRecord?) throws {
        guard let server else {
            try adoptSaved(saved.onTop(of: storedFields), sentAs: sent)
            return
        }
        // One that got another ID meanwhile is another object.
        guard recordID == sent.recordID else { return }
        let merged = saved.onTop(of: server.fields)
        let filled = try merged.keeping(changesOf: try recordForSaving(), since: sent)
        try fill(from: filled)
        try adoptSaved(merged, sentAs: filled)
    }
}

extension CloudRecord {
    /// The record with what was known before of the fields that the save left alone.
    ///
    /// Without it, a field that was not among the changed keys would count as changed the next time.
    fileprivate func onTop(of stored: RecordFields?) -> CloudRecord {
        guard let stored, stored.layout !== layout || fields.hasAbsent else { return self }
        var record = self
        record.fields = stored
        for (index, name) in layout.names.enumerated() where fields[index] != .absent {
            record.setState(fields[index], of: name)
        }
        return record
    }

    /// The record to fill an object from whose properties may have changed since they were sent, and of which only
    /// some may have been loaded.
    fileprivate func keeping(changesOf current: CloudRecord, since sent: CloudRecord) throws -> CloudRecord {
        var record = self
        for (index, name) in current.layout.names.enumerated() {
            let state = current.fields[index]
            if state == .absent || state != sent.state(of: name) {
                record.setState(state, of: name)
            } else if record.state(of: name) == .absent {
                // The store has no such field yet.
                record.setState(.null, of: name)
            }
        }
        return record
    }
}

extension RecordFields {
    fileprivate var hasAbsent: Bool { withValues { $0.contains(.absent) } }
}
