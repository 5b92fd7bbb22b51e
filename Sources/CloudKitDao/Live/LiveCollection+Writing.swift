import CloudRecords
import Foundation

/// The writes of one record that are under way.
struct WriteOverlay: Sendable {
    /// What the store had last, if it matched; nil if it had nothing that did.
    var confirmed: CloudRecord?
    /// For each write, oldest first, what the record will be; nil if it will be deleted.
    var writes: [(id: Int, record: CloudRecord?)] = []
}

extension LiveCollection {
    /// Shows at once what a write will make of its records.
    ///
    /// - Parameters:
    ///   - write: The write's number, by which its end is told.
    ///   - saving: The records that are to be saved, with the fields that are sent.
    ///   - deleting: The records that are to be deleted.
    ///   - now: The time, for the dates that the store will give.
    package mutating func begin(
        write: Int,
        saving: [CloudRecord],
        deleting: [CloudRecordID],
        now: Date = Date()
    ) -> [LiveEvent] {
        var events: [LiveEvent] = []
        var recordIDs: [CloudRecordID] = []
        for record in saving where record.recordType == recordType {
            recordIDs.append(record.recordID)
            let expected = expected(record, now: now)
            push(expected, of: write, for: record.recordID)
            events += showExpected(expected, for: record.recordID)
        }
        for recordID in deleting {
            recordIDs.append(recordID)
            push(nil, of: write, for: recordID)
            events += show(nil, for: recordID)
        }
        if !recordIDs.isEmpty { writes[write] = recordIDs }
        return events
    }

    /// Replaces what was shown of a write by what became of it.
    ///
    /// - Returns: The steps, and the records that have to be read, since what the store has of them is not known.
    package mutating func end(
        write: Int,
        saved: [(recordID: CloudRecordID, result: Result<CloudRecord, CloudError>)],
        deleted: [(recordID: CloudRecordID, result: Result<CloudRecordID, CloudError>)]
    ) -> (events: [LiveEvent], stale: [CloudRecordID]) {
        writes[write] = nil
        var events: [LiveEvent] = []
        var stale: [CloudRecordID] = []
        for (recordID, result) in saved {
            switch result {
            case .success(let record):
                guard record.recordType == recordType else { continue }
                let stored = (confirmedRecord(recordID)?.overlaid(with: record) ?? record).withSystemFields(of: record)
                events += settle(write, recordID, with: matches(stored) ? stored : nil)
            case .failure(let error):
                if error.leavesDoubt { stale.append(recordID) }
                events += settle(write, recordID, failedWith: error)
            }
        }
        for (recordID, result) in deleted {
            switch result {
            case .success:
                events += settle(write, recordID, with: nil)
                stale += dependents(of: recordID)
            case .failure(let error):
                if error.leavesDoubt { stale.append(recordID) }
                events += settle(write, recordID, failedWith: error)
            }
        }
        return (events, stale)
    }

    /// What the store has of the collection, without what is being written.
    package struct Snapshot: Sendable {
        fileprivate let collection: LiveCollection
        package let isComplete: Bool

        /// The records, in order.
        /// - Complexity: O(*n*).
        package var records: [CloudRecord] { collection.confirmedRecords }
    }

    /// What the store has of the collection now, to be looked at on another thread.
    /// - Complexity: O(1).
    package var snapshot: Snapshot { Snapshot(collection: withoutIDs, isComplete: isComplete) }

    private var confirmedRecords: [CloudRecord] {
        if overlays.isEmpty { return known.map(\.record) }
        var records = known.map(\.record).filter { overlays[$0.recordID] == nil }
        records += overlays.values.compactMap(\.confirmed).filter { matches($0) && !isBeyondHorizon($0) }
        return records.sorted { order.precedes($0, $1) }
    }

    // MARK: Overlays

    /// What the store had last of a record.
    func confirmedRecord(_ recordID: CloudRecordID) -> CloudRecord? {
        if let overlay = overlays[recordID] { return overlay.confirmed }
        return record(recordID)
    }

