import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// The files in which live collections are kept.
@Suite struct CacheFiles {
    private let folder: TestFolder
    private let key = CacheKey(container: "c", database: "public", user: "u", filter: "mine")

    init() throws {
        folder = try TestFolder()
    }

    private var file: CacheFile { CacheFile(key, in: folder.url) }

    private func stored(_ objects: [CloudDataObject]) async throws -> [CloudRecord] {
        let store = try SQLiteStore.inMemory()
        let dao = CloudDao(store: store)
        try await dao.save(objects)
        return try await store.fetch(objects.map(\.recordID), desiredFields: nil).map { try $0.get() }
    }

    private func bytes(_ file: CacheFile) throws -> Data { try Data(contentsOf: file.url) }

    @Test(arguments: [("", 0xEF46_DB37_51D8_E999), ("abc", 0x44BC_2CF5_AD77_0999)] as [(String, UInt64)])
    func `the checksum is the one that its definition gives`(text: String, sum: UInt64) {
        #expect(Checksum.of(text) == sum)
    }

    @Test func `every value comes back exactly`() async throws {
        let picture = try folder.file("picture", Data("pixels".utf8))
        let sample = Everything.sample("all", asset: picture, otherAsset: try folder.file("other", Data([1, 2])))
        let record = try #require(try await stored([sample]).first)
        try file.write(CacheContent(records: [record], isComplete: true))
        let content = try #require(try file.read())
        #expect(content.isComplete && content.records.count == 1)
        let restored = try Everything(record: content.records[0])
        #expect(Everything.checks.filter { !$0.isEqual(restored, sample) }.map(\.name) == [])
        #expect(restored.creationDate == record.creationDate && restored.modificationDate == record.modificationDate)
        #expect(restored.creatorUserRecordID == record.creatorUserRecordID)
        #expect(restored.recordChangeTag == record.recordChangeTag && record.recordChangeTag != nil)
    }

    @Test func `zones, users and odd numbers come back exactly`() throws {
        let zone = CloudZoneID("notes", ownerName: "somebody")
        let numbers: [Double] = [.nan, -0.0, .infinity, .leastNonzeroMagnitude, 0.1 + 0.2]
        let records = numbers.enumerated().map { index, number in
            var record = CloudRecord(recordType: "Item", recordID: CloudRecordID("r\(index)", zone: zone))
            record["number"] = .double(number)
            record["date"] = .date(Date(timeIntervalSinceReferenceDate: number))
            record["other"] = .reference(
                CloudReference(recordID: CloudRecordID("x", zone: CloudZoneID("z\(index)")), action: .deleteSelf)
            )
            record["empty"] = .list([])
            record["nothing"] = nil
            return record
        }
        try file.write(CacheContent(records: records, isComplete: false))
        let content = try #require(try file.read())
        #expect(!content.isComplete)
        for (read, written) in zip(content.records, records) {
            #expect(read.recordID == written.recordID && read["other"] == written["other"])
            #expect(read["number"]?.doubleValue?.bitPattern == written["number"]?.doubleValue?.bitPattern)
            #expect(read.state(of: "nothing") == .null && read.state(of: "unknown") == .absent)
            #expect(read["empty"] == .list([]))
        }
    }

