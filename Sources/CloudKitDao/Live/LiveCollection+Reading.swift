import CloudRecords

extension LiveCollection {
    /// A read of the whole that is under way.
    struct LoadState: Sendable {
        /// The records that were read so far.
        var seen: Set<CloudRecordID> = []
        /// The records of which something newer came to be known meanwhile.
        var touched: Set<CloudRecordID> = []
        var last: CloudRecord?
    }

    /// Says that a read begins, of a page or of single records.
    package mutating func beginRead() {
        writtenSinceRead = []
    }

    /// Begins to read the whole. What is shown stays until it is read, or is found missing at the end.
    package mutating func beginLoad() {
        load = LoadState()
    }

    /// Gives up reading the whole; what was read stays.
    package mutating func cancelLoad() {
        load = nil
    }

    /// Takes a page of the query's results, which follows the one before.
    package mutating func add(page: [CloudRecord]) -> (events: [LiveEvent], stale: [CloudRecordID]) {
        var events: [LiveEvent] = []
        var stale: [CloudRecordID] = []
        for record in page {
            load?.seen.insert(record.recordID)
            if writtenSinceRead.contains(record.recordID) {
                stale.append(record.recordID)
            } else {
                events += take(record, for: record.recordID)
            }
        }
        if let last = page.last { load?.last = last }
        return (events, stale)
    }

    /// Ends the read of the whole: what was shown and has not been found is gone.
    ///
    /// - Parameter reachedEnd: Whether everything was read.
    package mutating func endLoad(reachedEnd: Bool) -> [LiveEvent] {
        guard let ended = load else { return [] }
        load = nil
        isComplete = reachedEnd
        horizon = reachedEnd ? nil : ended.last ?? horizon
        var events: [LiveEvent] = []
        if recordsByID.count > ended.seen.count || !recordsByID.keys.allSatisfy(ended.seen.contains) {
            for slot in Array(known).reversed() {
                let recordID = slot.record.recordID
                guard !ended.seen.contains(recordID), overlays[recordID] == nil else { continue }
                if ended.touched.contains(recordID), !isBeyondHorizon(slot.record) { continue }
                events += show(nil, for: recordID)
            }
        }
        for (recordID, overlay) in overlays where !ended.seen.contains(recordID) && !ended.touched.contains(recordID) {
            if let confirmed = overlay.confirmed, !isBeyondHorizon(confirmed) { overlays[recordID]?.confirmed = nil }
        }
        return events
    }

    /// Takes single records as they are in the store, nil for those that do not exist.
    package mutating func take(
        fetched: [(recordID: CloudRecordID, record: CloudRecord?)]
    ) -> (events: [LiveEvent], stale: [CloudRecordID]) {
        var events: [LiveEvent] = []
        var stale: [CloudRecordID] = []
        for (recordID, record) in fetched {
            if writtenSinceRead.contains(recordID) {
                stale.append(recordID)
                continue
            }
            load?.touched.insert(recordID)
            events += take(record.flatMap { matches($0) ? $0 : nil }, for: recordID)
        }
        return (events, stale)
    }

    /// Whether a record belongs to the collection.
    func matches(_ record: CloudRecord) -> Bool {
        record.recordType == recordType && predicate.matches(record)
    }

    /// Takes a record as it is in the store, nil if it does not exist or match.
    mutating func take(_ record: CloudRecord?, for recordID: CloudRecordID) -> [LiveEvent] {
        if overlays[recordID] != nil {
            // What is being written here is newer; this is what a refusal leads back to.
            overlays[recordID]?.confirmed = record
            return []
        }
        return showStored(record, for: recordID)
    }

    /// Shows what the store has.
    mutating func showStored(_ record: CloudRecord?, for recordID: CloudRecordID) -> [LiveEvent] {
        guard let record, !isBeyondHorizon(record) else { return show(nil, for: recordID) }
        guard let old = self.record(recordID), old.isSameVersion(as: record) else { return show(record, for: recordID) }
        // The same version: only the files of its assets may lie elsewhere, and fields have come to be known.
        if !record.holdsAssets, old.layout === record.layout { return [] }
        return show(record, for: recordID, isSeen: !old.hasSameFields(as: record))
    }
}
