import CloudRecords
import Foundation
import ObjectMapping
import Testing

private enum Kind: String { case text, picture }
private enum Level: Int {
    case low = 1
    case high = 2
}
private enum Small: UInt8 {
    case a = 200
    case b
}
private enum Ratio: Double {
    case half = 0.5
    case whole = 1
}
private enum Only: String { case one }
private enum Status: String, CloudFallback {
    case open, closed, other
    static var fallback: Status { .other }
}
private struct Price: RawRepresentable, Equatable { var rawValue: Decimal }
private struct Days: OptionSet, Hashable {
    let rawValue: Int
    static let saturday = Days(rawValue: 1)
    static let sunday = Days(rawValue: 2)
}
private struct Birthday: RawRepresentable { var rawValue: Date }
private struct Truth: RawRepresentable { var rawValue: Bool }

private final class Enums: CloudDataObject {
    var kind = Kind.text
    var level = Level.low
    var small = Small.a
    var ratio = Ratio.half
    var only = Only.one
    var status = Status.open
    var price = Price(rawValue: 1)
    var days: Days = []
    var birthday = Birthday(rawValue: Date(timeIntervalSinceReferenceDate: 0))
    var truth = Truth(rawValue: false)
    var optionalKind: Kind?
    var optionalLevel: Level?
    var optionalStatus: Status?
    var optionalDays: Days?
}

/// Array of enums is written as rubbish
private final class Orchard: CloudDataObject {
    enum Hazard: String { case frost, wasps }
    var hazards: [Hazard] = []
    var rare: Set<Hazard> = []
    var levels: [Level]?
    var states: [Status] = []
}

@Suite struct EnumTests {
    @Test func `enums and structs over raw values come back without any conformance`() throws {
        let object = Enums()
        object.kind = .picture
        object.level = .high
        object.small = .b
        object.ratio = .whole
        object.status = .closed
        object.price = Price(rawValue: Decimal(string: "9.99")!)
        object.days = [.saturday, .sunday]
        object.birthday = Birthday(rawValue: Date(timeIntervalSinceReferenceDate: 0.1))
        object.truth = Truth(rawValue: true)
        object.optionalKind = .picture
        object.optionalLevel = .high
        object.optionalStatus = .closed
        object.optionalDays = []
        for loaded in [try roundTrip(object), try jsonRoundTrip(object)] {
            #expect(loaded.kind == .picture)
            #expect(loaded.level == .high)
            #expect(loaded.small == .b)
            #expect(loaded.ratio == .whole)
            #expect(loaded.only == .one)
            #expect(loaded.status == .closed)
            #expect(loaded.price.rawValue == Decimal(string: "9.99")!)
            #expect(loaded.days == [.saturday, .sunday])
            #expect(loaded.birthday.rawValue == object.birthday.rawValue)
            #expect(loaded.truth.rawValue)
            #expect(loaded.optionalKind == .picture)
            #expect(loaded.optionalLevel == .high)
            #expect(loaded.optionalStatus == .closed)
            #expect(loaded.optionalDays == [])
        }
        let empty = try roundTrip(Enums())
        #expect(empty.optionalKind == nil && empty.optionalLevel == nil && empty.optionalDays == nil)
    }

    @Test func `fields have the type of the raw value`() throws {
        let types = try fieldTypes(Enums.self)
        #expect(types["kind"] == .string)
        #expect(types["level"] == .int64)
        #expect(types["ratio"] == .double)
        #expect(types["price"] == .string)
        #expect(types["days"] == .int64)
        #expect(types["birthday"] == .date)
        #expect(types["truth"] == .int64)
        #expect(types["optionalKind"] == .string)
        #expect(try fieldTypes(Orchard.self)["hazards"] == .list(of: .string))
        #expect(try fieldTypes(Orchard.self)["levels"] == .list(of: .int64))
    }

