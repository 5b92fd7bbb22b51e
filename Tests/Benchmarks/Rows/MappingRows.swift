import CloudKitDao
import Foundation

/// Mapping in memory: a thousand different objects, again and again. Each result replaces an older one, whose freeing is
/// on the clock.
extension BenchmarkRow {
    static let mapping = [
        BenchmarkRow(contest: "map.toRecord") { _ in try toRecord() },
        BenchmarkRow(contest: "map.toObject") { _ in try await toObject() },
    ]

    private static let count = 1_000
    private static let passes = 100
    private static let slowPasses = 10

    /// Our record against one made by hand of the same content: identity, what a store fills, and the values in an
    /// array. The objects are new ones, with an ID.
    private static func toRecord() throws -> Contest {
        let samples = (0..<count).map(Sample.numbered)
        let floorSamples = samples.map(FloorSample.init)
        let codable = samples.map(CodableSample.init)
        let encoder = JSONEncoder()
        return Contest(
            name: "map.toRecord",
            ours: Contender("toRecord()") { try time(samples, passes) { try $0.toRecord() } },
            floor: Contender("by hand") { time(floorSamples, passes) { $0.record() } },
            others: [
                Contender("by hand, values only") { time(floorSamples, passes) { $0.values() } },
                Contender("Codable, own encoder") { try time(codable, slowPasses) { try FieldEncoder.fields(of: $0) } },
                Contender("JSONEncoder") { try time(codable, slowPasses) { try encoder.encode($0) } },
                Contender("Mirror walk") { time(floorSamples, slowPasses) { MirrorWalk.fields(of: $0) } },
            ]
        )
    }

    /// Our object against one filled by hand of the same content. The records are as a page of a query brings them,
    /// with all that the store fills.
    private static func toObject() async throws -> Contest {
        let store = try SQLiteStore.inMemory()
        let samples = (0..<count).map(Sample.numbered)
        try await CloudDao(store: store).save(samples)
        let records = try await store.page(CloudQuery(recordType: "Sample"), after: nil, limit: count).records
        await store.close()
        let floorRecords = samples.map { sample in
            let floorSample = FloorSample(sample)
            floorSample.stamp = FloorStamp(
                creationDate: sample.creationDate,
                modificationDate: sample.modificationDate,
                creator: sample.creatorUserRecordID?.recordName,
                modifier: sample.lastModifiedUserRecordID?.recordName,
                changeTag: sample.recordChangeTag
            )
            return floorSample.record()
        }
        let plan = try MappingPlan.plan(for: Sample.self)
        let binding = plan.binding(for: records[0].layout)
        let encoder = JSONEncoder()
        let decoder = JSONDecoder()
        let texts = try samples.map { try encoder.encode(CodableSample($0)) }
        return Contest(
            name: "map.toObject",
            ours: Contender("init(record:)") { try time(records, passes) { try Sample(record: $0) } },
            floor: Contender("by hand") { time(floorRecords, passes) { FloorSample($0) } },
            others: [
                Contender("as a page's object") {
                    try time(records, passes) { try plan.makeObject(Sample.self, from: $0, binding: binding) }
                },
                Contender("by hand, values only") { time(floorRecords, passes) { FloorSample($0.values) } },
                Contender("JSONDecoder") {
                    try time(texts, slowPasses) { try decoder.decode(CodableSample.self, from: $0) }
                },
            ]
        )
    }

    /// The nanoseconds for one of many results: the median of ten stretches, for a stretch is so short that whatever
    /// interrupts it would count for more than the work.
    private static func time<Input, Output>(
        _ inputs: [Input],
        _ passes: Int,
        _ map: (Input) throws -> Output
    ) rethrows -> Double {
        var results = [Output?](repeating: nil, count: inputs.count)
        let stretches = 10
        let times = try (0..<stretches).map { _ in
            try nanoseconds(per: inputs.count * passes / stretches) {
                for _ in 0..<passes / stretches {
                    for index in inputs.indices { results[index] = try map(inputs[index]) }
                }
            }
        }
        return median(times)
    }
}
