import CloudKitDao
import CloudKitDaoTestSupport
import Foundation

/// A store, a live collection on it, and a simple model of what the collection is to show, driven by chance.
struct CollectionModel {
    private enum Write {
        case save(CloudRecord)
        case delete(CloudRecordID)

        var recordID: CloudRecordID {
            switch self {
            case .save(let record): record.recordID
            case .delete(let recordID): recordID
            }
        }
    }

    static let predicate: CloudPredicate = "group == 'a' AND rank >= 3"
    static let orders: [OrderBy] = [
        .ascending("rank"), .descending("rank").ascending("title"), .recordName, .descending("creationDate"),
        .descending("modificationDate"),
    ]

    private var random: SeededGenerator
    private let order: OrderBy
    private let limit: Int?

    // The store.
    private var stored: [CloudRecordID: CloudRecord] = [:]
    private var version = 0

    // The model: what the client has been told, and what it is writing.
    private var told: [CloudRecordID: CloudRecord] = [:]
    private var toldInLoad: Set<CloudRecordID>?
    private var writing: [(id: Int, write: Write, expected: CloudRecord?)] = []
    private var nextWrite = 0
    /// The records of which the client was notified.
    private var hints: Set<CloudRecordID> = []

    private(set) var collection: LiveCollection
    /// What the steps lead to.
    private(set) var replayed: [CloudRecord] = []
    private(set) var story: [String] = []

    init(seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        order = random.any(Self.orders)
        limit = random.once(in: 2) ? random.number(1..<6) : nil
        collection = try LiveCollection(recordType: "Item", predicate: Self.predicate, order: order, limit: limit)
        for _ in 0..<random.number(0..<12) { changeRemotely() }
        load()
        settle()
    }

    // MARK: Steps

    /// Does something by chance.
    mutating func step() {
        switch random.number(0..<12) {
        case 0...2: changeRemotely()
        case 3, 4: beginWrite()
        case 5, 6: endWrite()
        case 7, 8: readHints()
        case 9: echo()
        case 10: load()
        default: readHints(whileWriting: true)
        }
        if collection.needsRefill { load() }
    }

    /// Lets everything come to its end.
    mutating func settle() {
        while !writing.isEmpty || !hints.isEmpty || collection.needsRefill {
            if collection.needsRefill { load() }
            endWrite()
            readHints()
        }
    }

    private mutating func note(_ text: String) { story.append(text) }

    private mutating func anyID() -> CloudRecordID { CloudRecordID("r\(random.number(0..<14))") }

    private mutating func someFields(of recordID: CloudRecordID) -> CloudRecord {
        var record = CloudRecord(recordType: "Item", recordID: recordID)
        record["group"] = .string(random.once(in: 4) ? "b" : "a")
        record["rank"] = random.once(in: 8) ? nil : .int64(Int64(random.number(0..<9)))
        record["title"] = random.once(in: 4) ? nil : .string(random.any(["x", "y", "z"]))
        return record
    }

    private mutating func store(_ record: CloudRecord) -> CloudRecord {
        version += 1
        var saved = stored[record.recordID] ?? CloudRecord(recordType: "Item", recordID: record.recordID)
        for name in record.knownFieldNames { saved[name] = record[name] }
        let date = Date(timeIntervalSinceReferenceDate: Double(version))
        saved.creationDate = saved.creationDate ?? date
        saved.modificationDate = date
        saved.recordChangeTag = "\(version)"
        stored[record.recordID] = saved
        return saved
    }

    /// Another client saves or deletes.
    private mutating func changeRemotely() {
        let recordID = anyID()
        if random.once(in: 4) {
            stored[recordID] = nil
            note("remote delete \(recordID)")
        } else {
            let record = someFields(of: recordID)
            _ = store(record)
            note("remote save \(record)")
        }
        hints.insert(recordID)
    }

    private mutating func beginWrite() {
        let recordID = anyID()
        // The next save of a record waits for the one before.
        guard !writing.contains(where: { $0.write.recordID == recordID }) else { return }
        nextWrite += 1
        // Later than all that is stored, as in the store.
        let now = Date(timeIntervalSinceReferenceDate: Double(version + 1))
        if random.once(in: 3) {
            note("begin \(nextWrite): delete \(recordID)")
            writing.append((nextWrite, .delete(recordID), nil))
            replay(collection.begin(write: nextWrite, saving: [], deleting: [recordID], now: now))
        } else {
            let record = someFields(of: recordID)
            note("begin \(nextWrite): save \(record)")
            var expected = told[recordID] ?? CloudRecord(recordType: "Item", recordID: recordID)
            for name in record.knownFieldNames { expected[name] = record[name] }
            expected.creationDate = expected.creationDate ?? now
            expected.modificationDate = now
            writing.append((nextWrite, .save(record), expected))
            replay(collection.begin(write: nextWrite, saving: [record], deleting: [], now: now))
        }
    }

