import CloudRecords

/// The records that match a predicate, in order, as far as they are known: what the store has, with the writes of this
/// process on top that are under way.
///
/// It does no I/O: it is told what was read, what is written, and what became of that, and answers with the steps that
/// lead to its new content.
///
/// A read counts for what it was when it began. The collection is told of its beginning, for a record that was written
/// here meanwhile has to be read again: the answer names it as stale. One read at a time is under way.
///
/// - Complexity: A change is O(log *n*) in comparisons, see ``ChunkedArray`` for its moves.
package struct LiveCollection: Sendable {
    let predicate: CompiledPredicate
    let order: RecordOrder
    let recordType: String
    /// The most records that are shown; nil for no limit.
    package let limit: Int?

    /// What is known, in order. The first ones, up to the limit, are shown; some more stand by to follow those that go.
    private(set) var known = ChunkedArray<LiveSlot>()
    /// What is known by ID.
    private(set) var recordsByID: [CloudRecordID: LiveRecord] = [:]
    /// What is being written, by record.
    var overlays: [CloudRecordID: WriteOverlay] = [:]
    /// The records of each write that is under way.
    var writes: [Int: [CloudRecordID]] = [:]
    /// The read of the whole that is under way.
    var load: LoadState?
    /// The records that were written since the read that is under way began.
    var writtenSinceRead: Set<CloudRecordID> = []
    /// Whether all matching records of the store are known.
    package internal(set) var isComplete = false
    /// The last record that was read: what comes after it is not known, unless the collection is complete.
    var horizon: CloudRecord?
    /// The user of this process, whom the store will note in what is written.
    package var userRecordID: CloudRecordID?

    /// Makes an empty collection.
    ///
    /// - Throws: The error of a predicate that is none.
    package init(recordType: String, predicate: CloudPredicate, order: OrderBy, limit: Int? = nil) throws {
        self.predicate = try CompiledPredicate(predicate)
        self.order = RecordOrder(order)
        self.recordType = recordType
        self.limit = limit
    }

    /// The number of records that are shown.
    package var count: Int { min(known.count, limit ?? .max) }

    /// The record at a position.
    package subscript(position: Int) -> CloudRecord { known[position].record }

    /// The records that are shown.
    package var records: [CloudRecord] { known.prefix(count).map(\.record) }

    /// The position of a record; nil if it is not shown.
    /// - Complexity: O(log *n*).
    package func index(of recordID: CloudRecordID) -> Int? {
        guard let record = recordsByID[recordID], let limit else { return recordsByID[recordID].map(position) }
        let position = position(of: record)
        return position < limit ? position : nil
    }

    /// The record of an ID as it is shown or stands by.
    package func record(_ recordID: CloudRecordID) -> CloudRecord? { recordsByID[recordID]?.record }

    /// Whether more has to be read to show as many records as the limit allows.
    package var needsRefill: Bool {
        guard let limit else { return false }
        return !isComplete && load == nil && horizon != nil && known.count < limit
    }

    /// How many records stand by beyond a limit, so that not every deletion makes a read necessary.
    static func spare(for limit: Int) -> Int { limit / 2 + 10 }

    /// How many records to read, for a collection with a limit.
    package var readLimit: Int? { limit.map { $0 + Self.spare(for: $0) } }
}

// MARK: Showing

extension LiveCollection {
    /// Those of some records that belong to the collection, in its order, as far as the limit goes.
    package struct Selection {
        fileprivate var slots: [LiveSlot]

        package var count: Int { slots.count }
        package var records: some RandomAccessCollection<CloudRecord> { slots.lazy.map(\.boxed.record) }

        /// Leaves records out.
        mutating func keepOnly(_ isKept: (CloudRecordID) -> Bool) {
            slots.removeAll { !isKept($0.boxed.record.recordID) }
        }
    }

    /// Those of some records that belong to the collection, in its order, as far as the limit goes.
    ///
    /// - Complexity: O(*n*) for records in order.
    package func select(_ records: [CloudRecord]) -> Selection {
        var slots: [LiveSlot] = []
        slots.reserveCapacity(records.count)
        var isSorted = true
        for record in records where matches(record) {
            let boxed = LiveRecord(record, in: order)
            if isSorted, let last = slots.last { isSorted = order.precedes(last, boxed) }
            slots.append(LiveSlot(boxed))
        }
        if !isSorted { slots.sort { order.precedes($0, $1.boxed) } }
        if let limit, slots.count > limit { slots.removeSubrange(limit...) }
        return Selection(slots: slots)
    }

