import CloudRecords
import Foundation
import ObjectMapping
import Testing

private struct Color: Equatable {
    var hex = 0
}

private struct BadColor: Error {}

private final class Ruled: CloudDataObject {
    var from = ""
    var scratch: () -> Void = {}
    var sent = 1
    var received = 1
    var color = Color()
    var tint: Color?
    var both = ""
    @Wrapped var wrapped = Color()

    override class var fieldRules: [FieldRule] {
        [
            .rename("from", to: "sender"), .ignore("scratch"), .exportOnly("sent"), .importOnly("received"),
            .convert("color", to: .int64, encode: encoded, decode: decoded),
            .convert(
                "tint",
                encode: { (color: Color?) in try color.flatMap(encoded) },
                decode: { value in try value.map { try decoded($0) } }
            ),
            .rename("both", to: "renamed"),
            .convert(
                "both",
                encode: { (text: String) in .bytes(Data(text.utf8)) },
                decode: { String(decoding: $0?.bytesValue ?? Data(), as: UTF8.self) }
            ),
            .convert("wrapped", encode: encoded, decode: decoded),
        ]
    }

    @Sendable private static func encoded(_ color: Color) throws -> CloudValue? {
        guard color.hex >= 0 else { throw BadColor() }
        return .int64(Int64(color.hex))
    }

    @Sendable private static func decoded(_ value: CloudValue?) throws -> Color {
        guard let value else { return Color(hex: 1) }
        guard let hex = value.int64Value else { throw BadColor() }
        return Color(hex: Int(hex))
    }
}

@propertyWrapper private struct Wrapped: CloudPropertyWrapper {
    var wrappedValue: Color
}

private final class WrongConversion: CloudDataObject {
    var color = Color()
    override class var fieldRules: [FieldRule] {
        [.convert("color", encode: { (text: String) in .string(text) }, decode: { $0?.stringValue ?? "" })]
    }
}

private final class UnknownRule: CloudDataObject {
    var colour = ""
    override class var fieldRules: [FieldRule] { [.rename("color", to: "c")] }
}

private final class Duplicate: CloudDataObject {
    var a = 0
    var b = 0
    override class var fieldRules: [FieldRule] { [.rename("b", to: "a")] }
}

private final class Street: CloudEmbeddedObject { var name = "" }

private final class EmbeddedDuplicate: CloudDataObject {
    var street = Street()
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var street__name = ""
}

private final class EmbeddedKeyDuplicate: CloudDataObject {
    var street = Street()
    var other = ""
    override class var fieldRules: [FieldRule] { [.rename("other", to: "street")] }
}

private final class Reserved: CloudDataObject {
    var share = false
}

private final class RenamedToReserved: CloudDataObject {
    var a = 0
    override class var fieldRules: [FieldRule] { [.rename("a", to: "creationDate")] }
}

private final class EmbeddedReserved: CloudDataObject {
    var parent = Street()
}

private final class Accented: CloudDataObject {
    // swift-format-ignore: IdentifiersMustBeASCII
    var größe = 0
}

private final class AccentedRenamed: CloudDataObject {
    // swift-format-ignore: IdentifiersMustBeASCII
    var größe = 0
    override class var fieldRules: [FieldRule] { [.rename("größe", to: "size")] }
}

private final class TooLong: CloudDataObject {
    var a = 0
    override class var fieldRules: [FieldRule] { [.rename("a", to: String(repeating: "a", count: 256))] }
}

/// Reserved words survive loading but not saving
private final class Ticket: CloudDataObject {
    // swift-format-ignore: AlwaysUseLowerCamelCase
    var description_ = ""
    var `class` = ""
    var `default` = ""
    var `in` = ""
    var order = ""
    var group = ""
    var select = ""
    var user = ""
}

@Suite struct FieldRuleTests {
    @Test func `fields have the names and types that the rules give them`() throws {
        let layout = try MappingPlan.plan(for: Ruled.self).layout
        #expect(layout.names == ["sender", "sent", "received", "color", "tint", "renamed", "wrapped"])
        #expect(layout.types == [.string, .int64, .int64, .int64, nil, nil, nil])
    }

