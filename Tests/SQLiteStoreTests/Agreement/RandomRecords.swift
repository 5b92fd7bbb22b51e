import CloudRecords
import Foundation
import SQLiteStore

/// A record type by chance, and values of its fields that records and predicates share.
struct RandomRecords {
    struct Field {
        let name: String
        let type: CloudFieldType
        /// What the records have, so that there are ties and predicates match.
        var values: [CloudValue]
    }

    static let recordType = "Item"
    /// A field that no record has.
    static let unknownField = Field(name: "nobody", type: .string, values: [.string("a")])

    private static let types: [CloudFieldType] = [
        .string, .string, .string, .int64, .int64, .double, .double, .date, .bytes, .location, .reference, .reference,
        .list(of: .string), .list(of: .int64), .list(of: .double), .list(of: .date), .list(of: .bytes),
        .list(of: .location), .list(of: .reference), .list(of: nil),
    ]

    /// Some differ only in case, some are words of SQL.
    private static let names = [
        "a", "A", "b", "order", "Select", "group", "text", "TEXT", "value", "key", "x_1", "rowid", "likes", "index",
    ]

    let fields: [Field]
    private(set) var random: RandomValues

    init(_ random: RandomValues) {
        var random = random
        let count = random.generator.number(5..<11)
        fields = Self.names.shuffled(using: &random.generator).prefix(count).map { name in
            let type = random.generator.any(Self.types)
            let values: [CloudValue] =
                type == .list(of: nil)
                ? [.list([])] : (0..<random.generator.number(1..<6)).map { _ in random.value(type) }
            return Field(name: name, type: type, values: values)
        }
        self.random = random
    }

    /// A record whose fields are values, null or absent.
    mutating func record(_ recordID: CloudRecordID) -> CloudRecord {
        var record = CloudRecord(
            layout: FieldLayout(
                recordType: Self.recordType,
                names: fields.map(\.name).shuffled(using: &random.generator)
            ),
            recordID: recordID
        )
        for field in fields {
            switch random.generator.number(0..<8) {
            case 0: break
            case 1: record.setState(.null, of: field.name)
            default: record[field.name] = random.generator.any(field.values)
            }
        }
        return record
    }

    /// Saves records by two users at two times, and returns them as they are stored.
    mutating func fill(_ stores: [SQLiteStore]) async throws -> [CloudRecord] {
        // In any order, which is not that of their names.
        for zone in RandomValues.zones.dropFirst().shuffled(using: &random.generator) {
            try await stores[0].saveZone(zone)
        }
        var ids: [CloudRecordID] = []
        for name in ["a", "b", "A", "a b", "a'\"%_", "~", "10", "9", "null"] {
            for zone in RandomValues.zones where zone.isDefault || random.generator.once(in: 3) {
                ids.append(CloudRecordID(name, zone: zone))
            }
        }
        ids.shuffle(using: &random.generator)
        var stored: [CloudRecordID: CloudRecord] = [:]
        func save(_ records: [CloudRecord], _ store: SQLiteStore) async throws {
            let result = try await store.modify(CloudModification(saving: records))
            for record in result.saved {
                let record = try record.get()
                stored[record.recordID] = record
            }
        }
        // The first record has all fields, so that the schema knows them.
        var first = record(CloudRecordID("first"))
        for field in fields { first[field.name] = random.generator.any(field.values) }
        try await save([first], stores[0])
        // Several batches at one time of the clock: their records have equal dates.
        for batch in stride(from: 0, to: ids.count, by: 5) {
            try await save(ids[batch..<min(batch + 5, ids.count)].map { record($0) }, random.generator.any(stores))
        }
        // Some are changed later: they lose fields, or keep those that the change doesn't know.
        let changed = stored.values.sorted { RecordOrder(.recordName).precedes($0, $1) }
            .filter { _ in random.generator.once(in: 4) }
        try await save(
            changed.map { old in
                var record = old
                let field = random.generator.any(fields)
                record.setState(.null, of: field.name)
                return record
            },
            stores[1]
        )
        return stored.values.sorted { RecordOrder(.recordName).precedes($0, $1) }
    }
}
