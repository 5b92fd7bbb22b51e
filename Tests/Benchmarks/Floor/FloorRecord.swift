import Foundation

/// The hand-written record: the values in an array, in the order of a shared schema, beside the identity and what a
/// store fills.
struct FloorRecord {
    let schema: FloorSchema
    var recordName: String
    var stamp: FloorStamp
    var values: ContiguousArray<FloorValue>
}

/// What a store fills.
struct FloorStamp {
    var creationDate: Date?
    var modificationDate: Date?
    var creator: String?
    var modifier: String?
    var changeTag: String?
}

final class FloorSchema: Sendable {
    let recordType: String
    let names: [String]

    init(recordType: String, names: [String]) {
        self.recordType = recordType
        self.names = names
    }

    static let sample = FloorSchema(
        recordType: "Sample",
        names: [
            "title", "category", "body", "count", "rank", "score", "takenAt", "isChecked", "remark", "rating",
        ]
    )
}

enum FloorValue {
    case null
    case string(String)
    case int64(Int64)
    case double(Double)
    case date(Date)
    case bytes(Data)
    case list([FloorValue])
}

/// The class that is mapped by hand: the ten properties of ``Sample``.
final class FloorSample {
    var recordName = ""
    var stamp = FloorStamp()
    var title = ""
    var category = ""
    var body = ""
    var count = 0
    var rank = 0
    var score = 0.0
    var takenAt = Date(timeIntervalSinceReferenceDate: 0)
    var isChecked = false
    var remark: String?
    var rating: Int?

    init() {}

    init(_ sample: Sample) {
        recordName = sample.recordID.recordName
        title = sample.title
        category = sample.category
        body = sample.body
        count = sample.count
        rank = sample.rank
        score = sample.score
        takenAt = sample.takenAt
        isChecked = sample.isChecked
        remark = sample.remark
        rating = sample.rating
    }

    /// The record, without identity if all that is wanted are the values.
    func record() -> FloorRecord {
        FloorRecord(schema: .sample, recordName: recordName, stamp: stamp, values: values())
    }

    /// The values alone.
    func values() -> ContiguousArray<FloorValue> {
        ContiguousArray(unsafeUninitializedCapacity: 10) { values, count in
            let first = values.baseAddress.unsafelyUnwrapped
            first.initialize(to: .string(title))
            (first + 1).initialize(to: .string(category))
            (first + 2).initialize(to: .string(body))
            (first + 3).initialize(to: .int64(Int64(self.count)))
            (first + 4).initialize(to: .int64(Int64(rank)))
            (first + 5).initialize(to: .double(score))
            (first + 6).initialize(to: .date(takenAt))
            (first + 7).initialize(to: .int64(isChecked ? 1 : 0))
            (first + 8).initialize(to: remark.map { .string($0) } ?? .null)
            (first + 9).initialize(to: rating.map { .int64(Int64($0)) } ?? .null)
            count = 10
        }
    }

    convenience init(_ record: FloorRecord) {
        self.init(record.values)
        recordName = record.recordName
        stamp = record.stamp
    }

    /// The object of values alone.
    init(_ values: ContiguousArray<FloorValue>) {
        if case .string(let value) = values[0] { title = value }
        if case .string(let value) = values[1] { category = value }
        if case .string(let value) = values[2] { body = value }
        if case .int64(let value) = values[3] { count = Int(value) }
        if case .int64(let value) = values[4] { rank = Int(value) }
        if case .double(let value) = values[5] { score = value }
        if case .date(let value) = values[6] { takenAt = value }
        if case .int64(let value) = values[7] { isChecked = value != 0 }
        if case .string(let value) = values[8] { remark = value }
        if case .int64(let value) = values[9] { rating = Int(value) }
    }
}
