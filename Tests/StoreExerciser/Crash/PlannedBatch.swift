import CloudKitDao
import Foundation

/// What the batch with a number saves and deletes.
///
/// All of it follows from the number, so that the state of a database follows from the number of the last batch in it.
/// Batches go in lanes, which are saved at the same time and have records of their own, but share assets.
package struct PlannedBatch {
    package let lane: Int
    package let number: Int

    package init(lane: Int, number: Int) {
        self.lane = lane
        self.number = number
    }

    /// A record as it is planned: its assets by the numbers of their contents.
    package struct Record: Equatable {
        package let type: String
        package var fields: [String: CloudValue]
        package var contents: [String: [Int]]
    }

    package static func headName(lane: Int) -> String { "lane\(lane)-head" }

    private func name(_ what: String, of number: Int) -> String { "lane\(lane)-\(number)-\(what)" }

    private func reference(_ what: String, of number: Int, _ action: CloudReference.Action) -> CloudReference {
        CloudReference(recordID: CloudRecordID(name(what, of: number)), action: action)
    }

    /// The records to save; some are only parts of records that exist.
    private var saved: [(name: String, record: Record)] {
        let batch = CloudValue.int64(Int64(number))
        var records: [(String, Record)] = []
        func add(
            _ name: String,
            _ type: String,
            _ fields: [String: CloudValue] = [:],
            contents: [String: [Int]] = [:]
        ) {
            let fields = fields.merging(["batch": batch]) { first, _ in first }
            records.append((name, Record(type: type, fields: fields, contents: contents)))
        }
        add(Self.headName(lane: lane), "Head")
        add(name("parent", of: number), "Parent", contents: ["picture": [number % 50]])
        // A chain, and a list that also refers to the parent of the batch before.
        let parent = reference("parent", of: number, .deleteSelf)
        add(name("first", of: number), "Child", ["to": .reference(parent)], contents: ["picture": [number % 50]])
        let first = reference("first", of: number, .deleteSelf)
        let pictures = ["pictures": [number % 50, 100 + number * 3 % 70]]
        add(name("second", of: number), "Child", ["to": .reference(first)], contents: pictures)
        let parents = [parent, reference("parent", of: number - 1, .deleteSelf)].map(CloudValue.reference)
        add(name("third", of: number), "Child", ["all": .list(parents)])
        var loose = ["to": CloudValue.reference(reference("parent", of: number, .none))]
        if number.isMultiple(of: 4) { loose["grown\(number / 4)"] = batch }
        add(name("loose", of: number), "Loose", loose, contents: ["picture": [200 + number % 20]])
        if number > 2 {
            // The asset of an earlier record is replaced, and nothing else of it.
            let replaced = Record(type: "Loose", fields: [:], contents: ["picture": [300 + number]])
            records.append((name("loose", of: number - 2), replaced))
        }
        if number.isMultiple(of: 8) { add(name("grown", of: number), Self.grownType(number)) }
        return records
    }

    private static func grownType(_ number: Int) -> String { "Grown\(number / 8)" }

    private var deleted: [String] {
        (number > 3 ? [name("parent", of: number - 3)] : []) + (number > 8 ? [name("loose", of: number - 8)] : [])
    }

    /// What is deleted because it refers to something that is.
    private var cascade: [String] {
        guard number > 3 else { return [] }
        return ["first", "second", "third"].map { name($0, of: number - 3) } + [name("third", of: number - 2)]
    }

    /// The batch for a store, with its assets as files in a folder.
    func modification(sources: URL) throws -> CloudModification {
        let records = try saved.map { name, planned in
            var record = CloudRecord(recordType: planned.type, recordID: CloudRecordID(name))
            for (field, value) in planned.fields.sorted(by: { $0.key < $1.key }) { record[field] = value }
            for (field, numbers) in planned.contents.sorted(by: { $0.key < $1.key }) {
                let assets = try numbers.map { CloudValue.asset(try NumberedContent($0).asset(in: sources)) }
                record[field] = field == "pictures" ? .list(assets) : assets[0]
            }
            return record
        }
        return CloudModification(
            saving: records,
            deleting: deleted.map { CloudRecordID($0) },
            savePolicy: .allKeys,
            isAtomic: true
        )
    }

    /// The records of a lane in which so many batches were saved, by name.
    package static func records(lane: Int, after count: Int) -> [String: Record] {
        var records: [String: Record] = [:]
        for number in 0..<count {
            let batch = PlannedBatch(lane: lane, number: number + 1)
            for (name, record) in batch.saved {
                var merged = records[name] ?? record
                merged.fields.merge(record.fields) { _, new in new }
                merged.contents.merge(record.contents) { _, new in new }
                records[name] = merged
            }
            for name in batch.deleted + batch.cascade { records[name] = nil }
        }
        return records
    }
}
