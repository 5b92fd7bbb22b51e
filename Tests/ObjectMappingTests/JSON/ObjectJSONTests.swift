import CloudRecords
import Foundation
import ObjectMapping
import Testing

private final class Visit: CloudDataObject {
    enum Mood: String { case good, bad }
    var text = "initial"
    var count: Int64 = 5
    var isOpen = true
    var flags: [Bool] = []
    var ratio = 0.5
    var mood = Mood.good
    var when: Date?
    var payload: Data?
    var place: CloudLocation?
    var host: CloudReference?
    var scores: [String: Int] = [:]
    var days: [Date] = []
    var spot = Spot()
    var loads = 0

    override class var fieldRules: [FieldRule] { [.ignore("loads")] }
    override func didLoad() { loads += 1 }
}

private final class Spot: CloudEmbeddedObject {
    var name = "here"
    var isKnown: Bool?
    var deep: Depth?
}

private final class Depth: CloudEmbeddedObject {
    var metres = 0.0
}

@Suite struct ObjectJSONTests {

    @Test func `JSON reads as a person would write it`() throws {
        let visit = Visit()
        visit.recordID = CloudRecordID("v1")
        visit.flags = [true, false]
        visit.when = Date(timeIntervalSince1970: 1_717_228_800)
        visit.payload = Data([1, 2, 3])
        visit.host = CloudReference(recordID: CloudRecordID("h1"))
        visit.scores = ["a": 1]
        visit.spot.deep = Depth()
        #expect(
            try visit.toJSON()
                == #"{"count":5,"days":[],"flags":[true,false],"host":{"action":"none","recordID":{"recordName":"h1"}},"#
                + #""isOpen":true,"mood":"good","payload":"AQID","place":null,"ratio":0.5,"#
                + #""recordID":{"recordName":"v1"},"scores":{"a":1},"#
                + #""spot":{"deep":{"metres":0},"isKnown":null,"name":"here"},"#
                + #""text":"initial","when":"2024-06-01T08:00:00Z"}"#
        )
    }

    @Test func `system fields go through JSON`() throws {
        var record = record(Visit.self, name: "v2", [:])
        record.creationDate = Date(timeIntervalSinceReferenceDate: 0.1)
        record.modificationDate = Date(timeIntervalSinceReferenceDate: 1e13)
        record.creatorUserRecordID = CloudRecordID("_u", zone: CloudZoneID("z", ownerName: "o"))
        record.lastModifiedUserRecordID = CloudRecordID("_w")
        record.recordChangeTag = "t"
        let visit = try Visit(json: try Visit(record: record).toJSON())
        #expect(visit.recordID == CloudRecordID("v2"))
        #expect(visit.creationDate == record.creationDate)
        #expect(visit.modificationDate == record.modificationDate)
        #expect(visit.creatorUserRecordID == record.creatorUserRecordID)
        #expect(visit.lastModifiedUserRecordID == record.lastModifiedUserRecordID)
        #expect(visit.recordChangeTag == "t")
        #expect(visit.loads == 1)
    }

    @Test func `missing keys keep the initial values, null too where there is no nil, and unknown keys are ignored`()
        throws
    {
        let visit = try Visit(json: #"{"count": null, "spot": {"name": null}, "other": [1, {"a": null}]}"#)
        #expect(visit.text == "initial" && visit.count == 5 && visit.isOpen && visit.spot.name == "here")
        #expect(try Visit(json: Data("{}".utf8)).recordID != Visit(json: "{}").recordID)
    }

    @Test(arguments: [Int64.min, .max, 9_007_199_254_740_993, -9_007_199_254_740_993])
    func `64-bit integers are exact`(count: Int64) throws {
        let visit = Visit()
        visit.count = count
        #expect(try visit.toJSON().contains("\"count\":\(count)"))
        #expect(try jsonRoundTrip(visit).count == count)
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity]) func `a number without a JSON form is an error`(
        ratio: Double
    ) throws {
        let visit = Visit()
        visit.recordID = CloudRecordID("gauge1")
        visit.ratio = ratio
        let error = try cloudError(.invalidArguments) { _ = try visit.toJSON() }
        #expect(error.message.contains("gauge1") && error.message.contains("ratio"))
        #expect(error.field == "ratio")
        visit.ratio = 0
        visit.place = CloudLocation(latitude: ratio, longitude: 0)
        #expect(try cloudError(.invalidArguments) { _ = try visit.toJSON() }.field == "place")
        visit.place = nil
        visit.when = Date(timeIntervalSinceReferenceDate: ratio)
        #expect(try cloudError(.invalidArguments) { _ = try visit.toJSON() }.field == "when")
    }

    @Test(arguments: [
        (#"{"text": 1}"#, "text"), (#"{"text": ["a"]}"#, "text"), (#"{"count": "1"}"#, "count"),
        (#"{"count": 1.5}"#, "count"), (#"{"count": true}"#, "count"), (#"{"count": 9223372036854775808}"#, "count"),
        (#"{"isOpen": 2}"#, "isOpen"), (#"{"isOpen": "true"}"#, "isOpen"), (#"{"flags": [true, 5]}"#, "flags"),
        (#"{"ratio": "x"}"#, "ratio"), (#"{"ratio": true}"#, "ratio"), (#"{"mood": "odd"}"#, "mood"),
        (#"{"when": "yesterday"}"#, "when"), (#"{"when": "2024-02-30T00:00:00Z"}"#, "when"),
        (#"{"when": true}"#, "when"), (#"{"payload": "?"}"#, "payload"), (#"{"place": {"latitude": 1}}"#, "place"),
        (#"{"host": "h1"}"#, "host"), (#"{"scores": [1]}"#, "scores"), (#"{"days": "2024-06-01"}"#, "days"),
        (#"{"spot": 1}"#, "spot"), (#"{"spot": {"name": 1}}"#, "spot__name"),
        (#"{"spot": {"deep": {"metres": "x"}}}"#, "spot__deep__metres"), (#"{"spot": {"deep": []}}"#, "spot__deep"),
        (#"{"recordID": "v1"}"#, "recordID"), (#"{"creationDate": "now"}"#, "creationDate"),
        (#"{"recordChangeTag": 1}"#, "recordChangeTag"),
    ])
    func `a value of a wrong type is an error that names the field`(json: String, field: String) throws {
        let error = try cloudError(.mappingFailed) { _ = try Visit(json: json) }
        #expect(error.field == field)
        #expect(error.message.contains(field.split(separator: "_").last ?? ""))
    }

    @Test(arguments: ["", "{", "[1]", "null", "1", "\"text\"", "{\"a\": }", "{\"count\": NaN}", "\u{0}"])
    func `text that is no JSON object is an error`(json: String) throws {
        _ = try cloudError(.invalidArguments) { _ = try Visit(json: json) }
    }

    @Test func `JSON that nests very deep is an error`() throws {
        let json =
            "{\"scores\": " + String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000) + "}"
        _ = try cloudError(.invalidArguments) { _ = try Visit(json: json) }
    }

    @Test func `lists of objects go through JSON, and what is no list is an error`() throws {
        let visits = (0..<3).map { number in
            let visit = Visit()
            visit.count = Int64(number)
            return visit
        }
        let loaded = try [Visit](json: try visits.toJSON())
        #expect(loaded == visits)
        #expect(try [Visit](json: "[]").isEmpty)
        #expect(try [Visit]().toJSON() == "[]")
        _ = try cloudError(.invalidArguments) { _ = try [Visit](json: "{}") }
        _ = try cloudError(.invalidArguments) { _ = try [Visit](json: "[1]") }
        _ = try cloudError(.invalidArguments) { _ = try [Visit](json: "[{}") }
        #expect(try cloudError(.mappingFailed) { _ = try [Visit](json: #"[{}, {"count": "x"}]"#) }.field == "count")
    }

    @Test func `pretty-printed JSON has lines and reads back the same`() throws {
        let visit = Visit()
        let pretty = try visit.toJSON(prettyPrinted: true)
        #expect(pretty.contains("\n") && pretty.contains("  \"count\" : 5"))
        #expect(try Visit(json: pretty) == visit)
        #expect(try !visit.toJSON().contains("\n"))
        #expect(try [visit].toJSON(prettyPrinted: true).contains("\n"))
    }

    @Test func `text with every kind of character goes through JSON`() throws {
        let visit = Visit()
        visit.text = "\"\\/\u{8}\n\t\u{1F} 🐝 \u{2028} e\u{301} </script>"
        #expect(Array(try jsonRoundTrip(visit).text.unicodeScalars) == Array(visit.text.unicodeScalars))
    }
}
