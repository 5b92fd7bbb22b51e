import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLStore
import SQLiteStore
import Testing

@Suite("Token search")
struct TokenSearch {
    private static func store(_ texts: [String: [String: CloudValue?]]) async throws -> SQLiteStore {
        let store = try SQLiteStore.inMemory()
        try await save(texts, store)
        return store
    }

    private static func save(_ texts: [String: [String: CloudValue?]], _ store: SQLiteStore) async throws {
        let records = texts.map { item($0, $1) }
        for outcome in try await store.modify(CloudModification(saving: records, savePolicy: .changedKeys)).saved {
            _ = try outcome.get()
        }
    }

    @Test("All words match, each in any text field, regardless of case and diacritics")
    func acrossFields() async throws {
        let store = try await Self.store([
            "both": ["s": .string("Hello"), "t": .string("wörld"), "n": .int64(5)],
            "one": ["s": .string("HELLO there"), "t": nil],
            "list": ["l": .list([.string("hello world")])],
        ])
        #expect(try await store.matches(.tokens("hello world")) == ["both"])
        #expect(try await store.matches(.tokens("World, héLLO!")) == ["both"])
        #expect(try await store.matches(.tokens("hello")) == ["both", "one"])
        #expect(try await store.matches(.tokens("hell")) == [])
        #expect(try await store.matches(.tokens("hello mars")) == [])
        #expect(try await store.matches(.tokens("5")) == [])
    }

    @Test("Words are what TokenText says")
    func words() async throws {
        let store = try await Self.store([
            "a": ["t": .string("東京タワー")], "b": ["t": .string("café☕️latte")], "c": ["t": .string("naïve_test")],
            "d": ["t": .string("It's k=v, 30% @harbour #sale")], "e": ["t": .string("the with of")],
            "f": ["t": .string("🎺🎺")], "g": ["t": .string("Пирог ΔΡΌΜΟΣ İstanbul")],
        ])
        #expect(try await store.matches(.tokens("東京")) == ["a"])
        #expect(try await store.matches(.tokens("京東")) == ["a"])
        #expect(try await store.matches(.tokens("latte")) == ["b"])
        #expect(try await store.matches(.tokens("CAFE")) == ["b"])
        #expect(try await store.matches(.tokens("naive")) == ["c"])
        #expect(try await store.matches(.tokens("test_naïve")) == ["c"])
        #expect(try await store.matches(.tokens("v 30 harbour sale")) == ["d"])
        #expect(try await store.matches(.tokens("the 30%")) == ["d"])
        #expect(try await store.matches(.tokens("пирог δρομος istanbul")) == ["g"])
    }

    @Test("A search without words finds nothing", arguments: ["", " ", "?!", "🎺", "the", "\"", "*", "_", "-"])
    func empty(text: String) async throws {
        let store = try await Self.store(["a": ["t": .string("the 🎺 ?! hello")], "b": ["t": .string("")]])
        #expect(try await store.matches(.tokens(text)) == [])
        #expect(try await store.matches(.not(.tokens(text))) == ["a", "b"])
    }

    @Test(
        "What FTS5 would read as its language is text",
        arguments: [
            "\"", "hello\"", "\"hello", "hello*", "hell*", "NEAR(hello world, 2)", "hello AND", "OR hello", "NOT hello",
            "words:hello", "words : hello", "-hello", "^hello", "hello + world", "{words} : hello", "(hello", "hello)",
            "'; DROP TABLE Item; --", "hello\\",
        ]
    )
    func syntax(text: String) async throws {
        let content: [String: [String: CloudValue?]] = [
            "a": ["t": .string("hello world")], "b": ["t": .string("hell words near 2 or not drop table item")],
            "c": ["t": .string("hello near world 2")], "d": ["t": .string("words hello")],
        ]
        let store = try await Self.store(content)
        let words = TokenText.words(of: text)
        let expected = content.keys.sorted().filter { name in
            guard case .string(let stored)?? = content[name]?["t"] else { return false }
            return !words.isEmpty && Set(words).isSubset(of: TokenText.words(of: stored))
        }
        #expect(try await store.matches(.tokens(text)) == expected)
    }

