import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// Which records a query finds.
    static let queries: [StorePromise] = [
        StorePromise("Predicates have one meaning") { store in
            try await store.save(samples)
            for (predicate, names) in meanings {
                #expect(try await store.names(predicate).joined() == names, "\(predicate)")
            }
        },
        StorePromise("OR has one meaning", requires: .orPredicates) { store in
            try await store.save(samples)
            for (predicate, names) in orMeanings {
                #expect(try await store.names(predicate).joined() == names, "\(predicate)")
            }
        },
        StorePromise("System fields can be queried") { store in
            let saved = try await store.save([item("a"), item("b"), item("c")])
            let user = CloudReference(recordID: try await store.currentUserRecordID())
            let second = CloudReference(recordID: saved[1].recordID)
            #expect(try await store.names("recordID == \(second)") == ["b"])
            #expect(try await store.names("creatorUserRecordID == \(user)") == ["a", "b", "c"])
            let date = try #require(saved[2].creationDate)
            #expect(try await store.names("creationDate <= \(date)").contains("c"))
            #expect(try await store.names("modificationDate > \(date + 1_000)") == [])
        },
        StorePromise("A predicate sees a record as it is now") { store in
            let saved = try await store.save(item("a", ["n": .int64(1)]))
            let changed = try await store.save(saved.setting("n", to: .int64(2)))
            #expect(try await store.names("n == 1") == [])
            #expect(try await store.names("n == 2") == ["a"])
            try await store.save(changed.setting("n", to: nil))
            #expect(try await store.names("n == 2") == [])
            #expect(try await store.names("n == nil") == ["a"])
        },
        StorePromise("A type that was never saved has no records") { store in
            for predicate: CloudPredicate in [.all, "n == 1", "NOT n == 1", "n == nil"] {
                let names = try await store.names(CloudQuery(recordType: "Nothing", predicate: predicate))
                #expect(names == [], "\(predicate)")
            }
        },
        StorePromise("A query returns records of its type only") { store in
            try await store.save([item("a"), CloudRecord(recordType: "Other", recordID: CloudRecordID("b"))])
            #expect(try await store.names() == ["a"])
        },
        StorePromise("A query looks in the zone that it names, or in all", requires: .zones) { store in
            let notes = CloudZoneID("notes")
            try await store.saveZone(notes)
            try await store.save([item("a"), item("b", in: notes)])
            let order = OrderBy.recordName
            #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: order, zoneID: notes)) == ["b"])
            #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: order, zoneID: .default)) == ["a"])
            #expect(try await store.names(CloudQuery(recordType: "Item", orderBy: order)) == ["a", "b"])
        },
        StorePromise("A query returns the desired fields; the others are absent") { store in
            let saved = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            for (fields, known) in [(["t"], ["t"]), ([], []), (nil, ["n", "t"])] {
                let query = CloudQuery(recordType: "Item", predicate: "n == 1", desiredFields: fields)
                let record = try #require(try await store.records(query).first)
                #expect(record.knownFieldNames.sorted() == known)
                #expect(record.recordChangeTag == saved.recordChangeTag)
            }
        },
        StorePromise("A predicate that can't be read is an error of the query") { store in
            try await store.save(item("a", ["n": .int64(1)]))
            let error = try await #require(throws: CloudError.self) { try await store.names("n ==") }
            #expect(error.code == .invalidArguments)
        },
        StorePromise("A value that the field's type can't be compared with is an error that names the field") { store in
            try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            for predicate: CloudPredicate in ["n == 'x'", "t > 3", "n BEGINSWITH '1'"] {
                let error = try await #require(throws: CloudError.self) { try await store.names(predicate) }
                #expect(error.code == .invalidArguments, "\(predicate)")
                #expect(error.field == (predicate == "t > 3" ? "t" : "n"))
            }
        },
        StorePromise("Values in a predicate are never read as part of a query language") { store in
            let text = "x' OR '1'='1\"; --"
            try await store.save([item("a", ["t": .string(text)]), item("b", ["t": .string("x")])])
            #expect(try await store.names("t == \(text)") == ["a"])
            #expect(try await store.names("t BEGINSWITH \("%")") == [])
            #expect(try await store.names("t CONTAINS \("_")") == [])
        },
    ]

    /// Records a to f; f has no values.
    private static var samples: [CloudRecord] {
        [
            item("a", ["n": .int64(1), "d": .double(1.5), "t": .string("apple"), "l": .list([.string("x")])]),
            item("b", ["n": .int64(2), "d": .double(-1), "t": .string("Apple"), "l": .list([])]),
            item(
                "c",
                ["n": .int64(3), "d": .double(0), "t": .string("pear"), "l": .list([.string("x"), .string("y")])]
            ),
            item("d", ["n": .int64(-4), "d": nil, "t": .string("ap*le"), "l": .list([.string("y"), .string("y")])]),
            item("e", ["n": .int64(2), "d": .double(1e9), "t": .string("äpple"), "l": nil]),
            item("f", ["n": nil, "t": nil]),
        ]
    }

    private static let meanings: [(CloudPredicate, String)] = [
        ("TRUEPREDICATE", "abcdef"), ("FALSEPREDICATE", ""),
        ("n == 2", "be"), ("n != 2", "acdf"), ("n < 2", "ad"), ("n <= 2", "abde"), ("n > 2", "c"), ("n >= 2", "bce"),
        ("n BETWEEN {1, 2}", "abe"), ("n IN {1, 3, 99}", "ac"), ("n == 2.0", "be"), ("d > 1", "ae"),
        ("n == nil", "f"), ("n != nil", "abcde"), ("d == nil", "df"),
        ("NOT n == 2", "acdf"), ("NOT n > 2", "abdef"), ("n > 0 AND d > 0", "ae"), ("NOT (n > 0 AND d > 0)", "bcdf"),
        ("t == 'apple'", "a"), ("t == 'Apple'", "b"), ("t ==[c] 'APPLE'", "ab"), ("t ==[cd] 'APPLE'", "abe"),
        ("t < 'b'", "abd"), ("t BEGINSWITH 'ap'", "ad"), ("t ENDSWITH 'le'", "abde"), ("t CONTAINS 'pl'", "abe"),
        ("t BEGINSWITH[c] 'AP'", "abd"), ("t LIKE 'a*e'", "ad"), ("t LIKE '?pple'", "abe"),
        ("t LIKE 'ap\\\\*le'", "d"), ("t BEGINSWITH ''", "abcde"), ("NOT t BEGINSWITH 'a'", "bcef"),
        ("l CONTAINS 'x'", "ac"), ("'y' IN l", "cd"), ("ANY l == 'y'", "cd"), ("ALL l == 'y'", "bdef"),
        ("NONE l == 'x'", "bdef"), ("ANY l IN {'x', 'z'}", "ac"), ("l == nil", "ef"),
    ]

    private static let orMeanings: [(CloudPredicate, String)] = [
        ("n == 1 OR n == 3", "ac"), ("n == 1 OR t == 'Apple' OR l CONTAINS 'y'", "abcd"),
        ("NOT (n == 1 OR n == 2)", "cdf"), ("(n == 2 OR n == 3) AND d > 0", "e"), ("n == nil OR n > 2", "cf"),
    ]
}