    @Test func `an asset outlives the store that it came from`() async throws {
        let message = Message("m1")
        message.picture = CloudAsset(fileURL: try folder.file("picture", Data("pixels".utf8)))
        do {
            let records = try await stored([message])
            message.picture = nil
            try file.write(CacheContent(records: records, isComplete: true))
        }
        let restored = try Message(record: try #require(try file.read()).records[0])
        #expect(try restored.picture?.data() == Data("pixels".utf8))
        // It goes when nothing in the file refers to it.
        let kept = try #require(restored.picture?.fileURL)
        try file.write(CacheContent(records: [], isComplete: true))
        #expect(!FileManager.default.fileExists(atPath: kept.path))
    }

    @Test func `a class that lost and gained properties reads an older file`() async throws {
        let records = try await stored([Message("m1", from: "anna", text: "hello", likes: 3)])
        try file.write(CacheContent(records: records, isComplete: true))
        let record = try #require(try file.read()).records[0]
        #expect(try BriefMessage(record: record).text == "hello")
        let brief = BriefMessage()
        brief.text = "brief"
        try file.write(CacheContent(records: try await stored([brief]), isComplete: true))
        let message = try Message(record: try #require(try file.read()).records[0])
        #expect(message.text == "brief" && message.from == "" && message.likes == nil)
    }

    @Test func `a damaged file is an error, is set aside, and leaves room for a good one`() async throws {
        let records = try await stored(Message.numbered(1...40))
        try file.write(CacheContent(records: records, isComplete: true))
        let good = try bytes(file)
        var damaged: [Data] = [Data(), Data(count: good.count), Data("{\"no\": \"cache file\"}".utf8)]
        damaged += stride(from: 0, to: good.count, by: 64).map { good.prefix($0) }
        for position in stride(from: 0, to: good.count, by: 13) {
            var changed = good
            changed[position] ^= 0x10
            damaged.append(changed)
        }
        damaged.append(good + [0])
        for bytes in damaged {
            try bytes.write(to: file.url)
            let problem = #expect(throws: CacheProblem.self) { try file.read() }
            #expect(problem?.kind == .setAside)
            #expect(!FileManager.default.fileExists(atPath: file.url.path))
            #expect(try Data(contentsOf: file.url.appendingPathExtension("damaged")) == bytes)
            #expect(try file.read() == nil)
        }
        try file.write(CacheContent(records: records, isComplete: true))
        #expect(try file.read()?.records == records)
    }

    @Test func `a folder in the place of the file is set aside`() throws {
        try FileManager.default.createDirectory(at: file.url, withIntermediateDirectories: true)
        let problem = #expect(throws: CacheProblem.self) { try file.read() }
        #expect(problem?.kind == .setAside)
        try file.write(CacheContent(records: [], isComplete: true))
        #expect(try file.read()?.records == [])
    }

    @Test func `damage that the checksum misses is no crash`() async throws {
        let seed = SeededGenerator.seed
        var random = SeededGenerator(seed: seed)
        try file.write(CacheContent(records: try await stored(Message.numbered(1...5)), isComplete: true))
        let good = try bytes(file)
        for _ in 0..<3_000 {
            var changed = good
            for _ in 0..<random.number(1..<4) {
                changed[random.number(32..<changed.count)] = UInt8(random.number(0..<256))
            }
            if random.once(in: 3) { changed.removeLast(random.number(1..<changed.count - 32)) }
            changed.replaceSubrange(
                16..<24,
                with: withUnsafeBytes(of: UInt64(changed.count - 32).littleEndian) { Data($0) }
            )
            let sum = Data(changed[32...]).withUnsafeBytes { Checksum.of($0, seed: 1 << 32 | 1) }
            changed.replaceSubrange(24..<32, with: withUnsafeBytes(of: sum.littleEndian) { Data($0) })
            try changed.write(to: file.url)
            do {
                _ = try file.read()
            } catch {
                #expect(error.kind == .setAside, "seed \(seed)")
            }
        }
    }

    @Test func `a file of a later version is set aside, with an error that says so`() throws {
        try file.write(CacheContent(records: [], isComplete: true))
        var bytes = try bytes(file)
        bytes[8] = 9
        try bytes.write(to: file.url)
        let problem = #expect(throws: CacheProblem.self) { try file.read() }
        #expect(problem?.kind == .setAside && problem?.error.code == .incompatibleVersion)
    }

    @Test func `a file that can't be read is an error and is left as it is`() throws {
        // A link to itself: it is there, and can't be opened, whoever tries.
        let file = file
        try FileManager.default.createDirectory(
            at: file.url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.createSymbolicLink(at: file.url, withDestinationURL: file.url)
        let problem = #expect(throws: CacheProblem.self) { try file.read() }
        #expect(problem?.kind == .unreadable)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.url.path) == file.url.path)
    }

    @Test func `containers, databases, users and filters have files of their own`() throws {
        let long = String(repeating: "x", count: 400)
        let names = ["a", "A", "a/b", "a.b", "..", "", "ä", "%61", long, long + "y", "a\0b"]
        var keys: [CacheKey] = []
        for name in names {
            for part in [\CacheKey.container, \.database, \.user, \.filter] {
                var key = key
                key[keyPath: part] = name
                keys.append(key)
            }
        }
        for (index, key) in keys.enumerated() {
            var record = CloudRecord(recordType: "Item", recordID: CloudRecordID("r\(index)"))
            record["index"] = .int64(Int64(index))
            try CacheFile(key, in: folder.url).write(CacheContent(records: [record], isComplete: true))
        }
        // On a file system that tells no capitals from small letters too.
        #expect(Set(keys.map { CacheFile($0, in: folder.url).url.path.lowercased() }).count == keys.count)
        for (index, key) in keys.enumerated() {
            #expect(try CacheFile(key, in: folder.url).read()?.records.first?["index"] == .int64(Int64(index)))
        }
    }

    @Test func `a file in the place of another collection's is not taken for it`() throws {
        try file.write(CacheContent(records: [], isComplete: true))
        var other = key
        other.user = "another"
        let otherFile = CacheFile(other, in: folder.url)
        try FileManager.default.createDirectory(
            at: otherFile.url.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try FileManager.default.copyItem(at: file.url, to: otherFile.url)
        #expect(throws: CacheProblem.self) { try otherFile.read() }
    }

    @Test func `a write that fails leaves the former file`() async throws {
        let records = try await stored([Message("m1")])
        try file.write(CacheContent(records: records, isComplete: true))
        let temporary = file.url.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        #expect(throws: CloudError.self) { try file.write(CacheContent(records: [], isComplete: true)) }
        #expect(try file.read()?.records == records)
    }

    @Test func `a file is removed with its assets, and none is no error`() async throws {
        let message = Message("m1")
        message.picture = CloudAsset(fileURL: try folder.file("picture", Data("pixels".utf8)))
        try file.write(CacheContent(records: try await stored([message]), isComplete: true))
        try file.remove()
        try file.remove()
        let left = try FileManager.default.contentsOfDirectory(atPath: file.url.deletingLastPathComponent().path)
        #expect(left == [])
        #expect(try file.read() == nil)
    }
}
