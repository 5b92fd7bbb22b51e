import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

@Suite("Text predicates")
struct TextPredicates {
    private static let both: TextOptions = [.caseInsensitive, .diacriticInsensitive]

    private static func store() async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        let records = [
            item("a", ["t": .string("Пирог"), "l": .list([.string("Éclair"), .string("tea")])]),
            item("b", ["t": .string("ŻÓŁW"), "l": .list([])]),
            item("c", ["t": .string("parade 🎺 at noon"), "l": .list([.string("TEA")])]),
            item("d", ["t": .string("100%_a\\b"), "l": .list([.string("50%")])]),
            item("e", ["t": .string("")]),
            item("null", ["t": nil, "l": nil]),
        ]
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        return store
    }

    @Test("Equality and order with options fold both sides")
    func comparisons() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.compare(field: "t", .equal, .string("пирог"), .caseInsensitive)) == ["a"])
        #expect(try await store.matches(.compare(field: "t", .equal, .string("пирог"))) == [])
        #expect(try await store.matches(.compare(field: "t", .equal, .string("zołw"), Self.both)) == ["b"])
        #expect(try await store.matches(.compare(field: "t", .equal, .string("ZOŁW"), .diacriticInsensitive)) == ["b"])
        #expect(
            try await store.matches(.compare(field: "t", .notEqual, .string("ПИРОГ"), .caseInsensitive))
                == ["b", "c", "d", "e", "null"]
        )
        let early = CloudPredicate.Node.compare(field: "t", .less, .string("Q"), .caseInsensitive)
        #expect(try await store.matches(early) == ["c", "d", "e"])
        #expect(try await store.matches(.compare(field: "t", .equal, nil, Self.both)) == ["null"])
        #expect(try await store.matches(.compare(field: "recordID", .equal, .string("A"), .caseInsensitive)) == ["a"])
    }

    @Test("Users are compared by name in any zone, change tags as text")
    func systemFields() async throws {
        let user = CloudRecordID("me", zone: CloudZoneID("z"))
        let store = try SQLiteStore.inMemory(userRecordID: user)
        let tag = try #require(try await store.saveOne(item("a")).recordChangeTag)
        #expect(try await store.matches(.compare(field: "creatorUserRecordID", .equal, .string("me"))) == ["a"])
        #expect(try await store.matches(.compare(field: "creatorUserRecordID", .notEqual, .string("me"))) == [])
        #expect(try await store.matches(.oneOf(field: "creatorUserRecordID", [.string("m"), .string("me")])) == ["a"])
        let me = CloudValue.reference(CloudReference(recordID: user))
        #expect(try await store.matches(.compare(field: "creatorUserRecordID", .equal, me)) == ["a"])
        let other = CloudValue.reference(CloudReference(recordID: CloudRecordID("me")))
        #expect(try await store.matches(.compare(field: "creatorUserRecordID", .equal, other)) == [])
        #expect(try await store.matches(.beginsWith(field: "recordChangeTag", String(tag.prefix(1)))) == ["a"])
        #expect(try await store.matches(.like(field: "recordChangeTag", tag + "?*")) == [])
        let upper = CloudValue.string(tag.uppercased())
        #expect(try await store.matches(.compare(field: "recordChangeTag", .equal, upper, .caseInsensitive)) == ["a"])
    }

    @Test("Integers that no double equals lie between two of them")
    func largeIntegers() async throws {
        let store = try SQLiteStore.inMemory()
        let power = Int64(1) << 53
        try await store.saveOne(item("a", ["x": .double(0x1p53)]))
        try await store.saveOne(item("b", ["x": .double(0x1p53 + 2)]))
        try await store.saveOne(item("c", ["x": .double(0x1p63)]))
        #expect(try await store.matches(.compare(field: "x", .equal, .int64(power))) == ["a"])
        #expect(try await store.matches(.compare(field: "x", .equal, .int64(power + 1))) == [])
        #expect(try await store.matches(.compare(field: "x", .notEqual, .int64(power + 1))).count == 3)
        #expect(try await store.matches(.compare(field: "x", .less, .int64(power + 1))) == ["a"])
        #expect(try await store.matches(.compare(field: "x", .greaterOrEqual, .int64(power + 1))) == ["b", "c"])
        #expect(try await store.matches(.compare(field: "x", .greaterOrEqual, .int64(power + 3))) == ["c"])
        #expect(try await store.matches(.compare(field: "x", .lessOrEqual, .int64(.max))) == ["a", "b"])
        #expect(try await store.matches(.oneOf(field: "x", [.int64(power + 1), .int64(power)])) == ["a"])
    }

    @Test("Prefixes, suffixes and parts, exact and folded")
    func parts() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.beginsWith(field: "t", "ПИ", .caseInsensitive)) == ["a"])
        #expect(try await store.matches(.beginsWith(field: "t", "zo", Self.both)) == ["b"])
        #expect(try await store.matches(.not(.beginsWith(field: "t", "", .caseInsensitive))) == ["null"])
        #expect(try await store.matches(.endsWith(field: "t", "noon")) == ["c"])
        #expect(try await store.matches(.endsWith(field: "t", "NOON")) == [])
        #expect(try await store.matches(.endsWith(field: "t", "NOON", .caseInsensitive)) == ["c"])
        #expect(try await store.matches(.endsWith(field: "t", "łw", Self.both)) == ["b"])
        #expect(try await store.matches(.endsWith(field: "t", "🎺 at noon")) == ["c"])
        #expect(try await store.matches(.endsWith(field: "t", "more than parade 🎺 at noon")) == [])
        #expect(try await store.matches(.endsWith(field: "t", "")) == ["a", "b", "c", "d", "e"])
        #expect(try await store.matches(.not(.endsWith(field: "t", "noon"))) == ["a", "b", "d", "e", "null"])
        #expect(try await store.matches(.endsWith(field: "nobody", "")) == [])
        #expect(try await store.matches(.endsWith(field: "recordID", "ull")) == ["null"])
        #expect(try await store.matches(.contains(field: "t", .string("PARADE 🎺"), .caseInsensitive)) == ["c"])
        #expect(try await store.matches(.contains(field: "t", .string(""), Self.both)) == ["a", "b", "c", "d", "e"])
        #expect(try await store.matches(.contains(field: "l", .string("tea"), .caseInsensitive)) == ["a", "c"])
        #expect(try await store.matches(.contains(field: "l", .string("eclair"), Self.both)) == ["a"])
        #expect(try await store.matches(.contains(field: "l", .string("clair"), Self.both)) == [])
    }

    @Test("LIKE has wildcards of its own, and none of SQL's")
    func like() async throws {
        let store = try await Self.store()
        #expect(try await store.matches(.like(field: "t", "par*no?n")) == ["c"])
        #expect(try await store.matches(.like(field: "t", "PAR*", .caseInsensitive)) == ["c"])
        #expect(try await store.matches(.like(field: "t", "PAR*")) == [])
        #expect(try await store.matches(.like(field: "t", "100%_a\\\\b")) == ["d"])
        #expect(try await store.matches(.like(field: "t", "%")) == [])
        #expect(try await store.matches(.like(field: "t", "*")) == ["a", "b", "c", "d", "e"])
        #expect(try await store.matches(.like(field: "t", "")) == ["e"])
        #expect(try await store.matches(.like(field: "t", "?????")) == ["a"])
        #expect(try await store.matches(.like(field: "t", "z?łw", Self.both)) == ["b"])
        #expect(try await store.matches(.like(field: "nobody", "*")) == [])
        #expect(try await store.matches(.not(.like(field: "t", "*"))) == ["null"])
    }

    @Test("ANY, ALL and NONE, where empty, null and absent lists have no elements")
    func quantifiers() async throws {
        let store = try await Self.store()
        let isTea = CloudPredicate.Node.compare(field: "l", .equal, .string("tea"), .caseInsensitive)
        #expect(try await store.matches(.quantified(.any, field: "l", isTea)) == ["a", "c"])
        #expect(try await store.matches(.quantified(.all, field: "l", isTea)) == ["b", "c", "e", "null"])
        #expect(try await store.matches(.quantified(.none, field: "l", isTea)) == ["b", "d", "e", "null"])
        #expect(try await store.matches(.not(.quantified(.any, field: "l", isTea))) == ["b", "d", "e", "null"])
        #expect(try await store.matches(.not(.quantified(.all, field: "l", isTea))) == ["a", "d"])
        let starts = CloudPredicate.Node.or([
            .beginsWith(field: "l", "t"), .like(field: "l", "?0*"), .oneOf(field: "l", [.string("TEA")]),
        ])
        #expect(try await store.matches(.quantified(.any, field: "l", starts)) == ["a", "c", "d"])
        #expect(
            try await store.matches(
                .quantified(.all, field: "nobody", .compare(field: "nobody", .equal, .string("tea")))
            )
            .count == 6
        )
    }

    @Test("Elements of all types")
    func elementTypes() async throws {
        let store = try SQLiteStore.inMemory()
        let date = Date(timeIntervalSinceReferenceDate: 0.1)
        let owning = CloudReference(recordID: CloudRecordID("x"), action: .deleteSelf)
        let link = CloudReference(recordID: CloudRecordID("x"))
        let place = CloudLocation(latitude: 0, longitude: 1)
        try await store.saveOne(
            item(
                "a",
                [
                    "ints": .list([.int64(1), .int64(5)]), "doubles": .list([.double(0.1), .double(1e300)]),
                    "dates": .list([.date(date), .date(date + 10)]), "places": .list([.location(place)]),
                    "bytes": .list([.bytes(Data([0, 200])), .bytes(Data())]),
                    "links": .list([.reference(owning)]),
                ]
            )
        )
        try await store.saveOne(item("b"))
        func any(_ node: CloudPredicate.Node, _ field: String) async throws -> Bool {
            try await store.matches(.quantified(.any, field: field, node)) == ["a"]
        }
        #expect(try await any(.compare(field: "ints", .greater, .double(4.5)), "ints"))
        #expect(try await any(.between(field: "ints", .int64(2), .int64(4)), "ints") == false)
        #expect(try await any(.oneOf(field: "ints", (5..<50).map { .int64($0) }), "ints"))
        #expect(try await any(.compare(field: "doubles", .equal, .double(0.1)), "doubles"))
        #expect(try await any(.compare(field: "doubles", .greater, .double(1e299)), "doubles"))
        #expect(try await any(.oneOf(field: "dates", [.date(date + 10)]), "dates"))
        #expect(try await any(.compare(field: "dates", .less, .date(date)), "dates") == false)
        #expect(try await any(.compare(field: "bytes", .greater, .bytes(Data([0, 100]))), "bytes"))
        #expect(try await any(.compare(field: "bytes", .equal, .bytes(Data())), "bytes"))
        let minusZero = CloudLocation(latitude: -0.0, longitude: 1)
        #expect(try await any(.compare(field: "places", .equal, .location(minusZero)), "places"))
        #expect(try await any(.compare(field: "links", .equal, .reference(link)), "links"))
        #expect(try await any(.oneOf(field: "links", [.reference(link)]), "links"))
        #expect(try await any(.compare(field: "links", .notEqual, .reference(link)), "links") == false)
        #expect(try await store.matches(.compare(field: "links", .equal, .list([.reference(link)]))) == ["a"])
        #expect(try await store.matches(.contains(field: "places", .location(place))) == ["a"])
    }

    @Test("Lists of other tools that are none have no elements")
    func invalidLists() async throws {
        let folder = try TestFolder()
        let path = folder.path("db.sqlite")
        let store = try SQLiteStore(path: path)
        try await store.saveOne(item("a", ["l": .list([.int64(5)])]))
        for (name, text) in ["text": "[5", "scalar": "5", "object": "{\"a\":5}"] {
            try await store.saveOne(item(name))
            try PlainSQL.run("UPDATE \"Item\" SET \"l\" = '\(text)' WHERE \"_name\" = '\(name)'", path)
        }
        let isFive = CloudPredicate.Node.compare(field: "l", .equal, .int64(5))
        #expect(try await store.matches(.quantified(.any, field: "l", isFive)) == ["a"])
        #expect(try await store.matches(.contains(field: "l", .int64(5))) == ["a"])
        #expect(try await store.matches(.quantified(.none, field: "l", isFive)) == ["object", "scalar", "text"])
        #expect(try await store.matches(.quantified(.all, field: "l", isFive)).count == 4)
    }

    @Test("What is not a number is refused as a value")
    func notANumber() async throws {
        let store = try SQLiteStore.inMemory()
        try await store.saveOne(item("a", ["x": .double(1)]))
        for number in [Double.nan, .infinity] {
            let node = CloudPredicate.Node.compare(field: "x", .notEqual, .double(number))
            #expect(try await error { _ = try await store.matches(node) }.code == .invalidArguments)
        }
    }
}
