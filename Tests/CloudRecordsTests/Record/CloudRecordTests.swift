import CloudRecords
import Testing

@Suite struct CloudRecordTests {
    @Test func `a field is absent until it is set, null when set to nil, and else its value`() {
        var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("m1"))
        #expect(record.state(of: "text") == .absent)
        #expect(record["text"] == nil)
        record["text"] = .string("Hello")
        #expect(record.state(of: "text") == .value(.string("Hello")))
        record["text"] = nil
        #expect(record.state(of: "text") == .null)
        record.setState(.absent, of: "text")
        #expect(record.state(of: "text") == .absent)
        #expect(record.knownFieldNames.isEmpty)
    }

    @Test func `setting an unknown field to absent adds nothing`() {
        var record = CloudRecord(recordType: "Message")
        record.setState(.absent, of: "text")
        #expect(record.layout.names.isEmpty)
        record["likes"] = nil
        #expect(record.layout.names == ["likes"])
        #expect(record.knownFieldNames == ["likes"])
    }

    @Test func `a new field has the type of its first value`() {
        var record = CloudRecord(recordType: "Message")
        record["tags"] = .list([.string("a")])
        record["likes"] = nil
        #expect(record.layout.types == [.list(of: .string), nil])
    }

    @Test func `a copy is independent`() {
        var record = CloudRecord(recordType: "Message")
        record["text"] = .string("one")
        var copy = record
        copy["text"] = .string("two")
        copy["likes"] = .int64(1)
        #expect(record["text"] == .string("one"))
        #expect(record.state(of: "likes") == .absent)
        #expect(copy["text"] == .string("two"))
    }

    @Test func `what the store filled of a copy is independent`() {
        let (ann, bob) = (CloudRecordID("ann"), CloudRecordID("bob"))
        var record = CloudRecord(recordType: "Message")
        #expect(record.creatorUserRecordID == nil && record.lastModifiedUserRecordID == nil)
        record.creatorUserRecordID = ann
        record.lastModifiedUserRecordID = ann
        record.recordChangeTag = "1"
        var copy = record
        copy.lastModifiedUserRecordID = bob
        copy.recordChangeTag = "2"
        #expect(record.creatorUserRecordID == ann && record.lastModifiedUserRecordID == ann)
        #expect(record.recordChangeTag == "1")
        #expect(copy.creatorUserRecordID == ann && copy.lastModifiedUserRecordID == bob)
        copy.creatorUserRecordID = nil
        #expect(copy.creatorUserRecordID == nil && copy.lastModifiedUserRecordID == bob)
        #expect(record.creatorUserRecordID == ann)
    }

    @Test func `records of one layout share it until one gains a field`() {
        let layout = FieldLayout(recordType: "Message", names: ["text"])
        let first = CloudRecord(layout: layout)
        var second = CloudRecord(layout: layout)
        second["text"] = .string("x")
        #expect(first.layout === second.layout)
        second["likes"] = .int64(1)
        #expect(first.layout !== second.layout)
        #expect(first.recordType == "Message")
    }

    @Test func `records are equal when type, ID, tag and known fields are, in any order`() {
        let id = CloudRecordID("m1")
        var left = CloudRecord(recordType: "Message", recordID: id)
        var right = CloudRecord(recordType: "Message", recordID: id)
        left["a"] = .int64(1)
        left["b"] = nil
        right["b"] = nil
        right["a"] = .int64(1)
        #expect(left == right)
        right.setState(.absent, of: "b")
        #expect(left != right)
        left.setState(.absent, of: "b")
        #expect(left == right)
        right.recordChangeTag = "2"
        #expect(left != right)
        #expect(CloudRecord(recordType: "A", recordID: id) != CloudRecord(recordType: "B", recordID: id))
    }

    @Test func `the description shows what is known`() {
        var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("m1"))
        record["text"] = .string("He said \"hi\"")
        record["likes"] = nil
        record["tags"] = .list([.int64(1), .int64(2)])
        record.setState(.absent, of: "tags")
        #expect(record.description == #"Message m1 {text: "He said \"hi\"", likes: nil}"#)
    }
}
