import CloudKitDao
import Testing

extension StoreContract {
    /// Batches by chance, compared with a dictionary.
    static let randomBatches: [StorePromise] = [
        StorePromise("Any sequence of batches leaves what a dictionary would hold") { store in
            let seed = SeededGenerator.seed
            var generator = SeededGenerator(seed: seed)
            var model = StoreModel()
            for turn in 0..<60 {
                let batch = model.batch(
                    atRandom: &generator,
                    isAtomic: store.capabilities.supported.contains(.atomicBatches)
                )
                let result = try await store.modify(batch)
                let place = "seed \(seed), turn \(turn)"
                let expected = model.apply(batch)
                try #require(result.saved.map { $0.error?.code } == expected.saved, "\(place)")
                try #require(result.deleted.map { $0.error?.code } == expected.deleted, "\(place)")
                model.remember(result)
            }
            #expect(try await store.names() == model.fields.keys.sorted(), "seed \(seed)")
            for (name, fields) in model.fields {
                let record = try await store.fetch(name)
                for field in StoreModel.fieldNames {
                    #expect(record[field] == fields[field], "seed \(seed), \(field) of \(name)")
                }
                #expect(record.recordChangeTag == model.latest[name]?.recordChangeTag, "seed \(seed), \(name)")
            }
        }
    ]
}

/// What a store should hold, as a dictionary: the contract's rules written a second time.
private struct StoreModel {
    static let names = (0..<12).map { "r\($0)" }
    static let fieldNames = ["n", "t"]

    /// The values by record name and field.
    private(set) var fields: [String: [String: CloudValue]] = [:]
    /// The records as they were last saved; those that were deleted since, too.
    private(set) var latest: [String: CloudRecord] = [:]
    /// The versions that were saved once, stale ones among them.
    private var versions: [CloudRecord] = []
    /// The change tags that are current.
    private var tags: [String: String?] = [:]

    /// A batch of new, current and stale records, with some that are against the rules.
    func batch(atRandom generator: inout SeededGenerator, isAtomic: Bool) -> CloudModification {
        var names = Self.names.shuffled(using: &generator)
        var batch = CloudModification(
            savePolicy: generator.any([.ifServerRecordUnchanged, .changedKeys, .allKeys]),
            isAtomic: isAtomic && generator.once(in: 3)
        )
        for _ in 0..<generator.number(0..<5) {
            let name = names.removeLast()
            var record = item(name)
            if let current = latest[name], generator.number(0..<3) > 0 { record = current }
            if generator.once(in: 5), let stale = versions.filter({ $0.recordID.recordName == name }).first {
                record = stale
            }
            change(&record, &generator)
            batch.saving.append(record)
        }
        for _ in 0..<generator.number(0..<3) { batch.deleting.append(CloudRecordID(names.removeLast())) }
        return batch
    }

    private func change(_ record: inout CloudRecord, _ generator: inout SeededGenerator) {
        for field in Self.fieldNames where generator.once(in: 2) {
            switch generator.number(0..<6) {
            case 0: record[field] = nil
            case 1: record.setState(.absent, of: field)
            case 2 where generator.once(in: 4): record[field] = .double(.infinity)
            default:
                let number = generator.number(0..<100)
                record[field] = field == "n" ? .int64(Int64(number)) : .string("t\(number)")
            }
        }
    }

    /// Writes a batch into the dictionary and returns the error codes that a store gives.
    mutating func apply(_ batch: CloudModification) -> (saved: [CloudError.Code?], deleted: [CloudError.Code?]) {
        let codes = batch.saving.map { refusal(of: $0, batch.savePolicy) }
        let deleted = [CloudError.Code?](repeating: nil, count: batch.deleting.count)
        if batch.isAtomic, codes.contains(where: { $0 != nil }) {
            return (codes.map { $0 ?? .batchRequestFailed }, deleted.map { _ in .batchRequestFailed })
        }
        for (record, code) in zip(batch.saving, codes) where code == nil {
            for name in Self.fieldNames {
                switch record.state(of: name) {
                case .absent: continue
                case .null: fields[record.recordID.recordName, default: [:]][name] = nil
                case .value(let value): fields[record.recordID.recordName, default: [:]][name] = value
                }
            }
            if fields[record.recordID.recordName] == nil { fields[record.recordID.recordName] = [:] }
        }
        for recordID in batch.deleting {
            fields[recordID.recordName] = nil
            tags[recordID.recordName] = nil
        }
        return (codes, deleted)
    }

    private func refusal(of record: CloudRecord, _ policy: CloudSavePolicy) -> CloudError.Code? {
        if Self.fieldNames.contains(where: { record[$0] == .double(.infinity) }) { return .invalidArguments }
        guard let tag = tags[record.recordID.recordName] else {
            return record.recordChangeTag != nil && policy != .allKeys ? .unknownItem : nil
        }
        return policy == .ifServerRecordUnchanged && record.recordChangeTag != tag ? .serverRecordChanged : nil
    }

    /// Notes the versions that a store returned.
    mutating func remember(_ result: CloudModificationResult) {
        for case .success(let record) in result.saved {
            latest[record.recordID.recordName] = record
            tags[record.recordID.recordName] = record.recordChangeTag
            versions.append(record)
        }
    }
}
