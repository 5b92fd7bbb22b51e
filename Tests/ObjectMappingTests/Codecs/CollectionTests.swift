import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Lists: CloudDataObject {
    var texts: [String] = []
    var flags: [Bool] = []
    var bytes: [UInt8] = []
    var numbers: [Int] = []
    var doubles: [Double] = []
    var floats: [Float] = []
    var decimals: [Decimal] = []
    var dates: [Date] = []
    var blobs: [Data] = []
    var identifiers: [UUID] = []
    var links: [URL] = []
    var stops: [CloudReference] = []
    var places: [CloudLocation] = []
    var pictures: [CloudAsset] = []
    var optional: [String]?
    var textSet: Set<String> = []
    var numberSet: Set<Int> = []
    var dateSet: Set<Date> = []
    var blobSet: Set<Data> = []
    var placeSet: Set<CloudLocation> = []
    var referenceSet: Set<CloudReference> = []
    var flagSet: Set<Bool>?
}

private struct Settings: Codable, Equatable {
    var theme = "light"
    var sizes: [String: Double] = [:]
    var since: Date?
    var serial: UInt64 = 0
    var price: Decimal = 0
    var nested: [Settings] = []
}

private enum Shape: Codable, Equatable {
    case circle(radius: Double)
    case point
}

private final class JSONFields: CloudDataObject {
    var captions: [String: String] = [:]
    var counts: [Int: Int] = [:]
    var maybe: [String?] = []
    var grid: [[Int]] = []
    var settings = Settings()
    var optionalSettings: Settings?
    var history: [Settings] = []
    var shape = Shape.point
    var shapes: [Shape]?
    var byReference: [String: CloudReference] = [:]
}

private final class Album: CloudDataObject {
    var covers: [String: CloudAsset] = [:]
}

@Suite struct CollectionTests {
    @Test func `an asset inside a Codable value is refused, for its file would not be kept`() throws {
        let album = Album()
        album.recordID = CloudRecordID("a1")
        #expect(try album.toRecord()["covers"] == .string("{}"))
        album.covers = ["front": CloudAsset(fileURL: URL(filePath: "/front"))]
        let error = try #require(throws: CloudError.self) { try album.toRecord() }
        #expect(error.code == .invalidArguments)
        #expect(error.recordID == CloudRecordID("a1"))
        #expect(error.field == "covers")
        #expect(error.remedy.contains("property of its own"))
    }

    @Test func `lists and sets of every scalar come back`() throws {
        let object = Lists()
        object.texts = ["", "a,b", "say \"hi\"", "NULL", "{x}", "back\\slash", " pad "]
        object.flags = [true, false, true]
        object.bytes = [0, 255]
        object.numbers = [.min, 0, .max, 0]
        object.doubles = [-0.1, 1e300]
        object.floats = [0.1]
        object.decimals = [Decimal(string: "0.1")!, -3]
        object.dates = [.distantPast, Date(timeIntervalSinceReferenceDate: 0.123456789)]
        object.blobs = [Data(), Data([1, 2])]
        object.identifiers = [UUID(), UUID()]
        object.links = [URL(string: "https://example.org")!]
        object.stops = ["S3", "S1", "S2", "S1"].map { CloudReference(recordID: CloudRecordID($0)) }
        object.places = [CloudLocation(latitude: 1, longitude: 2)]
        object.pictures = [CloudAsset(fileURL: URL(filePath: "/a")), CloudAsset(fileURL: URL(filePath: "/b"))]
        object.optional = []
        object.textSet = ["b", "a"]
        object.numberSet = [10, 9, -1]
        object.dateSet = [Date(timeIntervalSinceReferenceDate: 0.1), Date(timeIntervalSinceReferenceDate: 0.2)]
        object.blobSet = [Data([1]), Data([2])]
        object.placeSet = [
            CloudLocation(latitude: 1, longitude: 2), CloudLocation(latitude: 1, longitude: 2, altitude: 3),
        ]
        object.referenceSet = [
            CloudReference(recordID: CloudRecordID("a")), CloudReference(recordID: CloudRecordID("b")),
        ]
        object.flagSet = [true]
        for loaded in [try roundTrip(object), try jsonRoundTrip(object)] {
            #expect(loaded.texts == object.texts)
            #expect(loaded.flags == object.flags)
            #expect(loaded.bytes == object.bytes)
            #expect(loaded.numbers == object.numbers)
            #expect(loaded.doubles == object.doubles)
            #expect(loaded.floats == object.floats)
            #expect(loaded.decimals == object.decimals)
            #expect(loaded.dates == object.dates)
            #expect(loaded.blobs == object.blobs)
            #expect(loaded.identifiers == object.identifiers)
            #expect(loaded.links == object.links)
            #expect(loaded.stops == object.stops)
            #expect(loaded.places == object.places)
            #expect(loaded.pictures == object.pictures)
            #expect(loaded.optional == [])
            #expect(loaded.textSet == object.textSet)
            #expect(loaded.numberSet == object.numberSet)
            #expect(loaded.dateSet == object.dateSet)
            #expect(loaded.blobSet == object.blobSet)
            #expect(loaded.placeSet == object.placeSet)
            #expect(loaded.referenceSet == object.referenceSet)
            #expect(loaded.flagSet == [true])
            #expect(loaded == object)
        }
        #expect(try roundTrip(Lists()).optional == nil)
        #expect(try roundTrip(Lists()).flagSet == nil)
    }

