import CloudKitDao
import Foundation

/// Looking at records in memory: a compiled predicate beside a closure that is written for it.
enum Evaluation {
    /// Measures a predicate of three comparisons, and prints the times and their ratio.
    static func measure(recordCount: Int) throws {
        let records = records(recordCount)
        let compiled = try CompiledPredicate("count > \(500) AND score < \(13_000.5) AND category == \("category 7")")
        var figures: [(compiled: Double, closure: Double)] = []
        // The first round warms up and is not counted.
        for round in 0...5 {
            let clock = ContinuousClock()
            var counts: [Int] = []
            let first = clock.measure { counts.append(records.count { compiled.matches($0) }) }
            let second = clock.measure { counts.append(records.count { matches($0) }) }
            guard counts[0] == counts[1], counts[0] > 0 else {
                throw CloudError(
                    .internalError,
                    "The predicate matches \(counts[0]) records, the closure \(counts[1])."
                )
            }
            if round > 0 { figures.append((first.nanoseconds, second.nanoseconds)) }
        }
        let count = Double(recordCount)
        print("predicate of 3 terms      \(decimal(median(figures.map(\.compiled)) / count)) ns a record")
        print("closure of 3 terms        \(decimal(median(figures.map(\.closure)) / count)) ns a record")
        print("predicate / closure       \(decimal(median(figures.map { $0.compiled / $0.closure })))")
    }

    /// The same condition by hand, which knows where the fields are.
    private static func matches(_ record: CloudRecord) -> Bool {
        guard
            case .value(.int64(let count)) = record.fields[0], count > 500,
            case .value(.double(let score)) = record.fields[1], score < 13_000.5,
            case .value(.string(let category)) = record.fields[2]
        else { return false }
        return category == "category 7"
    }

    /// Records as pages have them, with one layout for all and their values in one array for each page.
    private static func records(_ count: Int) -> [CloudRecord] {
        let layout = FieldLayout(
            recordType: "Reading",
            names: ["count", "score", "category"],
            types: [.int64, .double, .string]
        )
        var records: [CloudRecord] = []
        for start in stride(from: 0, to: count, by: Benchmarks.batchSize) {
            var values: ContiguousArray<FieldState> = []
            for number in start..<start + Benchmarks.batchSize {
                values.append(.value(.int64(Int64(number * 7_919 % count))))
                values.append(.value(.double(Double(number) / 7)))
                values.append(.value(.string("category \(number % 100)")))
            }
            for index in 0..<Benchmarks.batchSize {
                let fields = RecordFields(layout: layout, storage: values, start: index * layout.count)
                records.append(CloudRecord(recordID: CloudRecordID("reading-\(start + index)"), fields: fields))
            }
        }
        return records
    }
}
