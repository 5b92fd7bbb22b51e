import CloudRecords
import Testing

@Suite struct RecordIDsTests {
    private static func firstRepeat(_ ids: [CloudRecordID]) -> Int? {
        RecordIDs.firstRepeat(count: ids.count) { ids[$0] }
    }

    @Test func `an ID that stands in a list again is found`() {
        let notes = CloudZoneID("notes")
        let ids = ["a", "b", "c"].map { CloudRecordID($0) }
        #expect(Self.firstRepeat([]) == nil)
        #expect(Self.firstRepeat(ids) == nil)
        #expect(Self.firstRepeat(ids + [CloudRecordID("a", zone: notes)]) == nil)
        #expect(Self.firstRepeat(ids + [ids[1], ids[0]]) == 3)
        #expect(Self.firstRepeat([CloudRecordID("a", zone: notes), ids[0], CloudRecordID("a", zone: notes)]) == 2)
    }

    @Test func `names compare by bytes`() {
        #expect(Self.firstRepeat([CloudRecordID("caf\u{E9}"), CloudRecordID("cafe\u{301}")]) == nil)
    }

    @Test(arguments: SeededGenerator.seeds)
    func `the first repeat is the one that a set finds`(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<200 {
            let spread = Int.random(in: 1...400, using: &random)
            let ids = (0..<Int.random(in: 0..<60, using: &random)).map { _ in
                let number = Int.random(in: 0..<spread, using: &random)
                let name = String(repeating: "n", count: number % 20) + String(number)
                return number % 7 == 0 ? CloudRecordID(name, zone: CloudZoneID("z\(number % 3)")) : CloudRecordID(name)
            }
            var seen: Set<CloudRecordID> = []
            #expect(Self.firstRepeat(ids) == ids.firstIndex { !seen.insert($0).inserted })
        }
    }
}
