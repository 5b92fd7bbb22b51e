import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Address: CloudEmbeddedObject {
    var street = "none"
    var number: Int?
    var point: Point?
}

private final class Point: CloudEmbeddedObject {
    var x = 0.0
    var y: Double?
}

private final class Invoice: CloudDataObject {
    var billing = Address()
    var delivery: Address?
    var renamed = Point()

    override class var fieldRules: [FieldRule] { [.rename("renamed", to: "spot")] }
}

/// Nested object is rebuilt after the parent, so parent-made settings are lost
private final class Climate: CloudEmbeddedObject {
    var target = 20
    var pollSeconds = 60

    override class var fieldRules: [FieldRule] { [.ignore("pollSeconds")] }
}

private final class Greenhouse: CloudDataObject {
    var climate = Climate()

    required init() {
        super.init()
        climate.pollSeconds = 30
    }
}

/// Property whose type is a generic class cannot be created on load
private final class Lens: CloudEmbeddedObject {
    var diameter = 0.0
}

private final class Holder<Item: CloudEmbeddedObject>: CloudEmbeddedObject {
    var item = Item()
    var spare: Item?
}

private final class Telescope: CloudDataObject {
    var lens = Holder<Lens>()
    var second: Holder<Lens>?
}

private class Animal: CloudEmbeddedObject {
    var name = ""
}

private final class Dog: Animal {
    var breed = ""
}

private final class Owner: CloudDataObject {
    var pet = Animal()
    var dog: Dog?
}

private final class Attic: CloudDataObject {
    lazy var box = Address()
}

private final class OneWay: CloudDataObject {
    var sent = Point()
    var received: Point? = Point()

    override class var fieldRules: [FieldRule] { [.exportOnly("sent"), .importOnly("received")] }
}

