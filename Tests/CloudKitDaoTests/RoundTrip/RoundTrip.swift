import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// One class with a property of each kind, through the store and through JSON.
@Suite struct RoundTrip {
    private let folder: TestFolder
    private let sample: Everything

    init() throws {
        folder = try TestFolder()
        sample = Everything.sample(
            "all",
            asset: try folder.file("picture.bin", Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 * 7) })),
            otherAsset: try folder.file("empty.bin", Data())
        )
    }

    private func openDao() throws -> CloudDao {
        CloudDao(store: try SQLiteStore(path: folder.path("all.sqlite")))
    }

    private func saved(_ object: Everything) async throws -> Everything {
        try await openDao().save(object)
        return try #require(try await openDao().fetch(Everything.self, object.recordID))
    }

    /// The names of the properties that differ.
    private func differences(between left: Everything, and right: Everything) -> [String] {
        Everything.checks.filter { !$0.isEqual(left, right) }.map(\.name)
    }

    @Test func `the sample leaves no property at its initial value`() throws {
        #expect(Everything.checks.count >= 40)
        #expect(differences(between: sample, and: Everything()) == Everything.checks.map(\.name))
        let record = try sample.toRecord()
        let unset = record.layout.names.filter { record[$0] == nil }
        // What stays nil: an embedded object that is to stay nil, and three properties within the other ones.
        #expect(
            Set(unset) == [
                "missingOffice", "missingOffice__street", "missingOffice__number", "missingOffice__mood",
                "missingOffice__position__latitude", "missingOffice__position__longitude", "office__number",
                "office__mood",
            ]
        )
    }

    @Test func `every property comes back equal through another DAO on the same file`() async throws {
        let fetched = try await saved(sample)
        #expect(differences(between: fetched, and: sample) == [])
        #expect(fetched.missingOffice == nil)
        #expect(fetched.office?.number == nil)
        #expect(fetched.office?.mood == nil)
    }

    @Test func `a fetched object equals the saved one as a whole`() async throws {
        let fetched = try await saved(sample)
        #expect(fetched == sample)
        #expect(fetched.hashValue == sample.hashValue)
        #expect(fetched.recordChangeTag == sample.recordChangeTag)
        #expect(fetched.creationDate == sample.creationDate)
        #expect(fetched.modificationDate == sample.modificationDate)
        #expect(fetched.creatorUserRecordID == sample.creatorUserRecordID)
        #expect(fetched.lastModifiedUserRecordID == sample.lastModifiedUserRecordID)
        #expect(fetched.creationDate != nil)
        #expect(fetched.creatorUserRecordID != nil)
    }

    @Test func `dates come back to the last bit`() async throws {
        let fetched = try await saved(sample)
        let pairs = [
            (fetched.date, sample.date), (fetched.parentDate, sample.parentDate),
        ]
        for (back, original) in pairs + zip(fetched.dates, sample.dates) {
            #expect(
                back.timeIntervalSinceReferenceDate.bitPattern == original.timeIntervalSinceReferenceDate.bitPattern
            )
        }
        #expect(fetched.location.timestamp == sample.location.timestamp)
    }

    @Test func `optionals that are set to nil come back nil`() async throws {
        let dao = try openDao()
        try await dao.save(sample)
        for property in Mirror(reflecting: sample).children where "\(property.label ?? "")".hasPrefix("optional") {
            #expect("\(property.value)" != "nil", "\(property.label ?? "") is not set yet")
        }
        sample.clearOptionals()
        try await dao.save(sample)
        let fetched = try #require(try await openDao().fetch(Everything.self, sample.recordID))
        #expect(differences(between: fetched, and: sample) == [])
        #expect(fetched == sample)
        #expect(fetched.office == nil)
        #expect(fetched.asset == nil)
        #expect(fetched.grandparentNumber == nil)
        for property in Mirror(reflecting: fetched).children where "\(property.label ?? "")".hasPrefix("optional") {
            #expect("\(property.value)" == "nil", "\(property.label ?? "")")
        }
    }

    @Test func `a new object with nothing set comes back with its initial values`() async throws {
        let object = Everything()
        let fetched = try await saved(object)
        #expect(fetched == object)
        #expect(differences(between: fetched, and: Everything()) == [])
    }

    @Test func `a lazy property that was not evaluated leaves what is stored alone`() async throws {
        try await openDao().save(sample)
        let unevaluated = Everything()
        unevaluated.recordID = sample.recordID
        #expect(try unevaluated.toRecord().state(of: "computedOnce") == .absent)
        try await openDao().save(unevaluated, savePolicy: .allKeys)
        let fetched = try #require(try await openDao().fetch(Everything.self, sample.recordID))
        #expect(fetched.text == "")
        #expect(fetched.computedOnce == "assigned")
    }

    @Test func `an asset is read from the store's own copy`() async throws {
        let original = try #require(sample.asset?.fileURL)
        let bytes = try Data(contentsOf: original)
        let fetched = try await saved(sample)
        let copy = try #require(fetched.asset)
        #expect(copy.fileURL != original)
        #expect(sample.asset?.fileURL == copy.fileURL)
        try FileManager.default.removeItem(at: original)
        #expect(try copy.data() == bytes)
        #expect(try fetched.assets.map { try $0.data().count } == [0, bytes.count])
    }

    @Test func `a query gives the same object as a fetch`() async throws {
        let fetched = try await saved(sample)
        let found = try await openDao().query(Everything.self)
        #expect(found == [fetched])
        #expect(differences(between: try #require(found.first), and: sample) == [])
    }

    @Test func `every property comes back equal through JSON`() throws {
        let read = try Everything(json: try sample.toJSON())
        #expect(differences(between: read, and: sample) == [])
        #expect(read == sample)
        #expect(read.recordID == sample.recordID)
        #expect(read.missingOffice == nil)
    }

    @Test func `system fields come back through JSON too`() async throws {
        try await openDao().save(sample)
        let read = try Everything(json: try sample.toJSON(prettyPrinted: true))
        #expect(read.creationDate == sample.creationDate)
        #expect(read.modificationDate == sample.modificationDate)
        #expect(read.creatorUserRecordID == sample.creatorUserRecordID)
        #expect(read.recordChangeTag == sample.recordChangeTag)
        read.text = "changed on the way"
        try await openDao().save(read)
        #expect(try await openDao().fetch(Everything.self, "all")?.text == "changed on the way")
    }

    @Test func `nil and initial values come back through JSON`() throws {
        sample.clearOptionals()
        let read = try [Everything](json: try [sample, Everything()].toJSON())
        try #require(read.count == 2)
        #expect(differences(between: read[0], and: sample) == [])
        #expect(differences(between: read[1], and: Everything()) == [])
        #expect(read[0].office == nil)
    }
}

extension Everything {
    fileprivate func clearOptionals() {
        grandparentNumber = nil
        optionalText = nil
        optionalFlag = nil
        optionalInt = nil
        optionalUInt8 = nil
        optionalFloat = nil
        optionalDouble = nil
        optionalDecimal = nil
        optionalDate = nil
        optionalData = nil
        optionalUUID = nil
        optionalURL = nil
        optionalReference = nil
        optionalTarget = nil
        optionalLocation = nil
        optionalMood = nil
        optionalLevel = nil
        optionalDimensions = nil
        optionalTexts = nil
        optionalNumbers = nil
        optionalDictionary = nil
        asset = nil
        home.number = nil
        office = nil
    }
}
