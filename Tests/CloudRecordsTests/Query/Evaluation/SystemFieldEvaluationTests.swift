import CloudRecords
import Foundation
import Testing

@Suite struct SystemFieldEvaluation {
    private static let notes = CloudZoneID("notes")

    private static func saved(_ name: String, zone: CloudZoneID = .default) -> CloudRecord {
        var record = CloudRecord(recordType: "Item", recordID: CloudRecordID(name, zone: zone))
        record.creationDate = Date(timeIntervalSinceReferenceDate: 10)
        record.modificationDate = Date(timeIntervalSinceReferenceDate: 20)
        record.creatorUserRecordID = CloudRecordID("_ann")
        record.lastModifiedUserRecordID = CloudRecordID("_bob")
        record.recordChangeTag = "1a"
        return record
    }

    private func reference(_ name: String, _ zone: CloudZoneID = .default) -> CloudValue {
        .reference(CloudReference(recordID: CloudRecordID(name, zone: zone)))
    }

    private func truths(_ field: SystemField, _ value: CloudValue?, _ record: CloudRecord) throws -> String {
        try comparisonsHolding { try matches(.compare(field: field.rawValue, $0, value), record) }
    }

    @Test func `the record ID equals a reference to the same zone, and text in any zone`() throws {
        let (here, there) = (Self.saved("b"), Self.saved("b", zone: Self.notes))
        #expect(try truths(.recordID, reference("b"), here) == "== <= >=")
        #expect(try truths(.recordID, reference("b"), there) == "!= <= >=")
        #expect(try truths(.recordID, reference("b", Self.notes), there) == "== <= >=")
        #expect(try truths(.recordID, reference("b", CloudZoneID("none")), there) == "!= <= >=")
        for record in [here, there] {
            #expect(try truths(.recordID, .string("b"), record) == "== <= >=")
            #expect(try truths(.recordID, .string("a"), record) == "!= > >=")
            #expect(try truths(.recordID, reference("c"), record) == "!= < <=")
            #expect(try truths(.recordID, nil, record) == "!=")
            #expect(try truths(.recordID, .int64(1), record) == "!=")
        }
    }

    @Test func `the record ID is one of several, in a range, and begins like text`() throws {
        let record = Self.saved("b", zone: Self.notes)
        let name = SystemField.recordID.rawValue
        #expect(try matches(.oneOf(field: name, [.string("a"), .string("b")]), record))
        #expect(try matches(.oneOf(field: name, [reference("b", Self.notes)]), record))
        #expect(try !matches(.oneOf(field: name, [reference("b"), nil]), record))
        #expect(try matches(.between(field: name, .string("a"), .string("b")), record))
        #expect(try matches(.beginsWith(field: name, "B", .caseInsensitive), record))
        #expect(try !matches(.beginsWith(field: name, "B"), record))
        #expect(try matches(.endsWith(field: name, "b"), record))
        #expect(try matches(.like(field: name, "?"), record))
        // The sign for Kelvin is canonically a K, but has other bytes.
        #expect(try !matches(.oneOf(field: name, [.string("\u{212A}")]), Self.saved("K")))
        #expect(try !matches(.compare(field: name, .equal, .string("\u{212A}")), Self.saved("K")))
    }

    @Test func `users are compared by reference and name, and have no order`() throws {
        let record = Self.saved("b")
        #expect(try truths(.creatorUserRecordID, reference("_ann"), record) == "==")
        #expect(try truths(.creatorUserRecordID, .string("_ann"), record) == "==")
        #expect(try truths(.lastModifiedUserRecordID, reference("_ann"), record) == "!=")
        #expect(try truths(.creatorUserRecordID, nil, record) == "!=")
        #expect(try matches(.oneOf(field: "lastModifiedUserRecordID", [reference("_x"), reference("_bob")]), record))
        let unsaved = CloudRecord(recordType: "Item")
        #expect(try truths(.creatorUserRecordID, nil, unsaved) == "==")
        #expect(try truths(.creatorUserRecordID, reference("_ann"), unsaved) == "!=")
        #expect(try matches(.oneOf(field: "creatorUserRecordID", [nil]), unsaved))
    }

    @Test func `dates and change tags are compared as values, and null before the first save`() throws {
        let record = Self.saved("b")
        #expect(try truths(.creationDate, .date(Date(timeIntervalSinceReferenceDate: 10)), record) == "== <= >=")
        #expect(try truths(.modificationDate, .date(Date(timeIntervalSinceReferenceDate: 10)), record) == "!= > >=")
        #expect(try matches(.compare(field: "recordChangeTag", .equal, .string("1a")), record))
        #expect(try matches(.compare(field: "recordChangeTag", .notEqual, .string("1b")), record))
        let unsaved = CloudRecord(recordType: "Item")
        for field in [SystemField.creationDate, .modificationDate, .recordChangeTag] {
            #expect(try truths(field, nil, unsaved) == "==")
            #expect(try truths(field, nil, record) == "!=")
        }
    }
}