    @Test("The words follow saves, updates, clearing and deletes, before and after the first search")
    func changes() async throws {
        let store = try await Self.store([
            "a": ["s": .string("red"), "t": .string("apple")], "b": ["s": .string("red"), "t": .string("pear")],
        ])
        #expect(try await store.matches(.tokens("red")) == ["a", "b"])
        try await Self.save(["c": ["s": .string("red"), "t": .string("plum")]], store)
        #expect(try await store.matches(.tokens("red plum")) == ["c"])
        // Only one of two text fields, so the words of the other one stay.
        try await Self.save(["a": ["s": .string("green")]], store)
        #expect(try await store.matches(.tokens("red")) == ["b", "c"])
        #expect(try await store.matches(.tokens("green apple")) == ["a"])
        try await Self.save(["a": ["n": .int64(1)]], store)
        #expect(try await store.matches(.tokens("green apple")) == ["a"])
        try await Self.save(["b": ["t": nil]], store)
        #expect(try await store.matches(.tokens("pear")) == [])
        #expect(try await store.matches(.tokens("red")) == ["b", "c"])
        try await Self.save(["b": ["newText": .string("blue")]], store)
        #expect(try await store.matches(.tokens("red blue")) == ["b"])
        _ = try await store.modify(CloudModification(deleting: [CloudRecordID("c"), CloudRecordID("gone")]))
        #expect(try await store.matches(.tokens("red")) == ["b"])
        #expect(try await store.matches(.tokens("plum")) == [])
        let count = try await store.driver.read { connection in
            var count: Int64 = 0
            try connection.forEachRow("SELECT count(*) FROM \"_Item_tokens\"") { count = $0.integer(at: 0) }
            return count
        }
        #expect(count == 2, "the words of a deleted record stay behind")
        try await Self.save(["c": ["s": .string("back")]], store)
        #expect(try await store.matches(.tokens("plum")) == [])
        #expect(try await store.matches(.tokens("back")) == ["c"])
    }

    @Test("A refused batch leaves no words")
    func rollback() async throws {
        let store = try await Self.store(["a": ["t": .string("old")]])
        #expect(try await store.matches(.tokens("old")) == ["a"])
        let result = try await store.modify(
            CloudModification(
                saving: [item("b", ["t": .string("new")]), item("a", ["t": .int64(5)])],
                savePolicy: .allKeys,
                isAtomic: true
            )
        )
        #expect(throws: CloudError.self) { try result.saved[0].get() }
        #expect(try await store.matches(.tokens("new")) == [])
        #expect(try await store.matches(.tokens("old")) == ["a"])
    }

