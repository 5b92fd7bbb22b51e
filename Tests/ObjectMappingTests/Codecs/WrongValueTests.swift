import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Target: CloudDataObject {
    var text = "initial"
    var number = 5
    var tiny: Int8 = 5
    var unsigned: UInt = 5
    var flag = true
    var real = 5.0
    var single: Float = 5
    var decimal: Decimal = 5
    var date = Date(timeIntervalSinceReferenceDate: 5)
    var data = Data([5])
    var identifier = UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")!
    var link = URL(string: "https://example.org")!
    var reference = CloudReference(recordID: CloudRecordID("five"))
    var place = CloudLocation(latitude: 5, longitude: 5)
    var picture = CloudAsset(fileURL: URL(filePath: "/five"))
    var optionalText: String? = "initial"
    var optionalNumber: Int? = 5
    var optionalFlag: Bool? = true
    var optionalReal: Double? = 5
    var optionalDate: Date? = Date(timeIntervalSinceReferenceDate: 5)
    var optionalTiny: Int8? = 5
    var list = ["initial"]
    var optionalList: [String]? = ["initial"]
}

@Suite struct WrongValueTests {
    @Test(arguments: [
        ("text", CloudValue.int64(1)), ("text", .bytes(Data([65]))),
        ("number", .string("12")), ("number", .double(12)), ("number", .date(.distantFuture)),
        ("tiny", .int64(300)), ("tiny", .int64(-129)), ("unsigned", .int64(-1)),
        ("flag", .int64(2)), ("flag", .int64(-1)), ("flag", .string("true")),
        ("real", .string("1.5")), ("real", .int64(9_007_199_254_740_993)), ("single", .double(1e300)),
        ("decimal", .string("")), ("decimal", .string("1.5abc")), ("decimal", .string("1-2")),
        ("decimal", .string("NaN")), ("decimal", .string("1e500")), ("decimal", .double(1)),
        ("date", .double(0)), ("date", .string("2024-06-01T08:00:00Z")),
        ("data", .string("AAAA")), ("identifier", .string("no UUID")), ("identifier", .string("")),
        ("link", .string("not a url")), ("link", .string("")), ("link", .int64(1)),
        ("reference", .string("five")), ("place", .string("5, 5")), ("picture", .bytes(Data([1]))),
        ("optionalText", .int64(1)), ("optionalNumber", .string("1")), ("optionalFlag", .int64(3)),
        ("optionalReal", .string("1")), ("optionalDate", .int64(1)), ("optionalTiny", .int64(128)),
        ("list", .string("initial")), ("optionalList", .list([.int64(1)])),
    ])
    func `a stored value of a wrong kind is an error that names record and field`(
        field: String,
        value: CloudValue
    ) throws {
        try expectLoadFailure(Target.self, field: field, value)
    }

    @Test func `a date that no calendar reaches is named in an error without harm`() throws {
        try expectLoadFailure(Target.self, field: "text", .date(Date(timeIntervalSinceReferenceDate: 1e300)))
    }

    @Test func `whole numbers load into a Double, and UUIDs in small letters`() throws {
        let identifier = "e621e1f8-c36c-495a-93fc-0c247a3e6e50"
        let fields: [String: CloudValue?] = ["real": .int64(3), "identifier": .string(identifier)]
        let loaded = try Target(record: record(Target.self, fields))
        #expect(loaded.real == 3)
        #expect(loaded.identifier == UUID(uuidString: identifier))
    }

    @Test func `null leaves non-optional properties at their initial values`() throws {
        let names = try MappingPlan.plan(for: Target.self).layout.names
        let nulls = Dictionary(uniqueKeysWithValues: names.map { ($0, CloudValue?.none) })
        let loaded = try Target(record: record(Target.self, nulls))
        #expect(loaded.text == "initial" && loaded.number == 5 && loaded.tiny == 5 && loaded.unsigned == 5)
        #expect(loaded.flag && loaded.real == 5 && loaded.single == 5 && loaded.decimal == 5)
        #expect(loaded.date == Date(timeIntervalSinceReferenceDate: 5) && loaded.data == Data([5]))
        #expect(loaded.reference.recordID == CloudRecordID("five") && loaded.place.latitude == 5)
        #expect(loaded.picture.fileURL == URL(filePath: "/five") && loaded.list == ["initial"])
        #expect(loaded.link == URL(string: "https://example.org"))
        #expect(loaded.optionalText == nil && loaded.optionalNumber == nil && loaded.optionalFlag == nil)
        #expect(loaded.optionalReal == nil && loaded.optionalDate == nil && loaded.optionalTiny == nil)
        #expect(loaded.optionalList == nil, "an optional with a value of its own becomes nil when null is stored")
    }

    @Test func `absent fields leave all properties as they are`() throws {
        let loaded = try Target(record: record(Target.self, ["another": .int64(1)]))
        #expect(loaded.text == "initial" && loaded.number == 5)
        #expect(loaded.optionalText == "initial" && loaded.optionalNumber == 5 && loaded.optionalFlag == true)
        #expect(loaded.optionalReal == 5 && loaded.optionalDate != nil && loaded.optionalTiny == 5)
        #expect(loaded.list == ["initial"] && loaded.optionalList == ["initial"])
    }
}
