import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Letter: CloudDataObject {
    var title = ""
    var text: String?
    var likes = 1
    var tags: [String] = []
    var sender = Address()
    var receiver: Address?
    var secret = "s"
    lazy var note = "lazy"

    override class var fieldRules: [FieldRule] { [.importOnly("secret")] }
}

private final class Address: CloudEmbeddedObject {
    var street = ""
    var number: Int?
}

/// Objects of which some fields were loaded, and their copies.
@Suite struct PartialLoadTests {
    private func partial(
        _ fields: [String: CloudValue?] = ["title": .string("Hi")],
        tag: String? = "1"
    ) throws -> Letter {
        var record = record(Letter.self, fields)
        record.recordChangeTag = tag
        return try Letter(record: record)
    }

    private func copies(of letter: Letter) throws -> [Letter] {
        let byRecord = try Letter(record: try letter.toRecord())
        let byJSON = try Letter(json: try letter.toJSON())
        return [byRecord, byJSON, try Letter(json: try byRecord.toJSON()), try Letter(record: try byJSON.toRecord())]
    }

    private func savedNames(_ letter: Letter) throws -> Set<String> {
        Set(try letter.recordForSaving().knownFieldNames)
    }

    @Test func `fields that a record with a change tag lacks are left alone, in every copy too`() throws {
        let letter = try partial()
        #expect(try savedNames(letter) == ["title"])
        for copy in try copies(of: letter) {
            #expect(try savedNames(copy) == ["title"])
            #expect(copy == letter && copy.recordChangeTag == "1")
            copy.likes = 5
            copy.text = "x"
            #expect(try savedNames(copy) == ["title", "likes", "text"])
        }
        #expect(try letter.toJSON().contains("likes") == false)
        #expect(letter.description == #"Letter r1 {title: "Hi"}"#)
    }

    @Test func `what was changed before the copy is saved by the copy`() throws {
        let letter = try partial()
        letter.likes = 5
        letter.receiver = Address()
        for copy in try copies(of: letter) {
            #expect(copy.likes == 5 && copy.receiver != nil)
            #expect(try savedNames(copy).isSuperset(of: ["title", "likes", "receiver"]))
            #expect(try !savedNames(copy).contains("text"))
        }
    }

    @Test func `without a change tag the object is a new one, of which everything is saved`() throws {
        let all: Set = [
            "title", "text", "likes", "tags", "sender__street", "sender__number", "receiver", "receiver__street",
            "receiver__number",
        ]
        #expect(try savedNames(try partial(tag: nil)) == all)
        #expect(try savedNames(try Letter(json: #"{"title": "Hi"}"#)) == all)
        #expect(try savedNames(try Letter(json: #"{"title": "Hi", "recordChangeTag": "1"}"#)) == ["title"])
    }

    @Test func `null is a loaded value`() throws {
        let letter = try partial(["text": nil, "receiver": nil])
        for copy in try copies(of: letter) + [letter] {
            #expect(try copy.recordForSaving().state(of: "text") == .null)
            #expect(try !savedNames(copy).contains("likes"))
        }
        let byJSON = try Letter(json: #"{"text": null, "receiver": null, "recordChangeTag": "1"}"#)
        #expect(try savedNames(byJSON) == ["text", "receiver", "receiver__street", "receiver__number"])
    }

    @Test func `a property that was not loaded and gets its initial value is not saved, unlike another value`() throws {
        let letter = try partial()
        letter.likes = 1
        #expect(try !savedNames(letter).contains("likes"))
        letter.likes = 0
        let record = try letter.recordForSaving()
        #expect(record["likes"] == .int64(0))
        try letter.adoptSaved(record, sentAs: record)
        letter.likes = 1
        #expect(try savedNames(letter) == ["title", "likes"], "what it saved itself it knows from then on")
    }

    @Test func `of an embedded object only what was loaded or changed is saved`() throws {
        let letter = try partial(["sender__street": .string("Main"), "receiver__street": .string("Side")])
        for copy in try copies(of: letter) + [letter] {
            #expect(copy.sender.street == "Main" && copy.receiver?.street == "Side")
            #expect(try !savedNames(copy).contains("sender__number"))
            #expect(try !savedNames(copy).contains("receiver__number"))
            copy.receiver?.number = 7
            #expect(try savedNames(copy).isSuperset(of: ["sender__street", "receiver__street", "receiver__number"]))
        }
    }

    @Test func `an embedded object that is set to nil is removed with all its fields`() throws {
        let letter = try partial(["receiver": .int64(1), "receiver__street": .string("Side")])
        letter.receiver = nil
        for copy in try copies(of: letter) + [letter] {
            let record = try copy.recordForSaving()
            #expect(copy.receiver == nil)
            for name in ["receiver", "receiver__street", "receiver__number"] {
                #expect(record.state(of: name) == .null)
            }
        }
    }

    @Test func `a nil embedded object of which some fields were loaded leaves the others alone`() throws {
        let letter = try partial(["receiver__street": nil])
        for copy in try copies(of: letter) + [letter] {
            #expect(copy.receiver == nil)
            #expect(try savedNames(copy).isDisjoint(with: ["receiver", "receiver__number"]))
            copy.receiver = Address()
            #expect(try savedNames(copy).isSuperset(of: ["receiver", "receiver__street"]))
        }
    }

    @Test func `a whole object stays whole in its copies`() throws {
        let letter = try Letter(record: try partial(tag: nil).toRecord())
        let record = try letter.recordForSaving()
        try letter.adoptSaved(record, sentAs: record)
        for copy in try copies(of: letter) {
            copy.recordID = CloudRecordID("copy")
            #expect(try savedNames(copy).contains("receiver__number"))
        }
    }

    @Test func `an object of which some fields were loaded can't be saved as a new record`() throws {
        let deleted = try partial()
        deleted.forgetStored()
        let renamed = try partial()
        renamed.recordID = CloudRecordID("other")
        for letter in [deleted, renamed] {
            let error = try cloudError(.invalidArguments) { _ = try letter.recordForSaving() }
            #expect(error.field == "likes" || error.field == "text")
            #expect(error.message.contains("Letter") && error.message.contains("only some fields"))
            #expect(error.recordID == letter.recordID)
        }
        // With every field set it is whole.
        deleted.text = "x"
        deleted.likes = 2
        deleted.tags = ["t"]
        deleted.sender.street = "Main"
        deleted.sender.number = 1
        deleted.receiver = Address()
        deleted.receiver?.number = 2
        let record = try deleted.recordForSaving()
        #expect(record.knownFieldNames.count == 9)
        try deleted.adoptSaved(record, sentAs: record)
        deleted.likes = 1
        #expect(try deleted.recordForSaving()["likes"] == .int64(1))
    }

    @Test func `filling an object again adds to what it knows`() throws {
        let letter = try partial()
        var more = record(Letter.self, ["likes": .int64(9)])
        more.recordChangeTag = "2"
        try letter.fill(from: more)
        #expect(try savedNames(letter) == ["title", "likes"])
    }
}
