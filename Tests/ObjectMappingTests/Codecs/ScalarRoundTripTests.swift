import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Scalars: CloudDataObject {
    var text = ""
    var flag = false
    var int = 0
    var int8: Int8 = 0
    var int16: Int16 = 0
    var int32: Int32 = 0
    var int64: Int64 = 0
    var uint: UInt = 0
    var uint8: UInt8 = 0
    var uint16: UInt16 = 0
    var uint32: UInt32 = 0
    var uint64: UInt64 = 0
    var float: Float = 0
    var double = 0.0
    var decimal: Decimal = 0
    var date = Date(timeIntervalSinceReferenceDate: 0)
    var data = Data()
    var uuid = UUID()
    var url = URL(filePath: "/")
    var reference = CloudReference(recordID: CloudRecordID("initial"))
    var recordName = CloudRecordID("initial")
    var location = CloudLocation(latitude: 0, longitude: 0)
    var asset = CloudAsset(fileURL: URL(filePath: "/initial"))
}

private final class OptionalScalars: CloudDataObject {
    var text: String?
    var flag: Bool?
    var int: Int?
    var int8: Int8?
    var uint64: UInt64?
    var float: Float?
    var double: Double?
    var decimal: Decimal?
    var date: Date?
    var data: Data?
    var uuid: UUID?
    var url: URL?
    var reference: CloudReference?
    var recordName: CloudRecordID?
    var location: CloudLocation?
    var asset: CloudAsset?
}

/// Optional Int, Double and Bool stay nil after loading
private final class Beehive: CloudDataObject {
    var frames: Int?
    var weightKg: Double?
    var isQueenSeen: Bool?
    var label: String?
}

@Suite struct ScalarRoundTripTests {
    private func expectEqual(_ left: Scalars, _ right: Scalars) {
        #expect(left.text == right.text)
        #expect(left.flag == right.flag)
        #expect(left.int == right.int)
        #expect(left.int8 == right.int8)
        #expect(left.int16 == right.int16)
        #expect(left.int32 == right.int32)
        #expect(left.int64 == right.int64)
        #expect(left.uint == right.uint)
        #expect(left.uint8 == right.uint8)
        #expect(left.uint16 == right.uint16)
        #expect(left.uint32 == right.uint32)
        #expect(left.uint64 == right.uint64)
        #expect(left.float == right.float)
        #expect(left.double == right.double)
        #expect(left.decimal == right.decimal)
        #expect(left.date == right.date)
        #expect(left.data == right.data)
        #expect(left.uuid == right.uuid)
        #expect(left.url == right.url)
        #expect(left.reference == right.reference)
        #expect(left.recordName == right.recordName)
        #expect(left.location == right.location)
        #expect(left.asset == right.asset)
        #expect(left == right)
    }

    private func makeScalars(isMaximum: Bool) -> Scalars {
        let object = Scalars()
        object.text = isMaximum ? "zażółć 🐝 e\u{301}\n\"quoted\"" : ""
        object.flag = isMaximum
        object.int = isMaximum ? .max : .min
        object.int8 = isMaximum ? .max : .min
        object.int16 = isMaximum ? .max : .min
        object.int32 = isMaximum ? .max : .min
        object.int64 = isMaximum ? .max : .min
        object.uint = isMaximum ? UInt(Int64.max) : .min
        object.uint8 = isMaximum ? .max : .min
        object.uint16 = isMaximum ? .max : .min
        object.uint32 = isMaximum ? .max : .min
        object.uint64 = isMaximum ? UInt64(Int64.max) : .min
        object.float = isMaximum ? .greatestFiniteMagnitude : .leastNonzeroMagnitude
        object.double = isMaximum ? .greatestFiniteMagnitude : .leastNonzeroMagnitude
        object.decimal = isMaximum ? .greatestFiniteMagnitude : -Decimal.leastNonzeroMagnitude
        object.date = isMaximum ? Date(timeIntervalSinceReferenceDate: 816_539_551.123456789) : .distantPast
        object.data = isMaximum ? Data((0...255).map { UInt8($0) }) : Data()
        object.url = isMaximum ? URL(string: "https://example.org/a%20b?q=1&r=%C5%BC#f")! : URL(filePath: "/tmp/a b")
        object.reference = CloudReference(
            recordID: CloudRecordID("target", zone: isMaximum ? CloudZoneID("notes", ownerName: "me") : .default),
            action: isMaximum ? .deleteSelf : .none
        )
        object.recordName = CloudRecordID("other", zone: isMaximum ? CloudZoneID("notes") : .default)
        object.location = CloudLocation(
            latitude: isMaximum ? 90 : -90,
            longitude: 4.3,
            altitude: 2,
            horizontalAccuracy: 3,
            verticalAccuracy: 4,
            course: 5,
            speed: 6,
            timestamp: isMaximum ? Date(timeIntervalSinceReferenceDate: 0.1) : nil
        )
        object.asset = CloudAsset(fileURL: URL(filePath: "/tmp/picture.png"))
        return object
    }

    @Test(arguments: [true, false]) func `every scalar comes back from its record at both ends of its range`(
        isMaximum: Bool
    ) throws {
        let object = makeScalars(isMaximum: isMaximum)
        expectEqual(try roundTrip(object), object)
    }

    @Test(arguments: [true, false]) func `every scalar comes back from JSON at both ends of its range`(
        isMaximum: Bool
    ) throws {
        let object = makeScalars(isMaximum: isMaximum)
        expectEqual(try jsonRoundTrip(object), object)
    }

