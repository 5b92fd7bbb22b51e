import CloudRecords
import Foundation
import ObjectMapping
import Synchronization
import Testing

private class Vehicle: CloudDataObject {
    private var serial = "none"
    var wheels = 4
    func setSerial(_ value: String) { serial = value }
    func getSerial() -> String { serial }
}

private class Car: Vehicle {
    fileprivate var doors: Int8? = 3
    private var flag = false
    func setFlag(_ value: Bool) { flag = value }
    func getFlag() -> Bool { flag }
}

private final class Taxi: Car {
    var rates: [Double] = []
    private var licence: String?
    func setLicence(_ value: String?) { licence = value }
    func getLicence() -> String? { licence }
}

/// Adds nothing to its superclass.
private final class PlainCar: Car {}

private final class Empty: CloudDataObject {}

private class Box<Content>: CloudDataObject {
    var content: Content?
}

private final class NamedBox<Content: Sendable>: CloudDataObject {
    var content: Content?
    var label = ""
    override class var recordType: String { "NamedBox" }
}

private final class StringBox: Box<String> {
    var size = 0
}

enum Marina {
    final class Berth: CloudDataObject {
        var length = 0.0
    }
}

private final class ShortShelf: CloudDataObject {
    var title = ""
    override class var recordType: String { "Shelf" }
}

private final class LongShelf: CloudDataObject {
    var title = ""
    var height = 0
    override class var recordType: String { "Shelf" }
}

private final class BadType: CloudDataObject {
    var a = 0
    override class var recordType: String { "my.type" }
}

private final class Talkative: CloudDataObject, CustomReflectable {
    var name = ""
    var age = 0
    var customMirror: Mirror { Mirror(self, children: ["wrong": 1, "other": "two"]) }
}

private final class Twin: Vehicle {
    var serial = "other"
}

private final class RenamedTwin: Vehicle {
    var serial = "other"
    override class var fieldRules: [FieldRule] { [.rename("serial", to: "ownSerial")] }
}

