import CloudKitDao
import Testing

extension StoreContract {
    /// In which order a query returns records.
    static let sorting: [StorePromise] = [
        StorePromise("Numbers are sorted as numbers, no value first ascending and last descending") { store in
            try await store.save([
                item("a", ["n": .int64(10)]), item("b", ["n": .int64(-2)]), item("c", ["n": nil]),
                item("d", ["n": .int64(9)]), item("e"),
            ])
            #expect(try await names(.ascending("n"), store) == "cebda")
            #expect(try await names(.descending("n"), store) == "adbec")
        },
        StorePromise("Text is sorted by Unicode scalar values") { store in
            let texts = ["", " ", "A", "Z", "a", "b", "\u{E4}", "\u{FFFD}", "\u{1F600}"]
            let records = zip("abcdefghi", texts).map { item(String($0), ["t": .string($1)]) }
            try await store.save(records.reversed())
            #expect(try await names(.ascending("t"), store) == "abcdefghi")
            #expect(try await names(.descending("t"), store) == "ihgfedcba")
        },
        StorePromise("Doubles, dates and bytes are sorted by value") { store in
            let seconds = [-1e12, -0.5, 0, 0.25, 1e12]
            let records = zip("abcde", seconds).map { name, second in
                item(
                    String(name),
                    [
                        "d": .double(second), "when": .date(.init(timeIntervalSince1970: second / 1e3)),
                        "b": .bytes(.init([UInt8(seconds.firstIndex(of: second) ?? 0)])),
                    ]
                )
            }
            try await store.save(records.reversed())
            for field in ["d", "when", "b"] {
                #expect(try await names(.ascending(field), store) == "abcde", "\(field)")
                #expect(try await names(.descending(field), store) == "edcba", "\(field)")
            }
        },
        StorePromise("Equals are in the order of their names, in the direction of the last key") { store in
            try await store.save("dbcaB".map { item(String($0), ["n": .int64(1)]) })
            #expect(try await names(.ascending("n"), store) == "Babcd")
            #expect(try await names(.descending("n"), store) == "dcbaB")
            #expect(try await names(.recordName, store) == "Babcd")
        },
        StorePromise("Later keys decide among equals") { store in
            try await store.save([
                item("a", ["n": .int64(1), "t": .string("x")]), item("b", ["n": .int64(2), "t": .string("x")]),
                item("c", ["n": .int64(1), "t": .string("y")]), item("d", ["n": .int64(2), "t": nil]),
            ])
            #expect(try await names(.ascending("n").ascending("t"), store) == "acdb")
            #expect(try await names(.ascending("n").descending("t"), store) == "cabd")
            #expect(try await names(.descending("n").ascending("t"), store) == "dbac")
        },
        StorePromise("Without an order the newest come first") { store in
            for name in ["b", "c", "a"] { try await store.save(item(name)) }
            let dates = try await store.records(CloudQuery(recordType: "Item")).map(\.creationDate)
            #expect(dates.count == 3)
            #expect(zip(dates, dates.dropFirst()).allSatisfy { ($0 ?? .distantPast) >= ($1 ?? .distantFuture) })
        },
        StorePromise("Lists and change tags have no order") { store in
            try await store.save(item("a", ["l": .list([.int64(1)])]))
            for field in ["l", "recordChangeTag"] {
                let error = try await #require(throws: CloudError.self) { try await names(.ascending(field), store) }
                #expect(error.code == .invalidArguments)
                #expect(error.field == field)
            }
        },
    ]

    private static func names(_ order: OrderBy, _ store: any CloudStore) async throws -> String {
        try await store.names(CloudQuery(recordType: "Item", orderBy: order), pageSize: 2).joined()
    }
}
