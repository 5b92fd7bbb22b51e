import CloudRecords
import Foundation
import ObjectMapping
import Testing

private class Item: CloudDataObject {
    var title = ""
    var tags: Set<String> = []
    var size: Int?
    var loads = 0

    override class var fieldRules: [FieldRule] { [.ignore("loads")] }
    override func didLoad() { loads += 1 }
    override func willSave() throws { Issue.record("mapping alone is no save") }
}

private final class SpecialItem: Item {}

private final class Picture: CloudDataObject {
    var front: CloudAsset?
    var pages: [CloudAsset] = []
    var title = ""
    var frame = Frame()
    var spare: Frame?
}

private final class Frame: CloudEmbeddedObject {
    var scan: CloudAsset?
}

@Suite struct CloudDataObjectTests {
    private func makeItem(_ name: String = "i1", title: String = "a") -> Item {
        let item = Item()
        item.recordID = CloudRecordID(name)
        item.title = title
        return item
    }

    private func storedItem() throws -> Item {
        var record = record(Item.self, ["title": .string("stored")])
        record.creationDate = Date(timeIntervalSinceReferenceDate: 1)
        record.modificationDate = Date(timeIntervalSinceReferenceDate: 2)
        record.creatorUserRecordID = CloudRecordID("_a")
        record.lastModifiedUserRecordID = CloudRecordID("_b")
        record.recordChangeTag = "7"
        return try Item(record: record)
    }

    @Test func `objects are equal when class, record ID and properties are, and then hash alike`() {
        let one = makeItem()
        let other = makeItem()
        one.tags = ["x", "y", "z"]
        other.tags = ["z", "y", "x"]
        #expect(one == other && other == one && one == one)
        #expect(one.hashValue == other.hashValue)
        #expect(Set([one, other]).count == 1)
        other.title = "b"
        #expect(one != other)
        #expect(
            one.hashValue == other.hashValue,
            "a hash that changes with the properties would lose the object in a set"
        )
        #expect(one != makeItem("i2"))
        let special = SpecialItem()
        special.recordID = one.recordID
        special.title = one.title
        special.tags = one.tags
        #expect(one != special && special != one)
        other.title = "a"
        other.size = 1
        #expect(one != other)
    }

    @Test func `what the store fills plays no part in equality`() throws {
        let stored = try storedItem()
        let fresh = makeItem("r1", title: "stored")
        #expect(stored == fresh && stored.hashValue == fresh.hashValue)
    }

    @Test func `new objects have record names of their own that stay`() {
        let item = Item()
        let recordID = item.recordID
        #expect(item.recordID == recordID)
        #expect(item.recordID != Item().recordID)
        #expect(UUID(uuidString: recordID.recordName) != nil)
    }

    @Test func `the description has class, record name and fields`() {
        let item = makeItem()
        #expect(item.description == #"Item i1 {title: "a", tags: [], size: nil}"#)
        #expect("\(item)" == item.description)
    }

    @Test func `assigning another record ID makes a new object, the same one changes nothing`() throws {
        let item = try storedItem()
        item.recordID = CloudRecordID("r1")
        #expect(item.recordChangeTag == "7" && item.storedRecord != nil)
        item.recordID = CloudRecordID("copy")
        #expect(item.creationDate == nil && item.modificationDate == nil && item.recordChangeTag == nil)
        #expect(item.creatorUserRecordID == nil && item.lastModifiedUserRecordID == nil)
        #expect(item.storedRecord == nil)
        #expect(item.title == "stored")
        #expect(try item.toRecord().recordID == CloudRecordID("copy"))
    }

    @Test func `didLoad runs once for each load, and not for a save`() throws {
        let item = try storedItem()
        #expect(item.loads == 1)
        let record = try item.toRecord()
        try item.adoptSaved(record, sentAs: record)
        #expect(item.loads == 1)
        try item.fill(from: record)
        #expect(item.loads == 2)
        #expect(try Item(json: try item.toJSON()).loads == 1)
        let plan = try MappingPlan.plan(for: Item.self)
        #expect(try plan.makeObject(Item.self, from: record, binding: plan.binding(for: record.layout)).loads == 1)
    }

    @Test func `the record as the store had it is kept beside the changes`() throws {
        let item = try storedItem()
        item.title = "changed"
        #expect(item.storedRecord?["title"] == .string("stored"))
        #expect(item.storedRecord?.recordChangeTag == "7")
        #expect(Item().storedRecord == nil)
    }

    @Test func `after a save the object has the store's system fields and assets, and keeps its other properties`()
        throws
    {
        let picture = Picture()
        let mine = CloudAsset(fileURL: URL(filePath: "/mine"))
        let kept = CloudAsset(fileURL: URL(filePath: "/kept"), contentName: "c1")
        picture.front = mine
        picture.pages = [mine, mine]
        picture.frame.scan = mine
        let sent = try picture.toRecord()
        var saved = sent
        picture.title = "changed while it was saved"
        saved["front"] = .asset(kept)
        saved["pages"] = .list([.asset(kept), .asset(kept)])
        saved["frame__scan"] = .asset(kept)
        saved.recordChangeTag = "1"
        try picture.adoptSaved(saved, sentAs: sent)
        #expect(picture.front == kept && picture.pages == [kept, kept] && picture.frame.scan == kept)
        #expect(picture.spare == nil)
        #expect(picture.recordChangeTag == "1")
        #expect(picture.title == "changed while it was saved")
    }

    @Test func `setting a property to nil makes its field null`() throws {
        let item = makeItem()
        item.size = 4
        let loaded = try Item(record: try item.toRecord())
        loaded.size = nil
        #expect(try loaded.toRecord().state(of: "size") == .null)
    }
}
