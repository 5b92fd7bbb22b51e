import CloudKitDao
import Foundation

extension BenchmarkRow {
    static let live = [liveApply, cacheRestore]

    /// One change by somebody else, by which a record moves to another place, in a collection of all objects. The floor
    /// is the same in a collection of a thousand.
    private static let liveApply = BenchmarkRow(contest: "live.apply") { workspace in
        let large = try LiveWorkload(objectCount: workspace.objectCount)
        let small = try LiveWorkload(objectCount: 1_000)
        return Contest(
            name: "live.apply",
            ours: Contender("\(workspace.objectCount) items") { large.nanosecondsPerChange() },
            floor: Contender("1000 items") { small.nanosecondsPerChange() }
        )
    }

    /// All objects of a cache file, as a live query restores them: read, checked, mapped and in order. The floor is the
    /// standard library's decoder on the same objects in a JSON file.
    private static let cacheRestore = BenchmarkRow(contest: "cache.restore") { workspace in
        let count = workspace.objectCount
        let samples = (0..<count).map(Sample.numbered)
        let order = OrderBy.ascending("rank")
        let collection = try LiveCollection(recordType: "Sample", predicate: .all, order: order)
        let file = CacheFile(CacheKey(container: "c", database: "d", user: "u", filter: "f"), in: workspace.folder)
        let records = try samples.map { sample in
            var record = try sample.toRecord()
            record.creationDate = sample.takenAt
            record.modificationDate = sample.takenAt
            record.creatorUserRecordID = CloudRecordID("somebody")
            record.lastModifiedUserRecordID = CloudRecordID("somebody")
            record.recordChangeTag = String(sample.rank, radix: 36)
            return record
        }
        try file.write(CacheContent(records: Array(collection.select(records).records), isComplete: true))
        let json = workspace.folder.appending(path: "samples.json")
        try JSONEncoder().encode(samples.map(CodableSample.init)).write(to: json)
        return Contest(
            name: "cache.restore",
            ours: Contender("restored") {
                try nanoseconds(per: count) {
                    guard let content = try file.read() else { throw UsageError("there is no cache file") }
                    let plan = try MappingPlan.plan(for: Sample.self)
                    var restored = try LiveCollection(recordType: "Sample", predicate: .all, order: order)
                    let selection = restored.select(content.records)
                    let binding = plan.binding(for: content.records[0].layout)
                    let objects = try selection.records.map {
                        try plan.makeObject(Sample.self, from: $0, binding: binding)
                    }
                    restored.restore(selection, isComplete: content.isComplete)
                    guard restored.count == count else { throw UsageError("objects are missing") }
                    return (restored, ChunkedArray(objects))
                }
            },
            floor: Contender("JSONDecoder") {
                try nanoseconds(per: count) {
                    try JSONDecoder().decode([CodableSample].self, from: Data(contentsOf: json))
                }
            },
            others: [
                Contender("read only") {
                    try nanoseconds(per: count) { try file.read() }
                }
            ]
        )
    }
}

/// A live collection of readings, sorted by score, and changes to it.
private final class LiveWorkload {
    private static let changeCount = 2_000

    private var collection: LiveCollection
    private var random = RandomNumbers(seed: 7)
    private var version = 0

    init(objectCount: Int) throws {
        collection = try LiveCollection(
            recordType: "Reading",
            predicate: "score >= 0",
            order: .ascending("score").descending("title")
        )
        let records = try Reading.numbered(0..<objectCount).map { try $0.toRecord() }
        collection.restore(collection.select(records), isComplete: true)
    }

    func nanosecondsPerChange() -> Double {
        let changes = (0..<Self.changeCount).map { _ -> (recordID: CloudRecordID, record: CloudRecord?) in
            let position = Int.random(in: 0..<collection.count, using: &random)
            var record = collection[position]
            version += 1
            record["score"] = .double(Double.random(in: 0..<1_000, using: &random))
            record.recordChangeTag = "\(version)"
            return (record.recordID, record)
        }
        return nanoseconds(per: changes.count) {
            var events = 0
            for change in changes {
                collection.beginRead()
                events += collection.take(fetched: [change]).events.count
            }
            return events
        }
    }
}