    /// Fills an empty collection with what was kept from an earlier run.
    package mutating func restore(_ selection: Selection, isComplete: Bool) {
        recordsByID.reserveCapacity(selection.count)
        known = ChunkedArray(selection.slots)
        for slot in selection.slots { recordsByID[slot.boxed.record.recordID] = slot.boxed }
        self.isComplete = isComplete
        horizon = isComplete ? nil : selection.slots.last?.record
    }

    /// The same without the table of IDs, whose copy would cost O(*n*) at the next change.
    var withoutIDs: LiveCollection {
        var copy = self
        copy.recordsByID = [:]
        return copy
    }

    /// Shows a record as it is now; nil takes it away.
    mutating func show(_ record: CloudRecord?, for recordID: CloudRecordID, isSeen: Bool = true) -> [LiveEvent] {
        switch (recordsByID[recordID], record) {
        case (nil, nil): return []
        case (nil, let record?): return insert(record)
        case (let old?, nil): return remove(old)
        case (let old?, let record?): return replace(old, with: record, isSeen: isSeen)
        }
    }

    private func position(of record: LiveRecord) -> Int {
        let position = known.partitioningIndex { !order.precedes($0, record) }
        if position < known.count, known[position].boxed === record { return position }
        // Only what has no order gets here, as a number that is none.
        return known.firstIndex { $0.boxed === record } ?? position
    }

    private func insertionPosition(for record: LiveRecord) -> Int {
        // Pages arrive in order.
        if let last = known.last, order.precedes(last, record) { return known.count }
        return known.partitioningIndex { order.precedes(record, $0) }
    }

    /// Whether a record lies where nothing was read yet.
    func isBeyondHorizon(_ record: CloudRecord) -> Bool {
        guard !isComplete, load == nil, let horizon else { return false }
        return order.precedes(horizon, record)
    }

    private mutating func insert(_ record: CloudRecord) -> [LiveEvent] {
        let boxed = LiveRecord(record, in: order)
        let position = insertionPosition(for: boxed)
        let pushedOut = overflow
        known.insert(LiveSlot(boxed), at: position)
        recordsByID[record.recordID] = boxed
        defer { trim() }
        guard position < limit ?? .max else { return [] }
        return pushedOut + [.inserted(record, at: position)]
    }

    private mutating func remove(_ old: LiveRecord) -> [LiveEvent] {
        let position = position(of: old)
        known.remove(at: position)
        recordsByID[old.record.recordID] = nil
        guard position < limit ?? .max else { return [] }
        return [.deleted(old.record.recordID, at: position)] + follower
    }

    private mutating func replace(_ old: LiveRecord, with record: CloudRecord, isSeen: Bool) -> [LiveEvent] {
        let boxed = LiveRecord(record, in: order)
        let from = position(of: old)
        let shown = limit ?? .max
        recordsByID[record.recordID] = boxed
        if old.prefix == boxed.prefix, order.relation(old.record, record) == .equal {
            known[from] = LiveSlot(boxed)
            guard from < shown else { return [] }
            return [isSeen ? .updated(record, at: from) : .refreshed(record, former: old.record, at: from)]
        }
        let pushedOut = overflow
        known.remove(at: from)
        let to = insertionPosition(for: boxed)
        known.insert(LiveSlot(boxed), at: to)
        switch (from < shown, to < shown) {
        case (true, true) where from == to:
            return [isSeen ? .updated(record, at: from) : .refreshed(record, former: old.record, at: from)]
        case (true, true): return [.moved(record, from: from, to: to)]
        case (true, false): return [.deleted(record.recordID, at: from)] + follower
        case (false, true): return pushedOut + [.inserted(record, at: to)]
        case (false, false): return []
        }
    }

    /// The step that takes the last record away to make room for another one, if as many as allowed are shown.
    private var overflow: [LiveEvent] {
        guard let limit, known.count >= limit, limit > 0 else { return [] }
        return [.deleted(known[limit - 1].record.recordID, at: limit - 1)]
    }

    /// The step that shows the record that was the first one beyond the limit.
    private var follower: [LiveEvent] {
        guard let limit, known.count >= limit, limit > 0 else { return [] }
        return [.inserted(known[limit - 1].record, at: limit - 1)]
    }

    /// Forgets what stands by in excess.
    private mutating func trim() {
        guard let limit, load == nil, known.count > limit + 2 * Self.spare(for: limit) else { return }
        while known.count > limit + Self.spare(for: limit) {
            recordsByID[known.remove(at: known.count - 1).record.recordID] = nil
        }
        isComplete = false
        horizon = known.last?.record
    }
}
