import CloudRecords

/// All clients' subscriptions, so arranged that those a change concerns are found without looking at the others.
///
/// They are found by record type, and those that want a field to be equal to a value by that value. The predicates of
/// what is found, and of those without such a condition, look at the record before and after the change.
package struct SubscriptionIndex: Sendable {
    /// A subscription that asked for a change, and what the change is to it.
    package struct Match: Sendable {
        package let entry: SubscriptionEntry
        package let event: CloudSubscription.Event
    }

    private var entries: [Int64: SubscriptionEntry] = [:]
    private var queries: [String: QueryIndex] = [:]
    private var zones: [CloudZoneID: Group] = [:]
    private var database = Group()
    /// Counts all of them.
    private var all = Group()

    package init() {}

    /// The numbers of the subscriptions.
    var ids: Dictionary<Int64, SubscriptionEntry>.Keys { entries.keys }

    package mutating func add(_ entry: SubscriptionEntry) {
        entries[entry.id] = entry
        all.count(entry)
        switch entry.subscription.target {
        case .query(let recordType, _): queries[recordType, default: QueryIndex()].add(entry)
        case .zone(let zoneID): zones[zoneID, default: Group()].add(entry)
        case .database: database.add(entry)
        }
    }

    package mutating func remove(_ id: Int64) {
        guard let entry = entries.removeValue(forKey: id) else { return }
        all.discount(entry)
        switch entry.subscription.target {
        case .query(let recordType, _):
            queries[recordType]?.remove(entry)
            if queries[recordType]?.group.isEmpty == true { queries[recordType] = nil }
        case .zone(let zoneID):
            zones[zoneID]?.remove(entry)
            if zones[zoneID]?.isEmpty == true { zones[zoneID] = nil }
        case .database: database.remove(entry)
        }
    }

    /// Whether other clients than this one have any subscription.
    func hasOthers(than client: Int64?) -> Bool { all.hasOthers(than: client) }

    /// Whether other clients than this one may hear of changes of a record type in a zone.
    package func concerns(recordType: String, in zoneID: CloudZoneID, besides client: Int64?) -> Bool {
        database.hasOthers(than: client) || queries[recordType]?.group.hasOthers(than: client) == true
            || (!zones.isEmpty && zones[zoneID]?.hasOthers(than: client) == true)
    }

    /// The subscriptions of other clients that asked for a change, in the order in which they were made.
    ///
    /// - Parameters:
    ///   - before: The record as it was; nil if it is new.
    ///   - after: The record as it is now; nil if it was deleted.
    ///   - client: The client that makes the change.
    /// - Complexity: O(*m* + *o*) for *m* subscriptions that want a value that the record has or had, and *o* on the
    ///   type that want no particular value.
    package func matches(before: CloudRecord?, after: CloudRecord?, besides client: Int64?) -> [Match] {
        guard let record = after ?? before else { return [] }
        var matches: [Match] = []
        func look(_ entry: SubscriptionEntry) {
            guard entry.client != client, let event = entry.event(before: before, after: after) else { return }
            matches.append(Match(entry: entry, event: event))
        }
        queries[record.recordType]?.forEachCandidate(before: before, after: after, look)
        if !zones.isEmpty { zones[record.recordID.zoneID]?.entries.forEach(look) }
        database.entries.forEach(look)
        if matches.count > 1 { matches.sort { $0.entry.id < $1.entry.id } }
        return matches
    }

    /// Some subscriptions and how many of them each client has.
    struct Group: Sendable {
        private(set) var entries: [SubscriptionEntry] = []
        private var counts: [Int64: Int] = [:]

        var isEmpty: Bool { counts.isEmpty }

        mutating func add(_ entry: SubscriptionEntry) {
            entries.append(entry)
            count(entry)
        }

        mutating func remove(_ entry: SubscriptionEntry) {
            entries.removeAll { $0.id == entry.id }
            discount(entry)
        }

        /// Counts an entry that is kept elsewhere.
        mutating func count(_ entry: SubscriptionEntry) {
            counts[entry.client, default: 0] += 1
        }

        mutating func discount(_ entry: SubscriptionEntry) {
            let left = (counts[entry.client] ?? 0) - 1
            counts[entry.client] = left > 0 ? left : nil
        }

        /// Whether clients other than this one have any.
        func hasOthers(than client: Int64?) -> Bool {
            counts.count > (client.map { counts[$0] != nil } == true ? 1 : 0)
        }
    }
}

/// The subscriptions to records of one type.
private struct QueryIndex: Sendable {
    /// Counts all of them; has those that want no particular value.
    private(set) var group = SubscriptionIndex.Group()
    private var byField: [String: [EqualityKey: [SubscriptionEntry]]] = [:]

    mutating func add(_ entry: SubscriptionEntry) {
        guard let keys = entry.keys else { return group.add(entry) }
        group.count(entry)
        for (field, key) in Self.unique(keys) { byField[field, default: [:]][key, default: []].append(entry) }
    }

    mutating func remove(_ entry: SubscriptionEntry) {
        guard let keys = entry.keys else { return group.remove(entry) }
        group.discount(entry)
        for (field, key) in Self.unique(keys) {
            byField[field]?[key]?.removeAll { $0.id == entry.id }
            if byField[field]?[key]?.isEmpty == true { byField[field]?[key] = nil }
            if byField[field]?.isEmpty == true { byField[field] = nil }
        }
    }

    private static func unique(_ keys: [EqualityKey.Pair]) -> [EqualityKey.Pair] {
        if keys.count < 2 { return keys }
        var seen: [String: Set<EqualityKey>] = [:]
        return keys.filter { seen[$0.field, default: []].insert($0.key).inserted }
    }

    /// Calls the body once for each subscription whose predicate may match the record before or after.
    func forEachCandidate(before: CloudRecord?, after: CloudRecord?, _ body: (SubscriptionEntry) -> Void) {
        group.entries.forEach(body)
        // A subscription to several values may be found by the one before and by the one after.
        var seen: Set<Int64> = []
        func look(_ entries: [SubscriptionEntry]) {
            for entry in entries {
                if let keys = entry.keys, keys.count > 1, !seen.insert(entry.id).inserted { continue }
                body(entry)
            }
        }
        for (field, byKey) in byField {
            let new = after?[field].flatMap(EqualityKey.init)
            let old = before?[field].flatMap(EqualityKey.init)
            if let new, let entries = byKey[new] { look(entries) }
            if let old, old != new, let entries = byKey[old] { look(entries) }
        }
    }
}
