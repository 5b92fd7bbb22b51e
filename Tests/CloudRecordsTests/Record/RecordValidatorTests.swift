import CloudRecords
import Foundation
import Testing

@Suite struct RecordValidatorTests {
    private func record(_ value: CloudValue, field: String = "content") -> CloudRecord {
        var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("m1"))
        record[field] = value
        return record
    }

    /// Expects an error that names the record and its field.
    private func expectRefusal(
        of value: CloudValue,
        _ code: CloudError.Code = .invalidArguments,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let error = try cloudError({ try RecordValidator.validate(record(value)) }, sourceLocation: sourceLocation)
        #expect(error.code == code, sourceLocation: sourceLocation)
        #expect(error.recordID == CloudRecordID("m1"), sourceLocation: sourceLocation)
        #expect(error.field == "content", sourceLocation: sourceLocation)
        #expect(error.message.contains("Message m1"), sourceLocation: sourceLocation)
        #expect(error.message.contains("content"), sourceLocation: sourceLocation)
        #expect(!error.remedy.isEmpty, sourceLocation: sourceLocation)
    }

    // MARK: Names

    @Test(arguments: ["a", "Z", "text", "a1_b2__", String(repeating: "a", count: 255), "recordName", "zone"])
    func `legal names of types and fields pass`(name: String) throws {
        try RecordValidator.validate(recordType: name)
        try RecordValidator.validate(fieldName: name)
        try RecordValidator.validate(record(.int64(1), field: name))
    }

    @Test(arguments: [
        "", "_a", "1a", "a-b", "a b", "a.b", "ä", "naïve", "a\u{301}", "a\0", "a$", "@a", "[a", "`a", "{a", "a;--",
        String(repeating: "a", count: 256),
    ])
    func `illegal names of types and fields are refused`(name: String) throws {
        #expect(try cloudError { try RecordValidator.validate(recordType: name) }.code == .invalidArguments)
        let error = try cloudError { try RecordValidator.validate(fieldName: name) }
        #expect(error.code == .invalidArguments)
        #expect(error.field == name)
        #expect(!error.remedy.isEmpty)
        let inRecord = try cloudError { try RecordValidator.validate(record(.int64(1), field: name)) }
        #expect(inRecord.code == .invalidArguments)
        #expect(inRecord.recordID == CloudRecordID("m1"))
        #expect(inRecord.field == name)
        let ofType = try cloudError {
            try RecordValidator.validate(CloudRecord(recordType: name, recordID: CloudRecordID("m1")))
        }
        #expect(ofType.code == .invalidArguments)
        #expect(ofType.field == nil)
    }

    @Test(arguments: SystemField.reservedNames.sorted())
    func `fields don't have the names of a record's properties`(name: String) throws {
        #expect(try cloudError { try RecordValidator.validate(fieldName: name) }.field == name)
        #expect(try cloudError { try RecordValidator.validate(record(.int64(1), field: name)) }.field == name)
    }

    @Test(arguments: ["a", " ", "~", "a_b", "4F1A/x:y'z\"", String(repeating: "n", count: 255)])
    func `legal record and zone names pass`(name: String) throws {
        try RecordValidator.validate(CloudRecordID(name))
        try RecordValidator.validate(CloudRecordID("a", zone: CloudZoneID(name)))
        try RecordValidator.validate(CloudZoneID(name, ownerName: "_owner"))
    }

    @Test(arguments: [
        "", "_a", "ä", "e\u{301}", "\u{1F}", "\u{7F}", "a\0b", "a\nb", String(repeating: "n", count: 256),
    ])
    func `illegal record and zone names are refused`(name: String) throws {
        let error = try cloudError { try RecordValidator.validate(CloudRecordID(name)) }
        #expect(error.code == .invalidArguments)
        #expect(error.recordID == CloudRecordID(name))
        #expect(!error.remedy.isEmpty)
        let zone = try cloudError { try RecordValidator.validate(CloudRecordID("a", zone: CloudZoneID(name))) }
        #expect(zone.code == .invalidArguments)
        #expect(zone.recordID?.recordName == "a")
        #expect(try cloudError { try RecordValidator.validate(CloudZoneID(name)) }.code == .invalidArguments)
    }

    @Test func `the default zone passes, whoever owns it`() throws {
        try RecordValidator.validate(CloudZoneID.default)
        try RecordValidator.validate(CloudRecordID("a", zone: CloudZoneID("_defaultZone", ownerName: "_someone")))
        #expect(throws: CloudError.self) { try RecordValidator.validate(CloudZoneID("a", ownerName: "")) }
    }

    @Test func `an endless name is cut short in the message`() throws {
        let name = String(repeating: "ä", count: 100_000)
        #expect(try cloudError { try RecordValidator.validate(CloudRecordID(name)) }.message.count < 300)
        #expect(try cloudError { try RecordValidator.validate(fieldName: name) }.message.count < 300)
    }

    // MARK: Size

    @Test func `a megabyte of field data passes and one byte more does not`() throws {
        // Not arguments of the test: the runner would print them.
        let values: [CloudValue] = [
            CloudValue.bytes(Data(count: 1_048_576)),
            .string(String(repeating: "x", count: 1_048_576)),
            .string(String(repeating: "é", count: 524_288)),
            .list(Array(repeating: .int64(1), count: 131_072)),
            .list(Array(repeating: .string("12345678"), count: 131_072)),
            .list(Array(repeating: .location(CloudLocation(latitude: 0, longitude: 0)), count: 16_384)),
        ]
        for value in values {
            var record = record(value)
            try RecordValidator.validate(record)
            record["more"] = .string("x")
            let error = try cloudError { try RecordValidator.validate(record) }
            #expect(error.code == .limitExceeded)
            #expect(error.recordID == CloudRecordID("m1"))
            #expect(error.field == "content")
            #expect(error.message.contains("1048577"))
        }
    }

    @Test func `an asset does not count towards the size, and a reference counts its names`() {
        #expect(ValueRule.size(of: .asset(CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/a")))) == 0)
        #expect(ValueRule.size(of: .reference(CloudReference(recordID: CloudRecordID("abcd")))) == 4)
        let zone = CloudZoneID("zz", ownerName: "_o")
        #expect(ValueRule.size(of: .reference(CloudReference(recordID: CloudRecordID("abcd", zone: zone)))) == 8)
        #expect(ValueRule.size(of: .date(Date())) == 8)
    }

    // MARK: Values

    @Test(arguments: [Double.nan, .signalingNaN, .infinity, -.infinity])
    func `numbers, dates and locations that are not finite are refused`(number: Double) throws {
        try expectRefusal(of: .double(number))
        try expectRefusal(of: .date(Date(timeIntervalSinceReferenceDate: number)))
        try expectRefusal(of: .list([.double(1), .double(number)]))
        let paths: [WritableKeyPath<CloudLocation, Double>] = [
            \.latitude, \.longitude, \.altitude, \.horizontalAccuracy, \.verticalAccuracy, \.course, \.speed,
        ]
        for path in paths {
            var location = CloudLocation(latitude: 1, longitude: 2)
            location[keyPath: path] = number
            try expectRefusal(of: .location(location))
        }
        let timestamp = Date(timeIntervalSinceReferenceDate: number)
        try expectRefusal(of: .location(CloudLocation(latitude: 1, longitude: 2, timestamp: timestamp)))
    }

    @Test(arguments: [0, -0.0, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude])
    func `every finite number passes`(number: Double) throws {
        try RecordValidator.validate(record(.double(number)))
        try RecordValidator.validate(record(.date(Date(timeIntervalSinceReferenceDate: number))))
    }

    @Test func `locations lie on the globe`() throws {
        for (latitude, longitude) in [(90.0, 180.0), (-90, -180), (0, 0)] {
            try RecordValidator.validate(record(.location(CloudLocation(latitude: latitude, longitude: longitude))))
        }
        for (latitude, longitude) in [(90.000_1, 0.0), (-90.000_1, 0), (0, 180.000_1), (0, -180.000_1)] {
            try expectRefusal(of: .location(CloudLocation(latitude: latitude, longitude: longitude)))
        }
    }

    @Test(arguments: [
        "\0", "a\0", "\0a", "a longer text, not kept in place\0", String(repeating: "é", count: 99) + "\0",
    ])
    func `text with a NUL character is refused`(text: String) throws {
        try expectRefusal(of: .string(text))
        try expectRefusal(of: .list([.string("fine"), .string(text)]))
    }

    @Test(arguments: ["", "a", "0", "\u{1}", "é", "👨‍👩‍👧", String(repeating: "long ", count: 1_000)])
    func `any other text passes`(text: String) throws {
        try RecordValidator.validate(record(.string(text)))
    }

    @Test func `references have names that records can have, users included`() throws {
        try RecordValidator.validate(record(.reference(CloudReference(recordID: CloudRecordID("_user")))))
        for name in ["", "a\0", "ä", String(repeating: "n", count: 256)] {
            try expectRefusal(of: .reference(CloudReference(recordID: CloudRecordID(name))))
        }
        let zone = CloudZoneID("ä")
        try expectRefusal(of: .reference(CloudReference(recordID: CloudRecordID("a", zone: zone))))
    }

    @Test func `lists are of one kind and flat`() throws {
        try RecordValidator.validate(record(.list([])))
        try RecordValidator.validate(record(.list([.int64(1), .int64(2)])))
        try expectRefusal(of: .list([.int64(1), .double(2)]))
        try expectRefusal(of: .list([.string("a"), .string("b"), .bytes(Data())]))
        try expectRefusal(of: .list([.list([])]))
        try expectRefusal(of: .list([.int64(1), .list([.int64(1)])]))
    }

    @Test func `a value of another type than the layout declares is refused`() throws {
        for sample in CloudValueTests.samples {
            for other in CloudValueTests.samples {
                let layout = FieldLayout(recordType: "Message", names: ["content"], types: [other.type])
                var record = CloudRecord(layout: layout, recordID: CloudRecordID("m1"))
                record["content"] = sample.value
                if other.type.accepts(sample.type) {
                    try RecordValidator.validate(record)
                } else {
                    let error = try cloudError { try RecordValidator.validate(record) }
                    #expect(error.code == .invalidArguments)
                    #expect(error.field == "content")
                    #expect(error.message.contains("\(other.type)"))
                    #expect(error.message.contains("\(sample.type)"))
                }
            }
        }
    }

    @Test func `null and absent fields pass whatever their type`() throws {
        let layout = FieldLayout(recordType: "Message", names: ["a", "b"], types: [.string, .double])
        var record = CloudRecord(layout: layout)
        record["a"] = nil
        try RecordValidator.validate(record)
    }
}