@Suite struct EmbeddedObjectTests {
    @Test func `properties of embedded objects are fields with the prefix of their own`() throws {
        #expect(
            try MappingPlan.plan(for: Invoice.self).layout.names == [
                "billing__street", "billing__number", "billing__point", "billing__point__x", "billing__point__y",
                "delivery", "delivery__street", "delivery__number", "delivery__point", "delivery__point__x",
                "delivery__point__y", "spot__x", "spot__y",
            ]
        )
    }

    @Test func `embedded objects come back, two deep, from record and JSON`() throws {
        let invoice = Invoice()
        invoice.billing.street = "Main"
        invoice.billing.number = 4
        invoice.billing.point = Point()
        invoice.billing.point?.x = 1.5
        invoice.delivery = Address()
        invoice.delivery?.point = Point()
        invoice.delivery?.point?.y = -2
        invoice.renamed.x = 9
        for loaded in [try roundTrip(invoice), try jsonRoundTrip(invoice)] {
            #expect(loaded.billing.street == "Main")
            #expect(loaded.billing.number == 4)
            #expect(loaded.billing.point?.x == 1.5)
            #expect(loaded.billing.point?.y == nil)
            #expect(loaded.delivery?.street == "none")
            #expect(loaded.delivery?.number == nil)
            #expect(loaded.delivery?.point?.y == -2)
            #expect(loaded.renamed.x == 9)
            #expect(loaded == invoice)
        }
    }

    @Test func `nil is kept apart from an object whose properties are all nil`() throws {
        let invoice = Invoice()
        let record = try invoice.toRecord()
        #expect(record.state(of: "delivery") == .null)
        #expect(record.state(of: "delivery__point__x") == .null)
        #expect(try Invoice(record: record).delivery == nil)
        #expect(try jsonRoundTrip(invoice).delivery == nil)
        var present = CloudRecord(recordType: "Invoice")
        present["delivery"] = .int64(1)
        present["delivery__street"] = nil
        present["delivery__number"] = nil
        let loaded = try Invoice(record: present)
        #expect(loaded.delivery?.street == "none")
        #expect(try loaded.toRecord()["delivery"] == .int64(1))
    }

    @Test func `setting an embedded object to nil clears all its fields`() throws {
        let invoice = Invoice()
        invoice.delivery = Address()
        invoice.delivery?.street = "Side"
        let loaded = try roundTrip(invoice)
        loaded.delivery = nil
        let record = try loaded.toRecord()
        for name in record.layout.names where name.hasPrefix("delivery") { #expect(record.state(of: name) == .null) }
        #expect(try roundTrip(loaded).delivery == nil)
    }

    @Test func `a record without the presence field makes an object if any value is there`() throws {
        let loaded = try Invoice(record: record(Invoice.self, ["delivery__number": .int64(3)]))
        #expect(loaded.delivery?.number == 3)
        #expect(loaded.delivery?.street == "none")
        let absent = try Invoice(record: record(Invoice.self, ["billing__number": .int64(1)]))
        #expect(absent.delivery == nil)
    }

    @Test func `an embedded object is filled in place, and what is not stored stays`() throws {
        let saved = Greenhouse()
        saved.climate.target = 25
        let loaded = try roundTrip(saved)
        #expect(loaded.climate.target == 25)
        #expect(loaded.climate.pollSeconds == 30)
        let climate = loaded.climate
        try loaded.fill(from: record(Greenhouse.self, ["climate__target": .int64(18)]))
        #expect(loaded.climate === climate)
        #expect(climate.target == 18)
    }

    @Test func `a generic embedded class is made on load`() throws {
        let telescope = Telescope()
        telescope.lens.item.diameter = 8
        telescope.second = Holder<Lens>()
        telescope.second?.spare = Lens()
        telescope.second?.spare?.diameter = 2.5
        for loaded in [try roundTrip(telescope), try jsonRoundTrip(telescope)] {
            #expect(loaded.lens.item.diameter == 8)
            #expect(loaded.lens.spare == nil)
            #expect(loaded.second?.item.diameter == 0)
            #expect(loaded.second?.spare?.diameter == 2.5)
        }
    }

    @Test func `an object of a subclass is refused where only its superclass would be kept`() throws {
        let owner = Owner()
        owner.dog = Dog()
        owner.dog?.breed = "Corgi"
        owner.dog?.name = "Rex"
        #expect(try roundTrip(owner).dog?.breed == "Corgi")
        #expect(try roundTrip(owner).dog?.name == "Rex")
        owner.pet = Dog()
        let error = try cloudError(.mappingFailed) { _ = try owner.toRecord() }
        #expect(error.message.contains("Owner") && error.message.contains("pet") && error.message.contains("Dog"))
    }

    @Test func `a lazy embedded object is absent until it is evaluated, and loading makes it`() throws {
        let attic = Attic()
        let empty = try attic.toRecord()
        #expect(empty.knownFieldNames.isEmpty)
        #expect(try !attic.toJSON().contains("box"))
        attic.box.street = "Upstairs"
        #expect(try attic.toRecord()["box__street"] == .string("Upstairs"))
        #expect(try roundTrip(attic).box.street == "Upstairs")
        #expect(try jsonRoundTrip(attic).box.street == "Upstairs")
    }

    @Test func `one-way rules hold for embedded objects`() throws {
        let object = OneWay()
        object.sent.x = 1
        object.received?.x = 2
        let known = try object.toRecord().knownFieldNames
        #expect(known == ["sent__x", "sent__y"])
        let loaded = try OneWay(record: record(OneWay.self, ["sent__x": .double(5), "received__x": .double(6)]))
        #expect(loaded.sent.x == 0)
        #expect(loaded.received?.x == 6)
        let json = try object.toJSON()
        #expect(!json.contains("received"))
        #expect(try OneWay(json: json).received != nil, "what JSON leaves out keeps its initial value")
    }
}

private final class Band: CloudDataObject {
    var leader = Player()
}

private final class Player: CloudEmbeddedObject {
    var band: Group?
}

private final class Group: CloudEmbeddedObject {
    var member: Player?
}

private final class Knot: CloudEmbeddedObject {
    var next: Knot?
    var size = 0
}

private final class Rope: CloudDataObject {
    var first: Knot?
}

private final class Cut: CloudEmbeddedObject {
    var next: Cut?
    var size = 0

    override class var fieldRules: [FieldRule] { [.ignore("next")] }
}

private final class CutRope: CloudDataObject {
    var first = Cut()
    var last = Cut()
    var other: Cut?
}

@Suite struct EmbeddedCycleTests {
    @Test func `a cycle of embedded objects is an error with its path`() throws {
        let error = try cloudError(.mappingFailed) { _ = try MappingPlan.plan(for: Band.self) }
        #expect(error.message.contains("Band.leader.band.member"))
        let direct = try cloudError(.mappingFailed) { _ = try Rope().toRecord() }
        #expect(direct.message.contains("Rope.first.next"))
        #expect(direct.remedy.contains(".ignore(\"next\")"))
    }

    @Test func `what is ignored forms no cycle, and a class may be used twice side by side`() throws {
        let rope = CutRope()
        rope.first.size = 1
        rope.last.size = 2
        rope.first.next = rope.first
        let loaded = try roundTrip(rope)
        #expect(loaded.first.size == 1 && loaded.last.size == 2 && loaded.other == nil)
        rope.first.next = nil
    }
}
