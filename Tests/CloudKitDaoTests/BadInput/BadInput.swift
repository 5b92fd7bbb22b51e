import CloudKitDao
import Foundation
import Testing

/// Input that must not get into the store: each with an error that names record, field and remedy.
@Suite struct BadInput {
    let dao: CloudDao

    init() throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
    }

    /// The error of saving an object, after a look that nothing was written: neither in place of what was stored
    /// under the name before, nor beside it.
    private func refusal(of object: Sample) async throws -> CloudError {
        let name = object.recordID
        try await dao.save(Sample.named("neighbour"))
        let error = try #require(await #expect(throws: CloudError.self) { try await dao.save(object) })
        #expect(try await dao.query(Sample.self).map(\.recordID.recordName) == ["neighbour"])
        #expect(object.recordChangeTag == nil)
        #expect(error.recordID == name)
        #expect(error.message.contains(name.recordName.prefix(40)))
        #expect(!error.remedy.isEmpty)
        return error
    }

    // MARK: Record names

    @Test(arguments: [
        "", String(repeating: "n", count: 256), "_lead", "_", "tab\tname", "Ærø", "日本", "🍎", "nul\0", "line\n",
    ])
    func `a record name outside of the rules is refused`(name: String) async throws {
        try await dao.save(Sample.named("neighbour"))
        let sample = Sample.named(name)
        let error = try #require(await #expect(throws: CloudError.self) { try await dao.save(sample) })
        #expect(error.code == .invalidArguments)
        #expect(error.recordID == CloudRecordID(name))
        #expect(error.message.contains("record name"))
        #expect(!error.remedy.isEmpty)
        #expect(try await dao.query(Sample.self).map(\.recordID.recordName) == ["neighbour"])
    }

    @Test func `a record in a zone that does not exist is refused`() async throws {
        let sample = Sample()
        sample.recordID = CloudRecordID("s1", zone: CloudZoneID("nowhere"))
        let error = try await refusal(of: sample)
        #expect(error.code == .zoneNotFound)
        #expect(error.message.contains("nowhere"))
    }

    // MARK: Values

    @Test func `more than a megabyte of text is refused`() async throws {
        let sample = Sample.named("s1")
        sample.text = String(repeating: "x", count: 1_048_577)
        let error = try await refusal(of: sample)
        #expect(error.code == .limitExceeded)
        #expect(error.field == "text")
        #expect(error.message.contains("text"))
    }

    @Test func `more than a megabyte of bytes in several fields is refused, naming the largest`() async throws {
        let sample = Sample.named("s1")
        sample.bytes = Data(count: 800_000)
        sample.text = String(repeating: "x", count: 300_000)
        let error = try await refusal(of: sample)
        #expect(error.code == .limitExceeded)
        #expect(error.field == "bytes")
    }

    @Test func `just a megabyte is kept`() async throws {
        let sample = Sample.named("s1")
        sample.bytes = Data(repeating: 7, count: 1_040_000)
        try await dao.save(sample)
        #expect(try await dao.fetch(Sample.self, "s1")?.bytes == sample.bytes)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, .signalingNaN])
    func `a number that is none is refused`(number: Double) async throws {
        let sample = Sample.named("s1")
        sample.number = number
        let error = try await refusal(of: sample)
        #expect(error.code == .invalidArguments)
        #expect(error.field == "number")
    }

    @Test func `an infinite date is refused`() async throws {
        let sample = Sample.named("s1")
        sample.date = Date(timeIntervalSinceReferenceDate: .infinity)
        let error = try await refusal(of: sample)
        #expect(error.field == "date")
    }

    @Test func `a place off the globe is refused`() async throws {
        let sample = Sample.named("s1")
        sample.place = CloudLocation(latitude: 91, longitude: 0)
        let error = try await refusal(of: sample)
        #expect(error.field == "place")
    }

    @Test(arguments: [UInt64.max, UInt64(Int64.max) + 1])
    func `an integer beyond 63 bits is refused`(serial: UInt64) async throws {
        let sample = Sample.named("s1")
        sample.serial = serial
        let error = try await refusal(of: sample)
        #expect(error.code == .invalidArguments)
        #expect(error.field == "serial")
    }

    @Test(arguments: ["\0", "a\0b", "end\0"])
    func `a NUL in text is refused`(text: String) async throws {
        let sample = Sample.named("s1")
        sample.text = text
        let error = try await refusal(of: sample)
        #expect(error.code == .invalidArguments)
        #expect(error.field == "text")
        #expect(error.message.contains("NUL"))
    }

    @Test func `a NUL in an element of a list is refused`() async throws {
        let sample = Sample.named("s1")
        sample.tags = ["fine", "not\0fine"]
        let error = try await refusal(of: sample)
        #expect(error.field == "tags")
    }

    @Test func `an asset whose file is missing is refused`() async throws {
        let sample = Sample.named("s1")
        sample.picture = CloudAsset(fileURL: URL(filePath: "/nonexistent/picture.png"))
        let error = try await refusal(of: sample)
        #expect(error.code == .assetFileNotFound)
        #expect(error.field == "picture")
        #expect(error.message.contains("picture.png"))
    }

    @Test func `a reference to a record that can't exist is refused`() async throws {
        let sample = Sample.named("s1")
        sample.owner = CloudReference(recordID: CloudRecordID(""))
        let error = try await refusal(of: sample)
        #expect(error.field == "owner")
    }

    @Test func `a bad value does not overwrite what is stored`() async throws {
        let sample = Sample.named("s1")
        sample.text = "good"
        sample.tags = ["good"]
        try await dao.save(sample)
        sample.text = "changed"
        sample.number = .nan
        for policy in [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
            await #expect(throws: CloudError.self) { try await dao.save(sample, savePolicy: policy) }
        }
        let stored = try #require(try await dao.fetch(Sample.self, "s1"))
        #expect(stored.text == "good")
        #expect(stored.recordChangeTag == sample.recordChangeTag)
    }

    @Test func `a field keeps the type of its first value`() async throws {
        try await dao.save(Sample.named("s1"))
        let other = OtherSample()
        other.recordID = CloudRecordID("s2")
        let error = try #require(await #expect(throws: CloudError.self) { try await dao.save(other) })
        #expect(error.code == .invalidArguments)
        #expect(error.recordID == CloudRecordID("s2"))
        #expect(error.field == "number")
        #expect(error.message.contains("DOUBLE"))
        #expect(error.message.contains("STRING"))
        #expect(try await dao.query(Sample.self).count == 1)
    }

    @Test func `a record name that another type uses is refused`() async throws {
        try await dao.save(Message("s1"))
        let error = try await refusal(of: Sample.named("s1"))
        #expect(error.message.contains("Message"))
    }

    // MARK: Queries

    @Test(arguments: [0, -5])
    func `batches below one object are refused`(batchSize: Int) async throws {
        let error = await #expect(throws: CloudError.self) {
            for try await batch in dao.batches(of: Sample.self, batchSize: batchSize) {
                Issue.record("a batch of \(batch.count)")
            }
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.remedy.contains("batchSize") == true)
    }

    @Test func `a malformed literal is an error of the query that it is used in`() async throws {
        try await dao.save(Sample.named("s1"))
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Sample.self, predicate: "text == 'a' AND")
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.remedy.isEmpty == false)
    }

    @Test func `a malformed part of a compound predicate is an error too`() async throws {
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Sample.self, predicate: .none && "text ==")
        }
        #expect(error?.code == .invalidArguments)
    }

    @Test func `a key path to no stored property is an error of the query`() async throws {
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Sample.self, where: \.computed == 3)
        }
        #expect(error?.code == .invalidArguments)
        let orderError = await #expect(throws: CloudError.self) {
            try await dao.query(Sample.self, orderBy: .ascending(\.computed))
        }
        #expect(orderError?.code == .invalidArguments)
    }

    @Test func `a value of another type than the field's is refused`() async throws {
        try await dao.save(Sample.named("s1"))
        let error = await #expect(throws: CloudError.self) {
            try await dao.query(Sample.self, predicate: "text == \(3)")
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.message.contains("text") == true)
    }

    @Test(arguments: ["text == 'it''s' OR 1 == 1", "x'; DROP TABLE Sample; --", "%@", "\\"])
    func `a value in a literal is bound and never read as a predicate`(value: String) async throws {
        let sample = Sample.named("s1")
        sample.text = value
        try await dao.save([sample, Sample.named("neighbour")])
        let found = try await dao.query(Sample.self, predicate: "text == \(value)")
        #expect(found.map(\.recordID.recordName) == ["s1"])
    }

    // MARK: Errors of other kinds

    @Test func `an error of a class that is none of ours arrives as an internal error with its text`() async throws {
        struct Mishap: Error, CustomStringConvertible {
            let description = "the cat sat on the server"
        }
        let store = InterceptedStore(
            try SQLiteStore.inMemory(),
            onFetch: { _ in throw Mishap() },
            onModify: { _ in throw Mishap() },
            onPage: { _, _, _ in throw Mishap() }
        )
        let dao = CloudDao(store: store)
        for request in HandlerRequest.allCases {
            let calls = await HandlerReport.calls { request.start(on: dao, $0) }
            #expect(calls.completions.isEmpty)
            #expect(calls.errors.map(\.code) == [.internalError])
            #expect(calls.errors.first?.message.contains("the cat sat on the server") == true)
        }
    }

    @Test(arguments: [0, 2])
    func `a store that answers with the wrong number of results is found out`(count: Int) async throws {
        let base = try SQLiteStore.inMemory()
        let record = CloudRecord(recordType: "Sample")
        let store = InterceptedStore(
            base,
            onModify: { _ in
                CloudModificationResult(saved: Array(repeating: .success(record), count: count), deleted: [])
            }
        )
        let error = await #expect(throws: CloudError.self) {
            try await CloudDao(store: store).save(Sample.named("s1"))
        }
        #expect(error?.code == .internalError)
        #expect(error?.message.contains("SQLiteStore") == true)
    }
}

private final class Sample: CloudDataObject {
    var text = ""
    var number = 0.0
    var serial: UInt64 = 0
    var date: Date?
    var bytes: Data?
    var tags: [String] = []
    var place: CloudLocation?
    var picture: CloudAsset?
    var owner: CloudReference?
    var computed: Int { text.count }

    static func named(_ recordName: String) -> Sample {
        let sample = Sample()
        sample.recordID = CloudRecordID(recordName)
        return sample
    }
}

/// A class that would put text where Sample has numbers.
private final class OtherSample: CloudDataObject {
    override class var recordType: String { "Sample" }
    var number = "three"
}