    @Test func `lists of enums are lists of raw values, in order and with repeats`() throws {
        let orchard = Orchard()
        orchard.hazards = [.frost, .wasps, .frost]
        orchard.rare = [.wasps]
        orchard.levels = [.high]
        let record = try orchard.toRecord()
        #expect(record["hazards"] == .list([.string("frost"), .string("wasps"), .string("frost")]))
        for loaded in [try roundTrip(orchard), try jsonRoundTrip(orchard)] {
            #expect(loaded.hazards == [.frost, .wasps, .frost])
            #expect(loaded.rare == [.wasps])
            #expect(loaded.levels == [.high])
        }
    }

    @Test func `an unknown raw value is an error that names record, field and value`() throws {
        let error = try cloudError(.mappingFailed) {
            _ = try Enums(record: record(Enums.self, name: "future1", ["kind": .string("video")]))
        }
        #expect(error.message.contains("future1") && error.message.contains("kind") && error.message.contains("video"))
        #expect(error.field == "kind")
        try expectLoadFailure(Enums.self, field: "level", .int64(7))
        try expectLoadFailure(Orchard.self, field: "hazards", .list([.string("frost"), .string("hail")]))
        try expectLoadFailure(Orchard.self, field: "levels", .list([.int64(9)]))
    }

    @Test func `an unknown raw value loads as nil into an optional and survives the next save`() throws {
        let loaded = try Enums(
            record: record(Enums.self, ["optionalKind": .string("video"), "optionalLevel": .int64(9)])
        )
        #expect(loaded.optionalKind == nil && loaded.optionalLevel == nil)
        let saved = try loaded.toRecord()
        #expect(saved["optionalKind"] == .string("video"))
        #expect(saved["optionalLevel"] == .int64(9))
    }

    @Test func `a property that was changed overwrites an unknown value, for good`() throws {
        let loaded = try Enums(
            record: record(Enums.self, ["optionalKind": .string("video"), "status": .string("lost")])
        )
        loaded.optionalKind = .text
        loaded.status = .closed
        let saved = try loaded.toRecord()
        #expect(saved["optionalKind"] == .string("text"))
        #expect(saved["status"] == .string("closed"))
        try loaded.adoptSaved(saved, sentAs: saved)
        loaded.optionalKind = nil
        loaded.status = .other
        #expect(try loaded.toRecord().state(of: "optionalKind") == .null)
        #expect(try loaded.toRecord()["status"] == .string("other"))
    }

    @Test func `a later load replaces an unknown value`() throws {
        let loaded = try Enums(record: record(Enums.self, ["optionalKind": .string("video")]))
        try loaded.fill(from: record(Enums.self, ["optionalKind": nil]))
        #expect(try loaded.toRecord().state(of: "optionalKind") == .null)
    }

    @Test func `an unknown value loads as the fallback and survives, in a list too`() throws {
        let stored = record(Enums.self, ["status": .string("lost"), "optionalStatus": .string("found")])
        let loaded = try Enums(record: stored)
        #expect(loaded.status == .other && loaded.optionalStatus == .other)
        #expect(try loaded.toRecord()["status"] == .string("lost"))
        #expect(try loaded.toRecord()["optionalStatus"] == .string("found"))
        let list = CloudValue.list([.string("open"), .string("lost"), .string("other")])
        let orchard = try Orchard(record: record(Orchard.self, ["states": list]))
        #expect(orchard.states == [.open, .other, .other])
        #expect(try orchard.toRecord()["states"] == list)
        orchard.states.removeLast()
        #expect(try orchard.toRecord()["states"] == .list([.string("open"), .string("other")]))
    }

    @Test func `an unknown value survives JSON`() throws {
        let loaded = try Enums(
            record: record(Enums.self, ["optionalKind": .string("video"), "status": .string("lost")])
        )
        let copy = try jsonRoundTrip(loaded)
        #expect(copy.optionalKind == nil && copy.status == .other)
        #expect(try copy.toRecord()["optionalKind"] == .string("video"))
        #expect(try copy.toRecord()["status"] == .string("lost"))
        #expect(copy == loaded)
    }
}
