import CloudKitDao
import CloudKitDaoTestSupport
import Testing

@Suite struct ChunkedArrayTests {
    @Test func `it does what an array does`() throws {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        var array = Array(0..<random.number(0..<3_000))
        var chunked = ChunkedArray(array)
        for step in 0..<20_000 {
            if array.isEmpty || random.number(0..<10) < (step < 10_000 ? 6 : 3) {
                let position = random.once(in: 4) ? array.count : random.number(0..<array.count + 1)
                array.insert(step, at: position)
                chunked.insert(step, at: position)
            } else {
                let position = random.number(0..<array.count)
                try #require(chunked.remove(at: position) == array.remove(at: position), "seed \(seed)")
            }
            if step.isMultiple(of: 1_000) { try #require(Array(chunked) == array, "seed \(seed)") }
        }
        #expect(Array(chunked) == array && chunked.indices.map { chunked[$0] } == array, "seed \(seed)")
    }

    @Test func `it finds the border between two parts`() {
        for count in [0, 1, 2, 383, 384, 385, 1_000, 5_000] {
            let chunked = ChunkedArray(0..<count)
            for border in [0, 1, count / 2, count - 1, count] where border >= 0 {
                #expect(chunked.partitioningIndex { $0 >= border } == min(border, count))
            }
        }
    }

    @Test func `a copy stays what it was`() {
        let original = ChunkedArray(0..<1_000)
        var copy = original
        copy.remove(at: 500)
        copy.insert(-1, at: 3)
        #expect(Array(original) == Array(0..<1_000))
    }
}
