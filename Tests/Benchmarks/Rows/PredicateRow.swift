import CloudKitDao
import Foundation

extension BenchmarkRow {
    /// Four terms, the last of which a seventh of the records reach, on records that share a layout. The floor is a
    /// closure on the same records that knows where the fields are.
    static let predicate = BenchmarkRow(contest: "predicate.eval") { workspace in
        let records = try Reading.numbered(0..<workspace.objectCount).map { try $0.toRecord() }
        let predicate: CloudPredicate = "rank > 300 AND isChecked = 1 AND score < 500 AND category != 'category 007'"
        let compiled = try CompiledPredicate(predicate)
        let layout = records[0].layout
        guard let rank = layout.index(of: "rank"), let isChecked = layout.index(of: "isChecked"),
            let score = layout.index(of: "score"), let category = layout.index(of: "category")
        else { throw UsageError("a field is missing") }
        let matches = { (record: CloudRecord) -> Bool in
            record.fields.withValues { values in
                guard case .value(.int64(let rank)) = values[rank], rank > 300 else { return false }
                guard case .value(.int64(1)) = values[isChecked] else { return false }
                guard case .value(.double(let score)) = values[score], score < 500 else { return false }
                if case .value(.string("category 007")) = values[category] { return false }
                return true
            }
        }
        let expected = records.count(where: matches)
        func time(_ matches: (CloudRecord) -> Bool) throws -> Double {
            var found = 0
            let times = (0..<10).map { _ in
                nanoseconds(per: records.count) { found = records.count(where: matches) }
            }
            guard found == expected else { throw UsageError("\(found) of \(expected) records were found") }
            return median(times)
        }
        return Contest(
            name: "predicate.eval",
            ours: Contender("compiled") { try time { compiled.matches($0) } },
            floor: Contender("closure") { try time(matches) }
        )
    }
}