    @Test func `an empty list is a value with a known element type, nil is null`() throws {
        let record = try Lists().toRecord()
        #expect(record.state(of: "texts") == .value(.list([])))
        #expect(record.state(of: "optional") == .null)
        let types = try fieldTypes(Lists.self)
        #expect(types["texts"] == .list(of: .string))
        #expect(types["optional"] == .list(of: .string))
        #expect(types["flags"] == .list(of: .int64))
        #expect(types["bytes"] == .list(of: .int64))
        #expect(types["stops"] == .list(of: .reference))
        #expect(types["pictures"] == .list(of: .asset))
        #expect(types["dateSet"] == .list(of: .date))
    }

    @Test func `equal sets are kept as equal lists, whatever order they were filled in`() throws {
        let dates = (0..<50).map { Date(timeIntervalSinceReferenceDate: Double($0) / 1000) }
        let blobs = (0..<50).map { Data([UInt8($0)]) }
        let places = (0..<50).map { CloudLocation(latitude: 1, longitude: 2, altitude: Double($0)) }
        let one = Lists()
        let other = Lists()
        other.recordID = one.recordID
        for index in 0..<50 {
            one.dateSet.insert(dates[index])
            other.dateSet.insert(dates[49 - index])
            one.blobSet.insert(blobs[index])
            other.blobSet.insert(blobs[49 - index])
            one.placeSet.insert(places[index])
            other.placeSet.insert(places[49 - index])
        }
        #expect(one == other)
        #expect(try one.toRecord()["dateSet"] == .list(dates.map(CloudValue.date)))
        #expect(try one.toRecord()["blobSet"] == .list(blobs.map(CloudValue.bytes)))
    }

    @Test func `a list of mixed kinds, or with a wrong element, is an error`() throws {
        try expectLoadFailure(Lists.self, field: "texts", .list([.string("a"), .int64(1)]))
        try expectLoadFailure(Lists.self, field: "texts", .string("a"))
        try expectLoadFailure(Lists.self, field: "bytes", .list([.int64(256)]))
        try expectLoadFailure(Lists.self, field: "flags", .list([.int64(2)]))
        try expectLoadFailure(Lists.self, field: "numberSet", .list([.double(1.5)]))
    }

    @Test func `dictionaries and Codable values come back from one field of JSON text`() throws {
        let object = JSONFields()
        object.captions = ["en": "Hello", "pt-BR": "Olá", "a.b": ""]
        object.counts = [1: 2, -3: 4]
        object.maybe = [nil, "NULL", ""]
        object.grid = [[1, 2], [], [.max]]
        object.settings.theme = "da/rk"
        object.settings.since = Date(timeIntervalSinceReferenceDate: 816_539_551.123456789)
        object.settings.serial = .max
        object.settings.price = Decimal(string: "12345678901234567890123456789.123")!
        object.settings.nested = [Settings(theme: "inner")]
        object.optionalSettings = Settings(sizes: ["a": 0.1])
        object.history = [Settings(), Settings(theme: "x")]
        object.shape = .circle(radius: 2.5)
        object.shapes = [.point, .circle(radius: 1)]
        object.byReference = ["a": CloudReference(recordID: CloudRecordID("r"), action: .deleteSelf)]
        for loaded in [try roundTrip(object), try jsonRoundTrip(object)] {
            #expect(loaded.captions == object.captions)
            #expect(loaded.counts == object.counts)
            #expect(loaded.maybe == object.maybe)
            #expect(loaded.grid == object.grid)
            #expect(loaded.settings == object.settings)
            #expect(loaded.optionalSettings == object.optionalSettings)
            #expect(loaded.history == object.history)
            #expect(loaded.shape == object.shape)
            #expect(loaded.shapes == object.shapes)
            #expect(loaded.byReference == object.byReference)
            #expect(loaded == object)
        }
        let types = try fieldTypes(JSONFields.self)
        #expect(Set(types.values) == [.string])
        #expect(types.count == 10)
        let empty = try roundTrip(JSONFields())
        #expect(empty.optionalSettings == nil && empty.shapes == nil && empty.captions.isEmpty)
    }

    @Test func `JSON of another shape, and text that is no JSON, are errors`() throws {
        try expectLoadFailure(JSONFields.self, field: "settings", .string("{\"theme\": 3}"))
        try expectLoadFailure(JSONFields.self, field: "captions", .string("not JSON"))
        try expectLoadFailure(JSONFields.self, field: "captions", .int64(1))
        try expectLoadFailure(JSONFields.self, field: "optionalSettings", .string(""))
    }

    @Test func `a Codable value with NaN is an error that names record and field`() throws {
        let object = JSONFields()
        object.recordID = CloudRecordID("nan1")
        object.settings.sizes = ["a": .nan]
        let error = try cloudError(.invalidArguments) { _ = try object.toRecord() }
        #expect(error.message.contains("nan1") && error.field == "settings")
    }
}
