import CloudRecords
import Foundation
import Testing

@Suite struct CloudValueTests {
    static let samples: [(value: CloudValue, type: CloudFieldType)] = [
        (.string("a"), .string),
        (.int64(.max), .int64),
        (.double(0.1), .double),
        (.date(Date(timeIntervalSinceReferenceDate: 700_000_000.123)), .date),
        (.bytes(Data([0, 255])), .bytes),
        (.location(CloudLocation(latitude: 1, longitude: 2)), .location),
        (.reference(CloudReference(recordID: CloudRecordID("u"), action: .deleteSelf)), .reference),
        (.asset(CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/picture"))), .asset),
        (.list([.int64(1)]), .list(of: .int64)),
        (.list([]), .list(of: nil)),
    ]

    @Test(arguments: samples) func `a value has its type and survives JSON`(
        value: CloudValue,
        type: CloudFieldType
    ) throws {
        #expect(value.fieldType == type)
        #expect(try throughJSON(value) == value)
        #expect(try throughJSON(type) == type)
    }

    @Test(arguments: samples, samples) func `a field takes values of its own type only`(
        sample: (value: CloudValue, type: CloudFieldType),
        other: (value: CloudValue, type: CloudFieldType)
    ) {
        #expect(ValueRule.matches(sample.value, other.type) == other.type.accepts(sample.type))
    }

    @Test func `each kind of value can be had by its own property only`() {
        let properties: [(CloudValue) -> (any Equatable)?] = [
            { $0.stringValue }, { $0.int64Value }, { $0.doubleValue }, { $0.dateValue }, { $0.bytesValue },
            { $0.locationValue }, { $0.referenceValue }, { $0.assetValue }, { $0.listValue },
        ]
        for (kind, sample) in Self.samples.prefix(properties.count).enumerated() {
            for (index, property) in properties.enumerated() {
                #expect((property(sample.value) != nil) == (index == kind))
            }
        }
        #expect(CloudValue.string("a").stringValue == "a")
        #expect(CloudValue.list([.int64(1)]).listValue == [.int64(1)])
    }

    @Test func `lists go into list fields when either has no known element`() {
        #expect(CloudFieldType.list(of: nil).accepts(.list(of: .string)))
        #expect(CloudFieldType.list(of: .string).accepts(.list(of: nil)))
        #expect(!CloudFieldType.list(of: .string).accepts(.list(of: .int64)))
        #expect(!CloudFieldType.list(of: nil).accepts(.string))
        #expect(CloudFieldType.list(of: .string).description == "LIST<STRING>")
    }

    @Test func `Swift values become the values that fields hold`() throws {
        #expect(true.toCloudValue() == .int64(1))
        #expect(try UInt8(255).toCloudValue() == .int64(255))
        #expect(try Int64.min.toCloudValue() == .int64(.min))
        #expect(Float(0.5).toCloudValue() == .double(0.5))
        #expect(Decimal(string: "12.30")?.toCloudValue() == .string("12.3"))
        #expect(try Int?.none.toCloudValue() == nil)
        #expect(try [1, 2].toCloudValue() == .list([.int64(1), .int64(2)]))
        #expect(try Set(["b", "a"]).toCloudValue() == .list([.string("a"), .string("b")]))
        #expect(CloudRecordID("u").toCloudValue() == .reference(CloudReference(recordID: CloudRecordID("u"))))
    }

    @Test func `an integer above Int64.max and a nil in a list are refused`() throws {
        #expect(try cloudError { _ = try UInt64.max.toCloudValue() }.code == .invalidArguments)
        #expect(try UInt64(Int64.max).toCloudValue() == .int64(.max))
        #expect(try cloudError { _ = try [1, nil].toCloudValue() }.code == .invalidArguments)
    }

    @Test func `a field's state gives its value only when it has one`() {
        #expect(FieldState.value(.int64(1)).value == .int64(1))
        #expect(FieldState.null.value == nil)
        #expect(FieldState.absent.value == nil)
    }

    @Test func `references and assets are equal by what they point at`() throws {
        let id = CloudRecordID("u")
        #expect(CloudReference(recordID: id).action == .none)
        #expect(CloudReference(recordID: id) != CloudReference(recordID: id, action: .deleteSelf))
        let asset = CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/a/../b"))
        #expect(asset == CloudAsset(fileURL: URL(fileURLWithPath: "/tmp/b")))
        #expect(try throughJSON(asset) == asset)
    }

    @Test func `an asset reads its file, or says that it is missing`() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        #expect(try cloudError { _ = try CloudAsset(fileURL: url).data() }.code == .assetFileNotFound)
        try Data("x".utf8).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try CloudAsset(fileURL: url).data() == Data("x".utf8))
    }
}