@Suite struct ClassTests {
    @Test func `properties of three classes, private ones included, come back`() throws {
        let taxi = Taxi()
        taxi.setSerial("A1")
        taxi.wheels = 6
        taxi.doors = nil
        taxi.setFlag(true)
        taxi.rates = [1.5, 2]
        taxi.setLicence("L")
        for loaded in [try roundTrip(taxi), try jsonRoundTrip(taxi)] {
            #expect(loaded.getSerial() == "A1")
            #expect(loaded.wheels == 6)
            #expect(loaded.doors == nil)
            #expect(loaded.getFlag())
            #expect(loaded.rates == [1.5, 2])
            #expect(loaded.getLicence() == "L")
        }
        #expect(
            try MappingPlan.plan(for: Taxi.self).layout.names == [
                "serial", "wheels", "doors", "flag", "rates", "licence",
            ]
        )
        #expect(try MappingPlan.plan(for: PlainCar.self).layout.names == ["serial", "wheels", "doors", "flag"])
    }

    @Test func `each class of a chain has its own plan`() throws {
        #expect(try MappingPlan.plan(for: Vehicle.self).layout.names == ["serial", "wheels"])
        #expect(try Vehicle(record: try Taxi().toRecord()).wheels == 4)
        #expect(try MappingPlan.plan(for: Car.self).layout.recordType == "Car")
    }

    @Test func `two private properties of one name in a chain are an error that says so`() throws {
        let error = try cloudError(.mappingFailed) { _ = try MappingPlan.plan(for: Twin.self) }
        #expect(error.message.contains("Twin") && error.message.contains("serial"))
        let twin = RenamedTwin()
        twin.setSerial("inner")
        twin.serial = "outer"
        let loaded = try roundTrip(twin)
        #expect(loaded.getSerial() == "inner" && loaded.serial == "outer", "the rule means the subclass's property")
    }

    @Test func `a class without properties is mapped to a record without fields`() throws {
        let record = try Empty().toRecord()
        #expect(record.layout.count == 0 && record.recordType == "Empty")
        #expect(try roundTrip(Empty()).recordID != Empty().recordID)
    }

    @Test func `a generic class has to override its record type`() throws {
        let error = try cloudError(.mappingFailed) { _ = try Box<Int>().toRecord() }
        #expect(error.message.contains("Box<Int>"))
        #expect(error.remedy.contains("recordType") && error.remedy.contains("generic"))
        let box = NamedBox<Date>()
        box.content = Date(timeIntervalSinceReferenceDate: 7)
        box.label = "seven"
        let loaded = try roundTrip(box)
        #expect(loaded.content == box.content && loaded.label == "seven")
        #expect(try fieldTypes(NamedBox<Date>.self)["content"] == .date)
        #expect(try fieldTypes(NamedBox<[Int]>.self)["content"] == .list(of: .int64))
        let sized = StringBox()
        sized.content = "x"
        sized.size = 2
        #expect(try roundTrip(sized).content == "x")
        #expect(try sized.toRecord().recordType == "StringBox")
    }

    @Test func `nested, private and local classes have plain record types`() throws {
        final class Local: CloudDataObject { var a = 0 }
        #expect(Marina.Berth.recordType == "Berth")
        #expect(Taxi.recordType == "Taxi")
        #expect(Local.recordType == "Local")
        #expect(try Local().toRecord().recordType == "Local")
        #expect(Taxi().recordType == "Taxi")
    }

    @Test func `an illegal record type is an error`() throws {
        let error = try cloudError(.mappingFailed) { _ = try BadType().toRecord() }
        #expect(error.message.contains("BadType") && error.message.contains("my.type"))
    }

    @Test func `two classes on one record type each map their own properties`() throws {
        let long = LongShelf()
        long.title = "tall"
        long.height = 9
        let record = try long.toRecord()
        let short = try ShortShelf(record: record)
        #expect(short.title == "tall")
        short.title = "low"
        let saved = try short.toRecord()
        #expect(saved.recordType == "Shelf")
        #expect(saved.state(of: "height") == .absent, "what the class doesn't know is left alone")
    }

    @Test func `a class that describes itself to Mirror in another way is mapped all the same`() throws {
        let object = Talkative()
        object.name = "Bo"
        object.age = 3
        let loaded = try roundTrip(object)
        #expect(loaded.name == "Bo" && loaded.age == 3)
    }

    @Test func `plans that are asked for by many tasks at once are one`() async throws {
        final class Fresh: CloudDataObject {
            var a = ""
            var b: Int?
            var c: [Date] = []
        }
        let plans = try await withThrowingTaskGroup(of: MappingPlan.self) { group in
            for _ in 0..<64 {
                group.addTask {
                    let object = Fresh()
                    object.a = "x"
                    let record = try object.toRecord()
                    _ = try Fresh(record: record)
                    _ = ObjectPredicate<Fresh>.all && \Fresh.a == "x"
                    return try MappingPlan.plan(for: Fresh.self)
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(plans.count == 64)
        #expect(plans.allSatisfy { $0 === plans[0] })
    }

    @Test func `records of several layouts are loaded by one plan from many tasks`() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for task in 0..<16 {
                group.addTask {
                    let name = task.isMultiple(of: 2) ? "wheels" : "serial"
                    for number in 0..<200 {
                        let value: CloudValue = name == "wheels" ? .int64(Int64(number)) : .string("\(number)")
                        let loaded = try Vehicle(record: record(Vehicle.self, ["x": .int64(1), name: value]))
                        #expect(loaded.wheels == (name == "wheels" ? number : 4))
                        #expect(loaded.getSerial() == (name == "wheels" ? "none" : "\(number)"))
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test func `a page's records are made into objects by one binding`() throws {
        let layout = FieldLayout(recordType: "Vehicle", names: ["wheels", "unknown", "serial"])
        var storage: ContiguousArray<FieldState> = []
        for number in 0..<10 {
            storage += [.value(.int64(Int64(number))), .null, .value(.string("s\(number)"))]
        }
        let plan = try MappingPlan.plan(for: Vehicle.self)
        let binding = plan.binding(for: layout)
        for number in 0..<10 {
            let fields = RecordFields(layout: layout, storage: storage, start: number * 3)
            let record = CloudRecord(recordID: CloudRecordID("r\(number)"), fields: fields)
            let object = try plan.makeObject(Vehicle.self, from: record, binding: binding)
            #expect(object.recordID.recordName == "r\(number)")
            #expect(object.wheels == number && object.getSerial() == "s\(number)")
        }
    }
}
