import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// Releases of an app that meet the records of other releases.
@Suite struct SchemaEvolution {
    let dao: CloudDao

    init() throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
    }

    private final class Plant: CloudDataObject {
        var name = ""
    }

    private final class WateredPlant: CloudDataObject {
        override class var recordType: String { "Plant" }
        var name = ""
        var water = 5
        var seenAt = Date(timeIntervalSinceReferenceDate: 0)
        var tags = ["none"]
    }

    @Test func `a new property has its initial value in old records, and queries see it once it is saved`() async throws
    {
        for number in 1...3 {
            let plant = Plant()
            plant.recordID = CloudRecordID("p\(number)")
            plant.name = "plant \(number)"
            try await dao.save(plant)
        }
        // Before any save of the new class the database has no such fields.
        #expect(try await dao.query(WateredPlant.self, where: \.water == 5).isEmpty)
        let plants = try await dao.query(WateredPlant.self, orderBy: .ascending(\.name))
        #expect(plants.map(\.water) == [5, 5, 5])
        #expect(plants.map(\.tags) == [["none"], ["none"], ["none"]])
        try await dao.save(plants[0])
        #expect(try await dao.query(WateredPlant.self, where: \.water == 5).map(\.name) == ["plant 1"])
        #expect(try await dao.query(WateredPlant.self, predicate: "water == nil").count == 2)
        let again = try await dao.query(WateredPlant.self, orderBy: .ascending(\.name))
        #expect(again.map(\.name) == ["plant 1", "plant 2", "plant 3"])
        #expect(again.map(\.water) == [5, 5, 5])
        #expect(try await dao.query(Plant.self).count == 3)
    }

    private final class Postmark: CloudDataObject {
        var title = ""
    }

    private final class SketchedPostmark: CloudDataObject {
        override class var recordType: String { "Postmark" }
        var title = ""
        var sketch: Data?
        var stamps: [String] = []
    }

    @Test(arguments: [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys])
    func `an old release leaves alone what only a newer one knows`(policy: CloudSavePolicy) async throws {
        let newer = SketchedPostmark()
        newer.title = "first"
        newer.sketch = Data([1, 2, 3])
        newer.stamps = ["blue"]
        try await dao.save(newer)
        let older = try #require(try await dao.fetch(Postmark.self, newer.recordID))
        older.title = "edited"
        try await dao.save(older, savePolicy: policy)
        let fetched = try #require(try await dao.fetch(SketchedPostmark.self, newer.recordID))
        #expect(fetched.title == "edited")
        #expect(fetched.sketch == Data([1, 2, 3]))
        #expect(fetched.stamps == ["blue"])
    }

    private final class Guide: CloudDataObject {
        var bio: String?
        var born: Date?
    }

    private final class RequiredGuide: CloudDataObject {
        override class var recordType: String { "Guide" }
        var bio = ""
        var born = Date(timeIntervalSinceReferenceDate: 0)
    }

    @Test func `a property that becomes required and optional again keeps its values`() async throws {
        let birthday = Date(timeIntervalSinceReferenceDate: 86_400)
        let (told, silent) = (Guide(), Guide())
        told.bio = "hello"
        told.born = birthday
        try await dao.save([told, silent])
        let requiredTold = try #require(try await dao.fetch(RequiredGuide.self, told.recordID))
        let requiredSilent = try #require(try await dao.fetch(RequiredGuide.self, silent.recordID))
        #expect(requiredTold.bio == "hello" && requiredTold.born == birthday)
        #expect(requiredSilent.bio == "" && requiredSilent.born == Date(timeIntervalSinceReferenceDate: 0))
        try await dao.save(requiredTold)
        #expect(try await dao.fetch(Guide.self, told.recordID)?.bio == "hello")
        #expect(try await dao.fetch(Guide.self, told.recordID)?.born == birthday)
        // Loading it was no reason to write; saving is.
        #expect(try await dao.fetch(Guide.self, silent.recordID)?.bio == nil)
        try await dao.save(requiredSilent)
        #expect(try await dao.fetch(Guide.self, silent.recordID)?.bio == "")
    }

    private final class NumberedPlant: CloudDataObject {
        override class var recordType: String { "Plant" }
        var name = 7
    }

    @Test func `a property that changes its type is refused, naming both types, and nothing is written`() async throws {
        let plant = Plant()
        plant.name = "fern"
        try await dao.save(plant)
        let error = await #expect(throws: CloudError.self) { try await dao.save(NumberedPlant()) }
        #expect(error?.code == .invalidArguments)
        #expect(error?.field == "name")
        #expect(error?.message.contains("INT64") == true && error?.message.contains("STRING") == true)
        let created = await #expect(throws: CloudError.self) { try await dao.createRecordTypes([NumberedPlant()]) }
        #expect(created?.field == "name")
        #expect(created?.message.contains("INT64") == true && created?.message.contains("STRING") == true)
        #expect(try await dao.query(Plant.self).map(\.name) == ["fern"])
    }

    @Test func `two programs on one file see what the other one adds`() async throws {
        let folder = try TestFolder()
        let old = CloudDao(store: try SQLiteStore(path: folder.path("both.sqlite")))
        let new = CloudDao(store: try SQLiteStore(path: folder.path("both.sqlite")))
        let plant = Plant()
        plant.name = "fern"
        try await old.save(plant)
        let watered = try #require(try await new.fetch(WateredPlant.self, plant.recordID))
        watered.water = 9
        try await new.save(watered)
        let seen = try #require(try await old.fetch(Plant.self, plant.recordID))
        seen.name = "tree fern"
        try await old.save(seen)
        #expect(try await new.fetch(WateredPlant.self, plant.recordID)?.water == 9)
        #expect(try await new.fetch(WateredPlant.self, plant.recordID)?.name == "tree fern")
        #expect(try await old.schema() == (try await new.schema()))
    }

    @Test func `in production a release waits for its schema to be deployed`() async throws {
        let folder = try TestFolder()
        let development = CloudDao(store: try SQLiteStore(path: folder.path("app.sqlite")))
        let production = CloudDao(store: try SQLiteStore(path: folder.path("app.sqlite"), environment: .production))
        let refused = await #expect(throws: CloudError.self) { try await production.save(Plant()) }
        #expect(refused?.code == .invalidArguments)
        #expect(refused?.message.contains("Plant") == true)
        #expect(refused?.remedy.contains("Deploy the schema first") == true)

        try await development.createRecordTypes([Plant()])
        try await development.deploySchema()
        let plant = Plant()
        plant.name = "fern"
        try await production.save(plant)

        // A newer release is refused as a whole, even where its new properties are nil.
        try await development.createRecordTypes([SketchedPostmark(), WateredPlant()])
        let newer = await #expect(throws: CloudError.self) { try await production.save(WateredPlant()) }
        #expect(["water", "seenAt", "tags"].contains(newer?.field))
        #expect(try await production.query(Plant.self).count == 1)
        #expect(try await production.query(SketchedPostmark.self).isEmpty)
        #expect(try await production.schema().recordTypes.map(\.name) == ["Plant"])
        try await development.deploySchema()
        try await production.save([WateredPlant(), SketchedPostmark()])
    }

    @Test func `an optional property that was never deployed is refused while it is still nil`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory(environment: .production))
        try await dao.createRecordTypes([Postmark()])
        let object = SketchedPostmark()
        let error = await #expect(throws: CloudError.self) { try await dao.save(object) }
        #expect(error?.field == "sketch")
        #expect(object.recordChangeTag == nil)
    }
}