    @Test func `renamed, ignored and one-way properties`() throws {
        let object = Ruled()
        object.from = "me"
        object.sent = 2
        object.received = 3
        let record = try object.toRecord()
        #expect(record["sender"] == .string("me"))
        #expect(record["sent"] == .int64(2))
        #expect(record.state(of: "received") == .absent)
        var stored = record
        stored["sent"] = .int64(7)
        stored["received"] = .int64(8)
        let loaded = try Ruled(record: stored)
        #expect(loaded.from == "me" && loaded.sent == 1 && loaded.received == 8)
        #expect(try Ruled(json: #"{"sender": "you", "sent": 9, "received": 10}"#).sent == 1)
        #expect(try Ruled(json: #"{"sender": "you", "sent": 9, "received": 10}"#).received == 10)
        #expect(try !object.toJSON().contains("received"))
    }

    @Test func `conversions run both ways, for optionals, strings and wrapped values too`() throws {
        let object = Ruled()
        object.color = Color(hex: 0xFF)
        object.tint = Color(hex: 2)
        object.both = "abc"
        object.wrapped = Color(hex: 3)
        let stored = try object.toRecord()
        #expect(stored["color"] == .int64(255) && stored["tint"] == .int64(2) && stored["wrapped"] == .int64(3))
        #expect(stored["renamed"] == .bytes(Data("abc".utf8)))
        let loaded = try Ruled(record: stored)
        #expect(loaded.color.hex == 255 && loaded.tint?.hex == 2 && loaded.both == "abc" && loaded.wrapped.hex == 3)
        object.tint = nil
        #expect(try object.toRecord().state(of: "tint") == .null)
        #expect(try roundTrip(object).tint == nil)
        let null = try Ruled(record: record(Ruled.self, ["color": nil]))
        #expect(null.color == Color(hex: 1), "a conversion is asked what null means")
    }

    @Test func `an error of a conversion names record and field`() throws {
        try expectLoadFailure(Ruled.self, field: "color", .string("red"))
        let object = Ruled()
        object.recordID = CloudRecordID("dark1")
        object.color = Color(hex: -1)
        let error = try cloudError(.invalidArguments) { _ = try object.toRecord() }
        #expect(error.message.contains("dark1") && error.field == "color")
    }

    @Test(arguments: [
        (WrongConversion.self as CloudDataObject.Type, "color"), (UnknownRule.self, "color"), (Duplicate.self, "b"),
        (EmbeddedDuplicate.self, "street__name"), (EmbeddedKeyDuplicate.self, "other"), (Reserved.self, "share"),
        (RenamedToReserved.self, "a"), (EmbeddedReserved.self, "parent"), (Accented.self, "größe"),
        (TooLong.self, "a"),
    ])
    func `a rule or name that can't be kept is an error that names class and property`(
        type: CloudDataObject.Type,
        property: String
    ) throws {
        let error = try cloudError(.mappingFailed) { _ = try MappingPlan.plan(for: type) }
        #expect(error.message.contains("\(type)"))
        #expect(error.message.contains("property \(property):"))
        #expect(error.field == property)
    }

    @Test func `names that are no field names offer .rename, which works`() throws {
        let error = try cloudError(.mappingFailed) { _ = try MappingPlan.plan(for: Accented.self) }
        #expect(error.remedy.contains(".rename(\"größe\""))
        let object = AccentedRenamed()
        object.größe = 4
        #expect(try object.toRecord()["size"] == .int64(4))
        #expect(try roundTrip(object).größe == 4)
    }

    @Test func `words that languages reserve are ordinary names`() throws {
        let ticket = Ticket()
        ticket.description_ = "1"
        ticket.class = "2"
        ticket.default = "3"
        ticket.in = "4"
        ticket.order = "5"
        ticket.group = "6"
        ticket.select = "7"
        ticket.user = "8"
        let names = ["description_", "class", "default", "in", "order", "group", "select", "user"]
        #expect(try MappingPlan.plan(for: Ticket.self).layout.names == names)
        #expect(try roundTrip(ticket) == ticket)
        let byClass: ObjectPredicate<Ticket> = \.class == "x"
        let byOrder: ObjectPredicate<Ticket> = \.order == "x"
        #expect(byClass.predicate == (try CloudPredicate(format: "class == 'x'")))
        #expect(byOrder.predicate == (try CloudPredicate(format: "order == 'x'")))
    }
}
