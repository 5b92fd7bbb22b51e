import CloudRecords
import Testing

@Suite struct CloudRecordIDTests {
    @Test func `record IDs are equal when name and zone are`() {
        let notes = CloudZoneID("notes")
        #expect(CloudRecordID("a") == CloudRecordID("a"))
        #expect(CloudRecordID("a") != CloudRecordID("b"))
        #expect(CloudRecordID("a", zone: notes) == CloudRecordID("a", zone: CloudZoneID("notes")))
        #expect(CloudRecordID("a", zone: notes) != CloudRecordID("a"))
        #expect(Set([CloudRecordID("a"), CloudRecordID("a"), CloudRecordID("a", zone: notes)]).count == 2)
    }

    @Test func `record names compare by bytes and not by canonical equivalence`() {
        let composed = CloudRecordID("caf\u{E9}")
        let decomposed = CloudRecordID("cafe\u{301}")
        #expect(composed.recordName == decomposed.recordName)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
    }

    @Test func `new record IDs have names of their own that pass the rules`() throws {
        let ids = (0..<100).map { _ in CloudRecordID() }
        #expect(Set(ids).count == 100)
        for id in ids { try RecordValidator.validate(id) }
    }

    @Test func `zone IDs are equal when name and owner are`() {
        #expect(CloudZoneID("_defaultZone") == .default)
        #expect(CloudZoneID("_defaultZone").isDefault)
        #expect(CloudZoneID("_defaultZone", ownerName: "_someone") != .default)
        #expect(CloudZoneID("a", ownerName: "_x") == CloudZoneID("a", ownerName: "_x"))
        #expect(CloudZoneID("a", ownerName: "_x") != CloudZoneID("a", ownerName: "_y"))
        #expect(CloudZoneID("a") != CloudZoneID("b"))
        #expect(CloudZoneID.default.ownerName == "__defaultOwner__")
        #expect(Set([CloudZoneID("a"), CloudZoneID("a"), .default, CloudZoneID("_defaultZone")]).count == 2)
    }

    @Test(arguments: [
        CloudRecordID("m1"),
        CloudRecordID("m1", zone: CloudZoneID("notes")),
        CloudRecordID("m1", zone: CloudZoneID("notes", ownerName: "_0123")),
        CloudRecordID("m1", zone: CloudZoneID("_defaultZone", ownerName: "_0123")),
    ])
    func `record IDs survive JSON`(id: CloudRecordID) throws {
        #expect(try throughJSON(id) == id)
        #expect(try throughJSON(id.zoneID) == id.zoneID)
    }

    @Test func `descriptions name zone and owner only where they are not the default`() {
        #expect(CloudRecordID("m1").description == "m1")
        #expect(CloudRecordID("m1", zone: CloudZoneID("notes")).description == "m1 in notes")
        #expect(CloudZoneID("notes", ownerName: "_x").description == "notes of _x")
    }
}
