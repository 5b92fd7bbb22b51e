import CloudKitDao
import CloudKitDaoTestSupport
import Testing

/// A live collection against a simple model.
@Suite struct LiveModel {
    @Test func `a collection is what the model says after each of many random steps`() throws {
        let seed = SeededGenerator.seed
        for run in 0..<400 {
            let seed = seed + UInt64(run)
            var model = try CollectionModel(seed: seed)
            for _ in 0..<60 {
                model.step()
                let shown = model.collection.records.map(Line.init)
                let story = Comment("seed \(seed): \(model.story.suffix(12))")
                try #require(shown == model.replayed.map(Line.init), story)
                if let expected = model.expected { try #require(shown == expected.map(Line.init), story) }
                for (index, record) in model.collection.records.enumerated() {
                    try #require(model.collection.index(of: record.recordID) == index, story)
                }
            }
            model.settle()
            let shown = model.collection.records.map(Line.init)
            try #require(shown == model.freshShown.map(Line.init), "seed \(seed): \(model.story.suffix(12))")
        }
    }

    /// What is to be seen of a record.
    private struct Line: Equatable {
        let name: String
        let values: [CloudValue?]

        init(_ record: CloudRecord) {
            name = record.recordID.recordName
            values = ["group", "rank", "title"].map { record[$0] }
        }
    }
}
