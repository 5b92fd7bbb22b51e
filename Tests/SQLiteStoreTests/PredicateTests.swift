import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Predicates")
struct Predicates {
    private static func store() async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        let date = Date(timeIntervalSinceReferenceDate: 100)
        let link = CloudReference(recordID: CloudRecordID("target"))
        let owning = CloudReference(recordID: CloudRecordID("target"), action: .deleteSelf)
        let records = [
            item(
                "a",
                [
                    "n": .int64(1), "x": .double(1.5), "t": .string("apple"), "d": .date(date), "r": .reference(link),
                    "l": .list([.string("red"), .string("a,b")]), "doubles": .list([.double(0.1), .double(3)]),
                    "links": .list([.reference(owning)]), "bytes": .bytes(Data([1])),
                ]
            ),
            item(
                "b",
                [
                    "n": .int64(2), "x": .double(2), "t": .string("apricot"), "d": .date(date + 1),
                    "r": .reference(owning), "l": .list([]), "doubles": .list([]),
                    "links": .list([.reference(link)]), "bytes": .bytes(Data()),
                ]
            ),
            item("c", ["n": .int64(3), "x": .double(3), "t": .string("Banana"), "l": .list([.string("red")])]),
            item("null", ["n": nil, "x": nil, "t": nil, "d": nil, "r": nil, "l": nil]),
        ]
        let result = try await store.modify(CloudModification(saving: records))
        for outcome in result.saved { _ = try outcome.get() }
        return store
    }

    @Test("Comparisons never match null, and != does")
    func comparisons() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.compare(field: "n", .equal, .int64(2))) == ["b"])
        #expect(try await store.matches(.compare(field: "n", .notEqual, .int64(2))) == ["a", "c", "null"])
        #expect(try await store.matches(.compare(field: "n", .less, .int64(2))) == ["a"])
        #expect(try await store.matches(.compare(field: "n", .lessOrEqual, .int64(2))) == ["a", "b"])
        #expect(try await store.matches(.compare(field: "n", .greater, .int64(2))) == ["c"])
        #expect(try await store.matches(.compare(field: "n", .greaterOrEqual, .int64(2))) == ["b", "c"])
        #expect(try await store.matches(.between(field: "n", .int64(2), .int64(3))) == ["b", "c"])
        #expect(try await store.matches(.not(.compare(field: "n", .less, .int64(2)))) == ["b", "c", "null"])
        #expect(try await store.matches(.not(.between(field: "n", .int64(1), .int64(2)))) == ["c", "null"])
    }

    @Test("Integers and doubles compare as numbers")
    func mixedNumbers() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.compare(field: "n", .greater, .double(1.5))) == ["b", "c"])
        #expect(try await store.matches(.compare(field: "n", .equal, .double(2))) == ["b"])
        #expect(try await store.matches(.compare(field: "x", .equal, .int64(2))) == ["b"])
        #expect(try await store.matches(.compare(field: "x", .less, .int64(2))) == ["a"])
    }

    @Test("nil stands for null and absent fields")
    func nilComparisons() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.compare(field: "t", .equal, nil)) == ["null"])
        #expect(try await store.matches(.compare(field: "t", .notEqual, nil)) == ["a", "b", "c"])
        #expect(try await store.matches(.compare(field: "d", .equal, nil)) == ["c", "null"])
        #expect(try await store.matches(.compare(field: "t", .less, nil)) == [])
        #expect(try await store.matches(.not(.compare(field: "t", .less, nil))).count == 4)
        #expect(try await store.matches(.oneOf(field: "t", [nil, .string("apple")])) == ["a", "null"])
        #expect(try await store.matches(.not(.oneOf(field: "t", [nil, .string("apple")]))) == ["b", "c"])
        #expect(try await store.matches(.not(.oneOf(field: "t", [.string("apple")]))) == ["b", "c", "null"])
    }

    @Test("A field that no record has is null in all of them")
    func unknownField() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.compare(field: "nobody", .equal, nil)).count == 4)
        #expect(try await store.matches(.compare(field: "nobody", .notEqual, .int64(1))).count == 4)
        #expect(try await store.matches(.compare(field: "nobody", .notEqual, nil)) == [])
        #expect(try await store.matches(.compare(field: "nobody", .equal, .int64(1))) == [])
        #expect(try await store.matches(.between(field: "nobody", .int64(1), .int64(2))) == [])
        #expect(try await store.matches(.beginsWith(field: "nobody", "")) == [])
        #expect(try await store.matches(.contains(field: "nobody", .string(""))) == [])
        #expect(try await store.matches(.oneOf(field: "nobody", [nil])).count == 4)
        #expect(try await store.matches(.oneOf(field: "nobody", [.int64(1)])) == [])
        #expect(try await store.names(CloudQuery(recordType: "NeverSaved")) == [])
    }

    @Test("AND, OR and NOT have two values")
    func logic() async throws {
        let store = try await Self.store()
        let isNull = CloudPredicate.Node.compare(field: "n", .equal, nil)
        let small = CloudPredicate.Node.compare(field: "n", .less, .int64(2))
        #expect(try await store.matches(.or([isNull, small])) == ["a", "null"])
        #expect(try await store.matches(.not(.or([isNull, small]))) == ["b", "c"])
        #expect(try await store.matches(.and([.not(isNull), .not(small)])) == ["b", "c"])
        #expect(try await store.matches(.not(.and([small, isNull]))).count == 4)
        #expect(try await store.matches(.not(.not(small))) == ["a"])
        #expect(try await store.matches(.and([])).count == 4)
        #expect(try await store.matches(.or([])) == [])
        #expect(try await store.matches(.everything).count == 4)
        #expect(try await store.matches(.nothing) == [])
        #expect(try await store.matches(.not(.nothing)).count == 4)
    }

    @Test("A thousand terms are not too many")
    func manyTerms() async throws {
        let store = try await Self.store()
        let terms = (0..<3_000).map { CloudPredicate.Node.compare(field: "n", .equal, .int64($0)) }
        #expect(try await store.matches(.or(terms)) == ["a", "b", "c"])
        #expect(try await store.matches(.and(terms.map { .not($0) })) == ["null"])
        let values = (0..<50_000).map { CloudValue.int64($0) }
        #expect(try await store.matches(.oneOf(field: "n", values)) == ["a", "b", "c"])
        let texts = (0..<1_000).map { CloudValue.string("t\($0)") } + [.string("apple")]
        #expect(try await store.matches(.oneOf(field: "t", texts)) == ["a"])
    }

    @Test("A prefix is exact: case counts, and % and _ are themselves")
    func prefixes() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.beginsWith(field: "t", "ap")) == ["a", "b"])
        #expect(try await store.matches(.beginsWith(field: "t", "b")) == [])
        #expect(try await store.matches(.beginsWith(field: "t", "a%")) == [])
        #expect(try await store.matches(.beginsWith(field: "t", "a_")) == [])
        #expect(try await store.matches(.beginsWith(field: "t", "")) == ["a", "b", "c"])
        #expect(try await store.matches(.not(.beginsWith(field: "t", "ap"))) == ["c", "null"])
        let last = "\u{10FFFF}"
        let texts = ["z1": "\u{D7FF}x", "z2": "\u{E000}", "z3": last, "z4": last + last + "a", "z5": "a" + last]
        _ = try await store.modify(CloudModification(saving: texts.map { item($0, ["t": .string($1)]) }))
        #expect(try await store.matches(.beginsWith(field: "t", "\u{D7FF}")) == ["z1"])
        #expect(try await store.matches(.beginsWith(field: "t", last)) == ["z3", "z4"])
        #expect(try await store.matches(.beginsWith(field: "t", last + last)) == ["z4"])
        #expect(try await store.matches(.beginsWith(field: "t", "a" + last)) == ["z5"])
    }

    @Test("CONTAINS is membership in lists and a substring in texts")
    func contains() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.contains(field: "l", .string("red"))) == ["a", "c"])
        #expect(try await store.matches(.contains(field: "l", .string("re"))) == [])
        #expect(try await store.matches(.contains(field: "l", .string("a,b"))) == ["a"])
        #expect(try await store.matches(.not(.contains(field: "l", .string("red")))) == ["b", "null"])
        #expect(try await store.matches(.contains(field: "doubles", .double(0.1))) == ["a"])
        #expect(try await store.matches(.contains(field: "doubles", .int64(3))) == ["a"])
        let target = CloudReference(recordID: CloudRecordID("target"))
        #expect(try await store.matches(.contains(field: "links", .reference(target))) == ["a", "b"])
        #expect(try await store.matches(.contains(field: "t", .string("ric"))) == ["b"])
        #expect(try await store.matches(.contains(field: "t", .string("%"))) == [])
        #expect(try await store.matches(.contains(field: "t", .string(""))) == ["a", "b", "c"])
    }

    @Test("References compare by ID only")
    func references() async throws {
        let store = try await Self.store()
        let target = CloudReference(recordID: CloudRecordID("target"))
        #expect(try await store.matches(.compare(field: "r", .equal, .reference(target))) == ["a", "b"])
        let elsewhere = CloudReference(recordID: CloudRecordID("target", zone: CloudZoneID("z")))
        #expect(try await store.matches(.compare(field: "r", .equal, .reference(elsewhere))) == [])
        #expect(try await store.matches(.oneOf(field: "r", [.reference(target)])) == ["a", "b"])
    }

    @Test("System fields can be asked for")
    func systemFields() async throws {
        let store = try await Self.store()
        let record = try await store.fetchOne("b")
        let user = CloudReference(recordID: try #require(record.creatorUserRecordID))
        let me = CloudReference(recordID: record.recordID)
        let created = try #require(record.creationDate)
        let tag = try #require(record.recordChangeTag)
        #expect(try await store.matches(.compare(field: "recordID", .equal, .reference(me))) == ["b"])
        #expect(try await store.matches(.compare(field: "recordID", .equal, .string("b"))) == ["b"])
        #expect(try await store.matches(.compare(field: "recordID", .notEqual, .string("b"))) == ["a", "c", "null"])
        #expect(try await store.matches(.compare(field: "recordID", .greater, .string("b"))) == ["c", "null"])
        #expect(try await store.matches(.oneOf(field: "recordID", [.string("b"), .string("c")])) == ["b", "c"])
        #expect(try await store.matches(.beginsWith(field: "recordID", "nu")) == ["null"])
        #expect(try await store.matches(.compare(field: "creationDate", .equal, .date(created))) == ["b"])
        #expect(try await store.matches(.compare(field: "creationDate", .less, .date(created))) == ["a"])
        #expect(try await store.matches(.compare(field: "modificationDate", .equal, nil)) == [])
        #expect(try await store.matches(.compare(field: "creatorUserRecordID", .equal, .reference(user))).count == 4)
        #expect(try await store.matches(.compare(field: "lastModifiedUserRecordID", .notEqual, .reference(user))) == [])
        #expect(try await store.matches(.compare(field: "recordChangeTag", .equal, .string(tag))) == ["b"])
        #expect(try await store.matches(.compare(field: "recordChangeTag", .equal, .string("~"))) == [])
        #expect(
            try await error { _ = try await store.matches(.compare(field: "creationDate", .equal, .int64(1))) }.code
                == .invalidArguments
        )
    }

    @Test("A value of another type than the field's is an error naming field and both types")
    func wrongTypes() async throws {
        let store = try await Self.store()
        let wrong: [CloudPredicate.Node] = [
            .compare(field: "n", .equal, .string("three")), .compare(field: "t", .less, .int64(3)),
            .between(field: "d", .int64(1), .int64(2)), .oneOf(field: "n", [.int64(1), .string("x")]),
            .beginsWith(field: "n", "1"), .contains(field: "l", .int64(1)), .contains(field: "n", .int64(1)),
            .compare(field: "l", .equal, .string("red")), .compare(field: "l", .less, .list([])),
            .compare(field: "r", .equal, .string("target")),
        ]
        for node in wrong {
            let refused = try await error { _ = try await store.matches(node) }
            #expect(refused.code == .invalidArguments, "\(node)")
            #expect(refused.field != nil)
        }
        let mismatch = try await error { _ = try await store.matches(wrong[0]) }
        #expect(mismatch.message.contains("INT64") && mismatch.message.contains("STRING"))
    }

    @Test("A predicate that is none says so")
    func malformed() async throws {
        let store = try await Self.store()
        let malformed = CloudPredicate.Node.malformed(message: "no predicate", remedy: "write one")
        #expect(try await error { _ = try await store.matches(malformed) }.message == "no predicate")
    }

    @Test(
        "Values that look like SQL are values",
        arguments: ["'; DROP TABLE Item; --", "\" OR 1=1", "a') OR ('1'='1", "?1", "\\", "%", "$[0]", "[1]"]
    )
    func injection(text: String) async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["t": .string(text), "l": .list([.string(text)])]))
        try await store.saveOne(item("b", ["t": .string("other"), "l": .list([.string("other")])]))
        #expect(try await store.matches(.compare(field: "t", .equal, .string(text))) == ["a"])
        #expect(try await store.matches(.beginsWith(field: "t", text)) == ["a"])
        #expect(try await store.matches(.contains(field: "t", .string(text))) == ["a"])
        #expect(try await store.matches(.contains(field: "l", .string(text))) == ["a"])
        #expect(try await store.matches(.oneOf(field: "t", Array(repeating: .string(text), count: 40))) == ["a"])
        #expect(try await store.matches(.compare(field: "recordID", .equal, .string(text))) == [])
        #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: .ascending(text))).contains("b"))
        #expect(try await store.fetch([CloudRecordID(text)], desiredFields: [text]).count == 1)
        let asField = CloudPredicate.Node.compare(field: text, .equal, .string("x"))
        #expect(try await error { _ = try await store.matches(asField) }.code == .invalidArguments)
    }

    @Test("Trees of any shape run up to the depth that is allowed, and are refused beyond")
    func depth() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["n": .int64(1)]))
        var mixed = CloudPredicate(.compare(field: "n", .equal, .int64(1)))
        var negated = mixed
        for level in 0..<CloudPredicate.maximumDepth {
            let other = CloudPredicate(.compare(field: "n", .notEqual, .int64(7)))
            mixed = level.isMultiple(of: 2) ? mixed || other : mixed && other
            negated = !negated
        }
        for predicate in [mixed, negated] {
            let query = CloudQuery(recordType: "Item", predicate: predicate, orderBy: .recordName)
            #expect(try await store.names(query) == ["a"])
            let deeper = CloudQuery(recordType: "Item", predicate: !predicate, orderBy: .recordName)
            #expect(try await error { _ = try await store.names(deeper) }.code == .invalidArguments)
        }
    }

    @Test("Records are found by thousands of IDs, of each zone its own")
    func manyRecordIDs() async throws {
        let store = try SQLiteStore.inMemory()
        let zone = CloudZoneID("other")
        try await store.saveZone(zone)
        let records =
            (0..<3_000).map { item("n\($0)") }
            + [CloudRecord(recordType: "Item", recordID: CloudRecordID("n1", zone: zone))]
        _ = try await store.modify(CloudModification(saving: records))
        let references = (0..<20_000).map { number in
            CloudValue.reference(CloudReference(recordID: CloudRecordID("n\(number * 2)")))
        }
        #expect(try await store.matches(.oneOf(field: "recordID", references)).count == 1_500)
        let elsewhere = CloudValue.reference(CloudReference(recordID: CloudRecordID("n1", zone: zone)))
        #expect(try await store.matches(.oneOf(field: "recordID", [elsewhere, nil])) == ["n1"])
        #expect(
            try await store.matches(.oneOf(field: "recordID", [.string("n1"), .string("n2")])) == ["n1", "n1", "n2"]
        )
        #expect(try await store.matches(.oneOf(field: "recordID", [])) == [])
    }

    @Test("A NUL in a value is refused")
    func nulInValue() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["t": .string("x")]))
        let node = CloudPredicate.Node.compare(field: "t", .equal, .string("\u{0}x"))
        #expect(try await error { _ = try await store.matches(node) }.code == .invalidArguments)
    }
}
