import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// What becomes of a record's fields and system fields.
    static let saving: [StorePromise] = [
        StorePromise("A record with every kind of value is fetched as it was saved") { store in
            let saved = try await store.save(everyKind)
            for (name, value) in everyKindValues {
                #expect(saved[name] == value, "\(name), as the save returns it")
            }
            #expect(try await store.fetch("every").isSame(as: saved))
        },
        StorePromise("A saved record has its system fields, the same in every way to it") { store in
            let user = try await store.currentUserRecordID()
            let saved = try await store.save(item("a", ["n": .int64(1)]))
            let queried = try #require(try await store.records(CloudQuery(recordType: "Item")).first)
            for record in [saved, try await store.fetch("a"), queried] {
                #expect(record.recordChangeTag != nil)
                #expect(record.recordChangeTag == saved.recordChangeTag)
                #expect(record.creationDate != nil)
                #expect(record.creationDate == saved.creationDate)
                #expect(record.modificationDate == saved.creationDate)
                #expect(record.creatorUserRecordID == user)
                #expect(record.lastModifiedUserRecordID == user)
            }
        },
        StorePromise("Each save gives a new change tag and leaves creation date and creator alone") { store in
            let first = try await store.save(item("a", ["n": .int64(1)]))
            let second = try await store.save(first.setting("n", to: .int64(2)))
            let third = try await store.save(second)
            #expect(Set([first, second, third].map(\.recordChangeTag)).count == 3)
            #expect(third.creationDate == first.creationDate)
            #expect(third.creatorUserRecordID == first.creatorUserRecordID)
        },
        StorePromise("A null field is cleared, an absent one is left as it is stored") { store in
            let saved = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            var change = saved
            change.setState(.absent, of: "n")
            change["t"] = nil
            try await store.save(change)
            let fetched = try await store.fetch("a")
            #expect(fetched["n"] == .int64(1))
            #expect(fetched["t"] == nil)
        },
        StorePromise("No value, empty text, empty bytes and an empty list are told apart") { store in
            try await store.save(item("full", ["t": .string("x"), "b": .bytes(Data([1])), "l": .list([.int64(1)])]))
            try await store.save(item("empty", ["t": .string(""), "b": .bytes(Data()), "l": .list([])]))
            try await store.save(item("none", ["t": nil, "b": nil, "l": nil]))
            let empty = try await store.fetch("empty")
            #expect(empty["t"] == .string("") && empty["b"] == .bytes(Data()) && empty["l"] == .list([]))
            let none = try await store.fetch("none")
            #expect(none["t"] == nil && none["b"] == nil && none["l"] == nil)
        },
        StorePromise("A record without fields is kept") { store in
            let saved = try await store.save(CloudRecord(recordType: "Bare", recordID: CloudRecordID("a")))
            #expect(try await store.fetch("a").isSame(as: saved))
            #expect(try await store.names(CloudQuery(recordType: "Bare")) == ["a"])
        },
        StorePromise("Text comes back byte for byte, whatever is in it") { store in
            let texts = [
                "e\u{301}", "\u{E9}", "👩‍👩‍👧", "\u{FEFF}x", "'; DROP TABLE \"Item\"; --", "100% \\ \n\r\t\u{1}",
                " x ", "\u{10FFFF}", "\u{200F}שלום",
            ]
            let names = texts.indices.map { "t\($0)" }
            try await store.save(zip(names, texts).map { item($0, ["t": .string($1)]) })
            for (name, text) in zip(names, texts) {
                #expect(try await store.fetch(name)["t"] == .string(text))
            }
        },
        StorePromise("Types and fields may have the words of any language as names") { store in
            var record = CloudRecord(recordType: "Select", recordID: CloudRecordID("a"))
            for name in ["from", "group", "order", "rowid", "index", "null", "class", "end", "x_", "a1"] {
                record[name] = .string(name)
            }
            let saved = try await store.save(record)
            #expect(try await store.fetch("a").isSame(as: saved))
            #expect(try await store.names(CloudQuery(recordType: "Select", predicate: "order == 'order'")) == ["a"])
        },
        StorePromise("Names of types and fields that differ in case alone are different") { store in
            var record = CloudRecord(recordType: "Note", recordID: CloudRecordID("a"))
            record["text"] = .string("lower")
            record["Text"] = .int64(1)
            try await store.save(record)
            try await store.save(CloudRecord(recordType: "NOTE", recordID: CloudRecordID("b")))
            let fetched = try await store.fetch("a")
            #expect(fetched["text"] == .string("lower") && fetched["Text"] == .int64(1))
            #expect(try await store.names(CloudQuery(recordType: "NOTE")) == ["b"])
        },
        StorePromise("Record names compare by bytes") { store in
            let names = ["a", "A", "a ", " a", "a'", "a%", "a.b", "1", "01"]
            try await store.save(names.enumerated().map { item($1, ["n": .int64(Int64($0))]) })
            for (number, name) in names.enumerated() {
                #expect(try await store.fetch(name)["n"] == .int64(Int64(number)))
            }
        },
        StorePromise("A name that exists under another type is refused, naming both types") { store in
            try await store.save(item("a", ["n": .int64(1)]))
            for policy in [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
                let error = try await #require(throws: CloudError.self) {
                    try await store.save(CloudRecord(recordType: "Other", recordID: CloudRecordID("a")), policy)
                }
                #expect(error.code == .invalidArguments)
                #expect(error.recordID == CloudRecordID("a"))
                #expect(error.message.contains("Item") && error.message.contains("Other"))
            }
            #expect(try await store.fetch("a").recordType == "Item")
        },
        StorePromise("A deleted record is gone, and its name is free for any type") { store in
            try await store.save([item("a", ["n": .int64(1)]), item("b")])
            try await store.delete("a")
            #expect(try await !store.has("a"))
            #expect(try await store.names() == ["b"])
            try await store.save(CloudRecord(recordType: "Other", recordID: CloudRecordID("a")))
            #expect(try await store.fetch("a").recordType == "Other")
            #expect(try await store.names() == ["b"])
        },
        StorePromise("A record that is made anew after its deletion has none of its old fields") { store in
            let first = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            try await store.delete("a")
            let second = try await store.save(item("a", ["n": .int64(2)]))
            #expect(second.recordChangeTag != first.recordChangeTag)
            #expect(try await store.fetch("a")["t"] == nil)
        },
    ]

    /// One value of each kind, with the ends of its range where it has any. Dates are whole milliseconds, which every
    /// store keeps.
    private static let everyKindValues: [(String, CloudValue)] = {
        let date = CloudValue.date(Date(timeIntervalSince1970: 1_700_000_000.125))
        let reference = CloudValue.reference(CloudReference(recordID: CloudRecordID("target")))
        let place = CloudLocation(
            latitude: -89.5,
            longitude: 179.25,
            altitude: 12.5,
            horizontalAccuracy: 5,
            verticalAccuracy: 3,
            course: 270,
            speed: 1.5,
            timestamp: Date(timeIntervalSince1970: 1_600_000_000.5)
        )
        let single: [(String, CloudValue)] = [
            ("text", .string("héllo")), ("least", .int64(.min)), ("most", .int64(.max)), ("zero", .int64(0)),
            ("double", .double(0.1)), ("tiny", .double(.leastNonzeroMagnitude)),
            ("huge", .double(-.greatestFiniteMagnitude)), ("whole", .double(3)),
            ("date", date), ("early", .date(Date(timeIntervalSince1970: -62_000_000_000))),
            ("bytes", .bytes(Data((0...255).map { UInt8($0) }))),
            ("place", .location(place)), ("reference", reference),
        ]
        let lists: [(String, CloudValue)] = [
            ("texts", .list([.string("b"), .string("a"), .string("b"), .string("")])),
            ("numbers", .list([.int64(.max), .int64(.min), .int64(0)])),
            ("doubles", .list([.double(1), .double(0.1)])), ("dates", .list([date, date])),
            ("blobs", .list([.bytes(Data()), .bytes(Data([0, 255]))])), ("places", .list([.location(place)])),
            ("references", .list([reference, reference])),
        ]
        return single + lists
    }()

    private static var everyKind: CloudRecord {
        var record = CloudRecord(recordType: "Every", recordID: CloudRecordID("every"))
        for (name, value) in everyKindValues { record[name] = value }
        return record
    }
}
