import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Stored values come back")
struct StoredValues {
    @Test("Every type of value comes back as it was saved")
    func everyType() async throws {
        let store = try SQLiteStore.inMemory()
        let file = try ScratchFile("picture bytes")
        var record = CloudRecord(recordType: "Thing", recordID: CloudRecordID("t1"))
        let zone = CloudZoneID("notes", ownerName: "someone")
        let values: [(String, CloudValue)] = [
            ("text", .string("héllo \u{1F600} 'quoted' \"double\" \\ % _")),
            ("emptyText", .string("")),
            ("smallest", .int64(.min)), ("largest", .int64(.max)),
            ("tiny", .double(.leastNonzeroMagnitude)), ("third", .double(1.0 / 3)), ("whole", .double(3)),
            ("date", .date(Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7))),
            ("early", .date(Date(timeIntervalSinceReferenceDate: -63_114_076_800))),
            ("bytes", .bytes(Data([0, 255, 1, 0]))), ("noBytes", .bytes(Data())),
            (
                "place",
                .location(
                    CloudLocation(
                        latitude: 52.1,
                        longitude: -4.3,
                        altitude: 0.1,
                        horizontalAccuracy: 5,
                        verticalAccuracy: 1.0 / 3,
                        course: 359.9,
                        speed: 0,
                        timestamp: Date(timeIntervalSinceReferenceDate: 1.5)
                    )
                )
            ),
            ("bare", .location(CloudLocation(latitude: 0, longitude: 0))),
            ("link", .reference(CloudReference(recordID: CloudRecordID("u1")))),
            ("owner", .reference(CloudReference(recordID: CloudRecordID("u2", zone: zone), action: .deleteSelf))),
            ("texts", .list([.string("a"), .string("\u{1F}\n\"\\"), .string("")])),
            ("numbers", .list([.int64(.min), .int64(0), .int64(.max)])),
            ("doubles", .list([.double(0.1), .double(1), .double(-1e300)])),
            ("dates", .list([.date(Date(timeIntervalSinceReferenceDate: 812_345_678.123_456_7))])),
            ("datas", .list([.bytes(Data([1, 2])), .bytes(Data())])),
            ("places", .list([.location(CloudLocation(latitude: 1.5, longitude: 2.5))])),
            (
                "links",
                .list([
                    .reference(CloudReference(recordID: CloudRecordID("u1"))),
                    .reference(CloudReference(recordID: CloudRecordID("u2", zone: zone), action: .deleteSelf)),
                ])
            ),
            ("nothing", .list([])),
        ]
        for (name, value) in values { record[name] = value }
        record["picture"] = .asset(CloudAsset(fileURL: file.url))
        let saved = try await store.saveOne(record)
        let fetched = try await store.fetchOne("t1")
        for (name, value) in values {
            #expect(fetched[name] == value, "\(name)")
        }
        #expect(try fetched["picture"]?.assetValue?.data() == Data("picture bytes".utf8))
        #expect(fetched == saved)
        #expect(fetched.creationDate == saved.creationDate)
        #expect(fetched.modificationDate == saved.modificationDate)
    }
}