    /// Takes a write off its record that the store refused, which may have told what it has.
    private mutating func settle(_ write: Int, _ recordID: CloudRecordID, failedWith error: CloudError) -> [LiveEvent] {
        if let server = error.serverRecord {
            return settle(write, recordID, with: matches(server) ? server : nil)
        }
        if error.code == .unknownItem { return settle(write, recordID, with: nil) }
        return settle(write, recordID, with: confirmedRecord(recordID), isNews: false)
    }

    /// What a record will be when it is saved.
    private func expected(_ record: CloudRecord, now: Date) -> CloudRecord {
        let base = overlays[record.recordID]?.writes.last?.record ?? confirmedRecord(record.recordID)
        var expected = base?.overlaid(with: record) ?? record
        expected.creationDate = base?.creationDate ?? record.creationDate ?? now
        expected.modificationDate = now
        expected.creatorUserRecordID = base?.creatorUserRecordID ?? record.creatorUserRecordID ?? userRecordID
        expected.lastModifiedUserRecordID = userRecordID ?? record.lastModifiedUserRecordID
        return expected
    }

    private mutating func push(_ record: CloudRecord?, of write: Int, for recordID: CloudRecordID) {
        var overlay = overlays[recordID] ?? WriteOverlay(confirmed: self.record(recordID))
        overlay.writes.append((write, record))
        overlays[recordID] = overlay
    }

    private mutating func showExpected(_ record: CloudRecord, for recordID: CloudRecordID) -> [LiveEvent] {
        guard matches(record), !isBeyondHorizon(record) else { return show(nil, for: recordID) }
        let isSeen = self.record(recordID).map { !$0.hasSameFields(as: record) } ?? true
        return show(record, for: recordID, isSeen: isSeen)
    }

    /// Takes a write off its record.
    ///
    /// - Parameters:
    ///   - record: What the store has now, if it matches.
    ///   - isNews: Whether that is newer than what was known.
    private mutating func settle(
        _ write: Int,
        _ recordID: CloudRecordID,
        with record: CloudRecord?,
        isNews: Bool = true
    ) -> [LiveEvent] {
        if isNews {
            writtenSinceRead.insert(recordID)
            load?.touched.insert(recordID)
        }
        guard var overlay = overlays[recordID] else {
            // It began before this collection was there.
            return showStored(record, for: recordID)
        }
        overlay.confirmed = record
        overlay.writes.removeAll { $0.id == write }
        guard let last = overlay.writes.last else {
            overlays[recordID] = nil
            guard let record, !isBeyondHorizon(record) else { return show(nil, for: recordID) }
            let isSeen = self.record(recordID).map { !$0.hasSameFields(as: record) } ?? true
            return show(record, for: recordID, isSeen: isSeen)
        }
        overlays[recordID] = overlay
        // A later write is still under way and decides.
        return last.record.map { showExpected($0, for: recordID) } ?? show(nil, for: recordID)
    }

    /// The records that go with one that was deleted here, of which the store does not tell this client.
    ///
    /// - Complexity: O(*n*) for records that have references, else O(1).
    private func dependents(of recordID: CloudRecordID) -> [CloudRecordID] {
        guard let layout = known.first?.record.layout, layout.mayHoldReferences else { return [] }
        return known.filter { $0.record.isDeleted(with: recordID) }.map(\.record.recordID)
    }
}

extension FieldLayout {
    fileprivate var mayHoldReferences: Bool {
        types.contains { $0 == nil || $0 == .reference || $0 == .list(of: .reference) }
    }
}

extension CloudError {
    /// Whether it is not known what the store has after this failure of a write.
    fileprivate var leavesDoubt: Bool { code == .serverResponseLost || code == .operationCancelled }
}

extension CloudRecord {
    fileprivate func withSystemFields(of other: CloudRecord) -> CloudRecord {
        var record = self
        record.creationDate = other.creationDate
        record.modificationDate = other.modificationDate
        record.creatorUserRecordID = other.creatorUserRecordID
        record.lastModifiedUserRecordID = other.lastModifiedUserRecordID
        record.recordChangeTag = other.recordChangeTag
        return record
    }
}
