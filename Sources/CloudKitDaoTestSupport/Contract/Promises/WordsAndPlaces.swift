import CloudKitDao
import Testing

extension StoreContract {
    /// The search for words, and for what is near.
    static let wordsAndPlaces: [StorePromise] = [
        StorePromise("All words must occur, each in any text field", requires: .tokenSearch) { store in
            try await store.save([
                item("a", ["t": .string("Hello world"), "u": .string("of wonders")]),
                item("b", ["t": .string("hello"), "u": .string("everybody")]),
                item("c", ["t": .string("worldly goods"), "u": .string("hello")]),
                item("d", ["t": nil, "u": .string("WORLD, hello!")]),
            ])
            #expect(try await store.names("self CONTAINS 'hello world'") == ["a", "d"])
            #expect(try await store.names("allTokens TOKENMATCHES[cdl] 'hello wonders'") == ["a"])
            #expect(try await store.names("self CONTAINS 'nobody'") == [])
        },
        StorePromise("Words are found regardless of case and diacritics", requires: .tokenSearch) { store in
            try await store.save([item("a", ["t": .string("Crème BRÛLÉE")]), item("b", ["t": .string("cream")])])
            #expect(try await store.names("self CONTAINS 'creme brulee'") == ["a"])
            #expect(try await store.names("self CONTAINS 'CRÈME'") == ["a"])
        },
        StorePromise("Common words are ignored, and a search without a word finds nothing", requires: .tokenSearch) {
            (store: any CloudStore) in
            try await store.save(item("a", ["t": .string("house")]))
            #expect(try await store.names("self CONTAINS 'the house'") == ["a"])
            #expect(try await store.names("self CONTAINS 'the'") == [])
            #expect(try await store.names("self CONTAINS '!'") == [])
        },
        StorePromise("The words of a record are those it has now", requires: .tokenSearch) { store in
            let saved = try await store.save(item("a", ["t": .string("old")]))
            #expect(try await store.names("self CONTAINS 'old'") == ["a"])
            try await store.save(saved.setting("t", to: .string("young")))
            #expect(try await store.names("self CONTAINS 'old'") == [])
            #expect(try await store.names("self CONTAINS 'young'") == ["a"])
            try await store.delete("a")
            #expect(try await store.names("self CONTAINS 'young'") == [])
        },
        StorePromise("A search for words can be combined and paged", requires: .tokenSearch) { store in
            try await store.save((10..<30).map { item("n\($0)", ["n": .int64($0), "t": .string("word \($0)")]) })
            let query = CloudQuery(
                recordType: "Item",
                predicate: "self CONTAINS 'word' AND n >= 20",
                orderBy: .descending("n")
            )
            #expect(try await store.names(query, pageSize: 3) == (20..<30).reversed().map { "n\($0)" })
        },
        StorePromise("What is nearer than so many metres is found", requires: .distanceQueries) { store in
            try await store.save(places)
            #expect(try await store.names(.nearDelft) == ["delft", "hague"])
            let home = CloudLocation.delft
            #expect(
                try await store.names("distanceToLocation:fromLocation:(place, \(home)) < 60000")
                    == ["amsterdam", "delft", "hague"]
            )
            #expect(
                try await store.names("NOT distanceToLocation:fromLocation:(place, \(home)) < 10000")
                    == ["amsterdam", "nowhere"]
            )
        },
        StorePromise("The nearest come first, what has no place last", requires: .distanceQueries) { store in
            try await store.save(places)
            let query = CloudQuery(recordType: "Item", orderBy: .distance("place", from: .amsterdam))
            #expect(try await store.names(query, pageSize: 1) == ["amsterdam", "hague", "delft", "nowhere"])
        },
        StorePromise("What is near is found across the antimeridian", requires: .distanceQueries) { store in
            try await store.save(item("a", ["place": .location(CloudLocation(latitude: 0, longitude: -179.99))]))
            let other = CloudLocation(latitude: 0, longitude: 179.99)
            #expect(try await store.names("distanceToLocation:fromLocation:(place, \(other)) < 5000") == ["a"])
        },
    ]

    private static var places: [CloudRecord] {
        [
            item("delft", ["place": .location(.delft)]), item("hague", ["place": .location(.theHague)]),
            item("amsterdam", ["place": .location(.amsterdam)]), item("nowhere", ["place": nil]),
        ]
    }
}