    @Test("Words go with other conditions and any order")
    func combined() async throws {
        var content: [String: [String: CloudValue?]] = [:]
        for number in 0..<60 {
            content["r\(number)"] = [
                "t": .string(number % 3 == 0 ? "fizz" : number % 5 == 0 ? "buzz" : "none"),
                "n": .int64(Int64(number * 7 % 60)),
            ]
        }
        let store = try await Self.store(content)
        func names(_ node: CloudPredicate.Node, pageSize: Int) async throws -> [String] {
            let query = CloudQuery(recordType: "Item", predicate: CloudPredicate(node), orderBy: .descending("n"))
            return try await store.names(query, pageSize: pageSize)
        }
        func expected(_ isIncluded: (String, Int64) -> Bool) -> [String] {
            let all = content.compactMap { name, fields -> (String, Int64)? in
                guard case .string(let text)?? = fields["t"], case .int64(let number)?? = fields["n"] else {
                    return nil
                }
                return isIncluded(text, number) ? (name, number) : nil
            }
            return all.sorted { $0.1 > $1.1 }.map(\.0)
        }
        let isLarge = CloudPredicate.Node.compare(field: "n", .greater, .int64(20))
        for size in [4, 100] {
            #expect(try await names(.tokens("fizz"), pageSize: size) == expected { text, _ in text == "fizz" })
            #expect(
                try await names(.and([.tokens("fizz"), isLarge]), pageSize: size)
                    == expected { $0 == "fizz" && $1 > 20 }
            )
            #expect(
                try await names(.or([.tokens("fizz"), .tokens("buzz")]), pageSize: size)
                    == expected { text, _ in text != "none" }
            )
            #expect(
                try await names(.and([isLarge, .not(.tokens("fizz"))]), pageSize: size)
                    == expected { $0 != "fizz" && $1 > 20 }
            )
        }
    }

    @Test("Two stores on one file keep each other's words")
    func twoStores() async throws {
        let folder = try TestFolder()
        let first = try SQLiteStore(path: folder.path("db.sqlite"))
        let second = try SQLiteStore(path: folder.path("db.sqlite"))
        try await Self.save(["a": ["t": .string("one")]], first)
        try await Self.save(["b": ["t": .string("one two")]], second)
        #expect(try await first.matches(.tokens("one")) == ["a", "b"])
        try await Self.save(["c": ["t": .string("one three")], "b": ["t": .string("four")]], second)
        #expect(try await first.matches(.tokens("one")) == ["a", "c"])
        #expect(try await second.matches(.tokens("four")) == ["b"])
        _ = try await second.modify(CloudModification(deleting: [CloudRecordID("a")]))
        #expect(try await first.matches(.tokens("one")) == ["c"])
        await first.close()
        #expect(try await second.matches(.tokens("three")) == ["c"])
    }

    @Test("Very many and very long words")
    func extremes() async throws {
        let words = (0..<2_000).map { "w\($0)" }
        let long = String(repeating: "x", count: 20_000)
        let store = try await Self.store([
            "a": ["t": .string(words.joined(separator: "-"))], "b": ["t": .string(long)], "c": ["t": .string("w1 w2")],
        ])
        #expect(try await store.matches(.tokens(words.reversed().joined(separator: " "))) == ["a"])
        #expect(try await store.matches(.tokens(long)) == ["b"])
        #expect(try await store.matches(.tokens(String(long.dropLast()))) == [])
        #expect(try await store.names(CloudQuery(recordType: "Never", predicate: CloudPredicate(.tokens("w1")))) == [])
    }

    @Test("A hundred thousand texts are searched, those from before the first search and later ones")
    func many() async throws {
        let store = try SQLiteStore.inMemory()
        let layout = FieldLayout(recordType: "Item", names: ["t"], types: [.string])
        func record(_ number: Int) -> CloudRecord {
            var record = CloudRecord(layout: layout, recordID: CloudRecordID("n\(number)"))
            record["t"] = .string("note \(number % 997) of group \(number / 1000)")
            return record
        }
        _ = try await store.modify(CloudModification(saving: (0..<90_000).map(record)))
        #expect(
            try await store.matches(.tokens("note 5 89"))
                == (0..<90_000).filter {
                    [$0 % 997, $0 / 1000].contains(5) && [$0 % 997, $0 / 1000].contains(89)
                }.map { "n\($0)" }.sorted()
        )
        _ = try await store.modify(CloudModification(saving: (90_000..<100_000).map(record)))
        #expect(try await store.matches(.tokens("group 99")).count > 1_000)
        let query = CloudQuery(recordType: "Item", predicate: CloudPredicate(.tokens("note")), orderBy: .recordName)
        #expect(try await store.page(query, after: nil, limit: 10).records.count == 10)
    }

    @Test("Frequent words are found on every page, also where they become rare or stand in several fields")
    func frequent() async throws {
        let store = try SQLiteStore.inMemory()
        let layout = FieldLayout(recordType: "Item", names: ["t", "s", "n"], types: [.string, .string, .int64])
        func isMatch(_ number: Int) -> Bool { number < 2_000 || number % 100 == 0 }
        let records = (0..<6_000).map { number in
            var record = CloudRecord(layout: layout, recordID: CloudRecordID("n\(number + 10_000)"))
            record["t"] = .string(number % 3 == 0 ? "Größe" : "plain")
            record["s"] = isMatch(number) ? .string(number % 3 == 0 ? "WORD" : "word, grosse größe") : nil
            record["n"] = .int64(Int64(number))
            return record
        }
        for outcome in try await store.modify(CloudModification(saving: records)).saved { _ = try outcome.get() }
        let expected = (0..<6_000).filter(isMatch).map { "n\($0 + 10_000)" }
        let search = CloudPredicate.Node.tokens("word GRÖSSE")
        for (node, names) in [
            (search, expected.filter { _ in false }), (.tokens("word größe"), expected),
            (.and([.tokens("word"), .tokens("größe")]), expected),
        ] {
            let predicate = CloudPredicate(node)
            let found = try await store.names(
                CloudQuery(recordType: "Item", predicate: predicate, orderBy: .ascending("n")),
                pageSize: 7
            )
            #expect(node == search || found == names)
            let compiled = try CompiledPredicate(predicate)
            let stored = try await store.records(CloudQuery(recordType: "Item", orderBy: .ascending("n")))
            #expect(found == stored.filter(compiled.matches).map(\.recordID.recordName))
            let backwards = CloudQuery(recordType: "Item", predicate: predicate, orderBy: .descending("n"))
            #expect(try await store.names(backwards, pageSize: 50) == found.reversed())
        }
    }
}
