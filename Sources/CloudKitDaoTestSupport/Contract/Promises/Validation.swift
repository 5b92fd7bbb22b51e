import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// What is refused before anything is written.
    static let validation: [StorePromise] = [
        StorePromise("A value that breaks the rules is refused, naming record and field") { store in
            try await store.save(item("good", ["n": .int64(1)]))
            for (what, value, code) in badValues {
                let error = try await #require(throws: CloudError.self, "\(what)") {
                    try await store.save(item("bad", ["n": .int64(1), "bad": value]))
                }
                #expect(error.code == code, "\(what)")
                #expect(error.recordID == CloudRecordID("bad"), "\(what)")
                #expect(error.field == "bad", "\(what)")
                #expect(error.message.contains("bad"), "\(what)")
                #expect(!error.remedy.isEmpty, "\(what)")
            }
            #expect(try await store.names() == ["good"])
        },
        StorePromise("A record name that breaks the rules is refused") { store in
            let names = ["", "_a", "é", "a\n", "a\u{0}", "\u{7F}", String(repeating: "a", count: 256)]
            for name in names {
                let error = try await #require(throws: CloudError.self) { try await store.save(item(name)) }
                #expect(error.code == .invalidArguments, "\(name.debugDescription)")
                #expect(error.recordID == CloudRecordID(name))
            }
            #expect(try await store.names() == [])
        },
        StorePromise("The name of a type or field that breaks the rules is refused") { store in
            let names = ["", "1a", "_a", "a-b", "a b", "é", "a\"b", String(repeating: "a", count: 256)]
            for name in names {
                let error = try await #require(throws: CloudError.self) {
                    try await store.save(CloudRecord(recordType: name, recordID: CloudRecordID("a")))
                }
                #expect(error.code == .invalidArguments, "type \(name.debugDescription)")
                #expect(error.recordID == CloudRecordID("a"))
            }
            for name in names + ["recordID", "creationDate", "recordChangeTag"] {
                let error = try await #require(throws: CloudError.self) {
                    try await store.save(item("a").setting(name, to: .int64(1)))
                }
                #expect(error.code == .invalidArguments, "field \(name.debugDescription)")
                #expect(error.recordID == CloudRecordID("a"))
                #expect(error.field == name)
            }
            #expect(try await !store.has("a"))
        },
        StorePromise("Names and records may be as long as the rules allow") { store in
            let name = String(repeating: "n", count: 255)
            var record = CloudRecord(recordType: name, recordID: CloudRecordID("~" + name.dropFirst()))
            record[name] = .string(String(repeating: "x", count: RecordValidator.maximumRecordSize))
            let saved = try await store.save(record)
            #expect(try await store.fetch(record.recordID.recordName).isSame(as: saved))
        },
        StorePromise("Equal text in many fields counts as often as it stands there") { store in
            let third = CloudValue.string(String(repeating: "x", count: RecordValidator.maximumRecordSize / 3 + 1))
            let error = try await #require(throws: CloudError.self) {
                try await store.save(item("a", ["t": third, "u": third, "v": third]))
            }
            #expect(error.code == .limitExceeded)
            #expect(try await !store.has("a"))
        },
        StorePromise("A save that is refused changes nothing of a record that exists") { store in
            let saved = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            for policy in [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys, .allKeys] {
                let bad = saved.setting("n", to: .int64(2)).setting("t", to: .string("\u{0}"))
                _ = try await #require(throws: CloudError.self) { try await store.save(bad, policy) }
                #expect(try await store.fetch("a").isSame(as: saved))
            }
        },
    ]

    private static let badValues: [(what: String, value: CloudValue, code: CloudError.Code)] = [
        ("not a number", .double(.nan), .invalidArguments),
        ("infinity", .double(.infinity), .invalidArguments),
        ("an infinite date", .date(Date(timeIntervalSinceReferenceDate: -.infinity)), .invalidArguments),
        ("NUL in text", .string("a\u{0}b"), .invalidArguments),
        ("NUL in a list", .list([.string("a"), .string("\u{0}")]), .invalidArguments),
        ("a list of two kinds", .list([.int64(1), .string("a")]), .invalidArguments),
        ("a list of lists", .list([.list([.int64(1)])]), .invalidArguments),
        ("a list with infinity", .list([.double(1), .double(-.infinity)]), .invalidArguments),
        ("beyond the pole", .location(CloudLocation(latitude: 90.1, longitude: 0)), .invalidArguments),
        ("beyond the antimeridian", .location(CloudLocation(latitude: 0, longitude: -180.1)), .invalidArguments),
        (
            "a location without a number", .location(CloudLocation(latitude: 0, longitude: 0, altitude: .nan)),
            .invalidArguments
        ),
        ("a reference to no name", .reference(CloudReference(recordID: CloudRecordID(""))), .invalidArguments),
        (
            "over 1 MB", .bytes(Data(repeating: 1, count: RecordValidator.maximumRecordSize + 1)), .limitExceeded
        ),
    ]
}
