import CloudRecords
import Foundation
import Testing

@Suite struct CloudSchemaTests {
    private let schema = CloudSchema(recordTypes: [
        CloudRecordType(name: "User", fields: ["name": .string]),
        CloudRecordType(
            name: "Message",
            fields: [
                "text": .string, "from": .string, "likes": .int64, "to": .reference, "place": .location,
                "tags": .list(of: .string), "guests": .list(of: nil), "picture": .asset, "grant": .double,
                "sent": .date, "raw": .bytes,
            ],
            indexes: [
                .words, .queryable("from", sortedBy: "creationDate", isAscending: false), .queryable("place"),
                .queryable("to"),
                .ordered(equal: [], sorted: [.init("likes"), .init("sent", isAscending: false)]),
            ]
        ),
    ])

    @Test func `a schema prints in the schema language, sorted`() {
        #expect(
            schema.description == """
                DEFINE SCHEMA

                RECORD TYPE Message (
                    // guests is a list whose elements' type is not known yet
                    // index: from, creationDate
                    // index: likes, sent descending
                    "___createTime" TIMESTAMP QUERYABLE SORTABLE,
                    from STRING QUERYABLE SORTABLE SEARCHABLE,
                    "grant" DOUBLE,
                    likes INT64 QUERYABLE SORTABLE,
                    picture ASSET,
                    place LOCATION QUERYABLE SORTABLE,
                    raw BYTES,
                    sent TIMESTAMP QUERYABLE SORTABLE,
                    tags LIST<STRING>,
                    text STRING SEARCHABLE,
                    to REFERENCE QUERYABLE,
                    GRANT WRITE TO "_creator",
                    GRANT CREATE TO "_icloud",
                    GRANT READ TO "_world"
                );

                RECORD TYPE User (
                    name STRING,
                    GRANT WRITE TO "_creator",
                    GRANT CREATE TO "_icloud",
                    GRANT READ TO "_world"
                );

                """
        )
    }

    @Test func `a schema survives JSON`() throws {
        let copy = try JSONDecoder().decode(CloudSchema.self, from: JSONEncoder().encode(schema))
        #expect(copy == schema)
        #expect(copy.description == schema.description)
    }

    @Test func `of two record types of one name the later one counts`() {
        let schema = CloudSchema(recordTypes: [
            CloudRecordType(name: "A", fields: ["old": .string]), CloudRecordType(name: "A", fields: ["new": .string]),
        ])
        #expect(schema.recordTypes.map(\.name) == ["A"])
        #expect(schema["A"]?.fields == ["new": .string])
        #expect(schema["B"] == nil)
    }

    @Test(arguments: [
        // The opposite direction is the same order read backwards.
        (CloudIndex.queryable("a"), CloudIndex.ordered(equal: [], sorted: [.init("a", isAscending: false)])),
        (.queryable("a"), .ordered(equal: ["a"], sorted: [])),
        (.queryable("a", sortedBy: "b"), .queryable("a", sortedBy: "b", isAscending: false)),
        (.queryable("a", sortedBy: "b"), .ordered(equal: [], sorted: [.init("a"), .init("b")])),
        (.queryable("a", "a", sortedBy: "a"), .queryable("a")),
        (.queryable("a"), .ordered(equal: [], sorted: [.init("a"), .init("recordID")])),
    ])
    func `indexes that keep the same order are equal`(first: CloudIndex, second: CloudIndex) {
        #expect(first == second)
        #expect(Set([first, second]).count == 1)
    }

    @Test func `indexes that keep other orders differ`() {
        let indexes: [CloudIndex] = [
            .words, .queryable("a"), .queryable("b"), .queryable("a", sortedBy: "b"), .queryable("b", sortedBy: "a"),
            .ordered(equal: [], sorted: [.init("a"), .init("b", isAscending: false)]),
            .ordered(equal: [], sorted: [.init("a"), .init("recordID", isAscending: false)]), .queryable("recordID"),
        ]
        #expect(Set(indexes).count == indexes.count)
    }
}