    @Test func `the layout declares the field type of each scalar`() throws {
        let expected: [String: CloudFieldType] = [
            "text": .string, "flag": .int64, "int": .int64, "int8": .int64, "int16": .int64, "int32": .int64,
            "int64": .int64, "uint": .int64, "uint8": .int64, "uint16": .int64, "uint32": .int64, "uint64": .int64,
            "float": .double, "double": .double, "decimal": .string, "date": .date, "data": .bytes, "uuid": .string,
            "url": .string, "reference": .reference, "recordName": .reference, "location": .location, "asset": .asset,
        ]
        #expect(try fieldTypes(Scalars.self) == expected)
        let optional = try fieldTypes(OptionalScalars.self)
        for (name, type) in optional { #expect(type == expected[name]) }
        #expect(optional.count == 16)
    }

    @Test func `optionals with values come back, those that look empty too`() throws {
        let object = OptionalScalars()
        object.text = ""
        object.flag = false
        object.int = 0
        object.int8 = .min
        object.uint64 = 0
        object.float = 0
        object.double = 0
        object.decimal = 0
        object.date = Date(timeIntervalSinceReferenceDate: 0)
        object.data = Data()
        object.uuid = UUID()
        object.url = URL(filePath: "/")
        object.reference = CloudReference(recordID: CloudRecordID("a"))
        object.recordName = CloudRecordID("a")
        object.location = CloudLocation(latitude: 0, longitude: 0)
        object.asset = CloudAsset(fileURL: URL(filePath: "/a"))
        for loaded in [try roundTrip(object), try jsonRoundTrip(object)] {
            #expect(loaded.text == "")
            #expect(loaded.flag == false)
            #expect(loaded.int == 0)
            #expect(loaded.int8 == .min)
            #expect(loaded.uint64 == 0)
            #expect(loaded.float == 0)
            #expect(loaded.double == 0)
            #expect(loaded.decimal == 0)
            #expect(loaded.date == object.date)
            #expect(loaded.data == Data())
            #expect(loaded.uuid == object.uuid)
            #expect(loaded.url == object.url)
            #expect(loaded.reference == object.reference)
            #expect(loaded.recordName == object.recordName)
            #expect(loaded.location == object.location)
            #expect(loaded.asset == object.asset)
        }
    }

    @Test func `optionals that are nil are null in the record and come back nil`() throws {
        let record = try OptionalScalars().toRecord()
        for name in record.layout.names { #expect(record.state(of: name) == .null) }
        let loaded = try OptionalScalars(record: record)
        #expect(loaded.text == nil && loaded.flag == nil && loaded.int == nil && loaded.int8 == nil)
        #expect(loaded.uint64 == nil && loaded.float == nil && loaded.double == nil && loaded.decimal == nil)
        #expect(loaded.date == nil && loaded.data == nil && loaded.uuid == nil && loaded.url == nil)
        #expect(loaded.reference == nil && loaded.recordName == nil && loaded.location == nil && loaded.asset == nil)
    }

    @Test func `optional numbers and Bools load as values, and as nil when they were nil`() throws {
        let full = Beehive()
        full.frames = 10
        full.weightKg = 31.5
        full.isQueenSeen = false
        full.label = "North"
        let loaded = try roundTrip(full)
        #expect(loaded.frames == 10)
        #expect(loaded.weightKg == 31.5)
        #expect(loaded.isQueenSeen == false)
        #expect(loaded.label == "North")
        let empty = try roundTrip(Beehive())
        #expect(empty.frames == nil && empty.weightKg == nil && empty.isQueenSeen == nil && empty.label == nil)
    }

    @Test(arguments: [UInt64(Int64.max) + 1, UInt64.max])
    func `a UInt64 above Int64.max is an error that names record and field`(
        serial: UInt64
    ) throws {
        let object = Scalars()
        object.recordID = CloudRecordID("chip1")
        object.uint64 = serial
        let error = try cloudError(.invalidArguments) { _ = try object.toRecord() }
        #expect(error.message.contains("chip1") && error.message.contains("uint64"))
        #expect(error.recordID == CloudRecordID("chip1"))
        #expect(error.field == "uint64")
    }

    @Test func `dates keep every bit, random ones included`() throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<1_000 {
            let object = Scalars()
            object.date = Date(timeIntervalSinceReferenceDate: Double.random(in: -1e11...1e11, using: &generator))
            #expect(try roundTrip(object).date == object.date, "seed \(seed)")
        }
    }

    @Test func `a decimal that is not a number is refused before it is stored as text`() throws {
        let object = Scalars()
        object.decimal = .nan
        let error = try cloudError(.invalidArguments) { _ = try object.toRecord() }
        #expect(error.field == "decimal")
    }

    @Test func `the record ID and the system fields are those of the record`() throws {
        var record = record(Scalars.self, name: "mine", ["text": .string("hello")])
        record.creationDate = Date(timeIntervalSinceReferenceDate: 1)
        record.modificationDate = Date(timeIntervalSinceReferenceDate: 2)
        record.creatorUserRecordID = CloudRecordID("_a")
        record.lastModifiedUserRecordID = CloudRecordID("_b")
        record.recordChangeTag = "7"
        let object = try Scalars(record: record)
        #expect(object.recordID == CloudRecordID("mine"))
        let again = try object.toRecord()
        #expect(again.recordID == record.recordID)
        #expect(again.recordType == "Scalars")
        #expect(again.creationDate == record.creationDate)
        #expect(again.modificationDate == record.modificationDate)
        #expect(again.creatorUserRecordID == record.creatorUserRecordID)
        #expect(again.lastModifiedUserRecordID == record.lastModifiedUserRecordID)
        #expect(again.recordChangeTag == "7")
    }
}