    /// - Returns: The record of which the client was told; nil if there was no news.
    @discardableResult
    private mutating func endWrite() -> CloudRecordID? {
        guard !writing.isEmpty else { return nil }
        let (id, write, _) = writing.remove(at: random.number(0..<writing.count))
        let isRefused = random.once(in: 3)
        note("end \(id)\(isRefused ? ", refused" : "")")
        let recordID = write.recordID
        var isNews = !isRefused
        switch (write, isRefused) {
        case (.save(let record), false):
            let saved = store(record)
            tell(saved, of: recordID)
            replay(collection.end(write: id, saved: [(recordID, .success(saved))], deleted: []))
        case (.delete, false):
            stored[recordID] = nil
            tell(nil, of: recordID)
            replay(collection.end(write: id, saved: [], deleted: [(recordID, .success(recordID))]))
        case (.save(let record), true):
            if let server = stored[recordID], random.once(in: 2) {
                isNews = true
                tell(server, of: recordID)
                let conflict = CloudError.conflict(client: record, server: server, ancestor: nil)
                replay(collection.end(write: id, saved: [(recordID, .failure(conflict))], deleted: []))
            } else {
                replay(collection.end(write: id, saved: [(recordID, .failure(Self.refusal))], deleted: []))
            }
        case (.delete, true):
            replay(collection.end(write: id, saved: [], deleted: [(recordID, .failure(Self.refusal))]))
        }
        return isNews ? recordID : nil
    }

    private static let refusal = CloudError(.permissionFailure, "No.")

    /// Reads what the client was notified of; a write may end between the read and its answer.
    private mutating func readHints(whileWriting: Bool = false) {
        let read = hints.sorted { $0.recordName < $1.recordName }
        hints = []
        note("read \(read)")
        collection.beginRead()
        let answer = read.map { ($0, stored[$0]) }
        let written = whileWriting ? endWrite() : nil
        for (recordID, record) in answer where recordID != written { tell(record, of: recordID) }
        replay(collection.take(fetched: answer))
    }

    /// The client hears of something that it knows.
    private mutating func echo() {
        guard
            let recordID = told.keys.sorted(by: { $0.recordName < $1.recordName }).first(where: { _ in
                random.once(in: 3)
            })
        else { return }
        note("echo \(recordID)")
        hints.insert(recordID)
        readHints()
    }

    /// Reads the whole, page by page, while others go on.
    private mutating func load() {
        note("load")
        collection.beginLoad()
        toldInLoad = []
        var cursor: CloudRecord?
        var readCount = 0
        let recordOrder = RecordOrder(order)
        var reachedEnd = false
        while !reachedEnd, readCount < collection.readLimit ?? .max {
            collection.beginRead()
            let rest = fresh.filter { record in cursor.map { recordOrder.precedes($0, record) } ?? true }
            let page = Array(rest.prefix(min(3, (collection.readLimit ?? .max) - readCount)))
            readCount += page.count
            reachedEnd = page.count == rest.count
            cursor = page.last ?? cursor
            let written = random.once(in: 4) ? endWrite() : nil
            for record in page {
                if record.recordID == written {
                    toldInLoad?.insert(record.recordID)
                } else {
                    tell(record, of: record.recordID)
                }
            }
            replay(collection.add(page: page))
            if reachedEnd { break }
            switch random.number(0..<6) {
            case 0: changeRemotely()
            case 1: beginWrite()
            case 2: endWrite()
            case 3: readHints(whileWriting: true)
            default: break
            }
        }
        replay(collection.endLoad(reachedEnd: reachedEnd))
        // What was not found is not there.
        told = told.filter { toldInLoad?.contains($0.key) ?? true }
        toldInLoad = nil
    }

    private mutating func tell(_ record: CloudRecord?, of recordID: CloudRecordID) {
        told[recordID] = matches(record) ? record : nil
        toldInLoad?.insert(recordID)
    }

    // MARK: Checks

    private func matches(_ record: CloudRecord?) -> Bool {
        guard let record, record["group"] == .string("a"), case .int64(let rank) = record["rank"] else { return false }
        return rank >= 3
    }

    private func sorted(_ records: some Sequence<CloudRecord>) -> [CloudRecord] {
        let order = RecordOrder(order)
        return records.filter(matches).sorted { order.precedes($0, $1) }
    }

    /// What a query would find now.
    var fresh: [CloudRecord] { sorted(stored.values) }

    /// What a query would show now.
    var freshShown: [CloudRecord] { Array(fresh.prefix(limit ?? .max)) }

    /// What the collection is to show; nil for a limited one, which does not know all.
    var expected: [CloudRecord]? {
        guard limit == nil else { return nil }
        var shown = told
        for (_, write, expected) in writing { shown[write.recordID] = expected }
        return sorted(shown.values)
    }

    private mutating func replay(_ answer: (events: [LiveEvent], stale: [CloudRecordID])) {
        hints.formUnion(answer.stale)
        replay(answer.events)
    }

    private mutating func replay(_ events: [LiveEvent]) {
        for event in events {
            switch event {
            case .inserted(let record, let index): replayed.insert(record, at: index)
            case .updated(let record, let index), .refreshed(let record, _, let index): replayed[index] = record
            case .moved(let record, let from, let to):
                replayed.remove(at: from)
                replayed.insert(record, at: to)
            case .deleted(let recordID, let index):
                precondition(replayed[index].recordID == recordID, "the record is where the step says")
                replayed.remove(at: index)
            }
        }
    }
}
