import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// What changed since a token.
    static let changeLog: [StorePromise] = [
        StorePromise("From the beginning, the changes are all records, oldest change first", requires: .changeLog) {
            store in
            #expect(try await store.allChanges().saved.isEmpty)
            for name in ["c", "a", "b"] { try await store.save(item(name)) }
            let first = try await store.fetch("c")
            try await store.save(first.setting("n", to: .int64(1)))
            #expect(try await store.allChanges().saved == ["a", "b", "c"])
        },
        StorePromise("A changed record is as it is now", requires: .changeLog) { store in
            let saved = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            let changed = try await store.save(saved.setting("n", to: .int64(2)))
            let changes = try await store.changes(since: nil, in: nil, limit: 10)
            #expect(changes.saved.count == 1)
            #expect(changed.isSame(as: changes.saved.first))
        },
        StorePromise("A token goes on exactly where it was given", requires: .changeLog) { store in
            try await store.save([item("a"), item("b")])
            let token = try await store.allChanges().token
            let nothing = try await store.allChanges(since: token)
            #expect(nothing.saved.isEmpty && nothing.deleted.isEmpty)
            try await store.save(item("c"))
            try await store.delete("a")
            for _ in 0..<2 {
                let changes = try await store.allChanges(since: token)
                #expect(changes.saved == ["c"] && changes.deleted == ["a"])
            }
            let later = try await store.allChanges(since: try await store.allChanges(since: token).token)
            #expect(later.saved.isEmpty && later.deleted.isEmpty)
        },
        StorePromise("Deletions come with the type of the record", requires: .changeLog) { store in
            try await store.save([item("a"), CloudRecord(recordType: "Other", recordID: CloudRecordID("b"))])
            let token = try await store.allChanges().token
            try await store.delete("a", "b", "nobody")
            let deleted = try await store.changes(since: token, in: nil, limit: 10).deleted
            #expect(deleted.map(\.recordID) == [CloudRecordID("a"), CloudRecordID("b")])
            #expect(deleted.map(\.recordType) == ["Item", "Other"])
        },
        StorePromise("A record that changed several times is there once", requires: .changeLog) { store in
            let token = try await store.allChanges().token
            var record = try await store.save(item("a", ["n": .int64(0)]))
            for number in 1...3 { record = try await store.save(record.setting("n", to: .int64(Int64(number)))) }
            let changes = try await store.changes(since: token, in: nil, limit: 10)
            #expect(changes.saved.count == 1 && changes.deleted.isEmpty)
            #expect(record.isSame(as: changes.saved.first))
        },
        StorePromise("A record that was made and deleted meanwhile is at most a deletion", requires: .changeLog) {
            store in
            let token = try await store.allChanges().token
            try await store.save(item("a"))
            try await store.delete("a")
            let changes = try await store.allChanges(since: token)
            #expect(changes.saved.isEmpty && Set(changes.deleted).isSubset(of: ["a"]) && changes.deleted.count <= 1)
        },
        StorePromise("A record that was deleted and made anew was saved, not deleted", requires: .changeLog) { store in
            try await store.save(item("a"))
            let token = try await store.allChanges().token
            try await store.delete("a")
            try await store.save(item("a"))
            let changes = try await store.allChanges(since: token)
            #expect(changes.saved == ["a"] && changes.deleted.isEmpty)
        },
        StorePromise("A record that was deleted twice is one deletion", requires: .changeLog) { store in
            try await store.save(item("a"))
            let token = try await store.allChanges().token
            try await store.delete("a")
            try await store.save(item("a"))
            try await store.delete("a")
            #expect(try await store.allChanges(since: token).deleted == ["a"])
        },
        StorePromise("What was refused is no change", requires: .changeLog) { store in
            try await store.save(item("a"))
            let token = try await store.allChanges().token
            _ = try await store.modify(CloudModification(saving: [item("a"), item("_x")]))
            try await store.delete("nobody")
            let changes = try await store.allChanges(since: token)
            #expect(changes.saved.isEmpty && changes.deleted.isEmpty)
        },
        StorePromise("Changes come in pages that have each of them once", requires: .changeLog) { store in
            try await store.save((10..<40).map { item("n\($0)") })
            let token = try await store.allChanges().token
            try await store.save((40..<50).map { item("n\($0)") })
            for number in 10..<20 { try await store.delete("n\(number)") }
            for limit in [1, 3, 20, 100] {
                let all = try await store.allChanges(limit: limit)
                #expect(all.saved == (20..<50).map { "n\($0)" }, "pages of \(limit)")
                let later = try await store.allChanges(since: token, limit: limit)
                #expect(later.saved == (40..<50).map { "n\($0)" }, "pages of \(limit)")
                #expect(later.deleted == (10..<20).map { "n\($0)" }, "pages of \(limit)")
            }
        },
        StorePromise("A record that changes between two pages is not lost", requires: .changeLog) { store in
            try await store.save((0..<6).map { item("n\($0)") })
            let first = try await store.changes(since: nil, in: nil, limit: 3)
            #expect(first.moreComing)
            let (read, unread) = (try await store.fetch("n0"), try await store.fetch("n5"))
            try await store.save([read.setting("n", to: .int64(1)), unread.setting("n", to: .int64(2))])
            let rest = try await store.allChanges(since: first.token)
            #expect(rest.saved == ["n3", "n4", "n0", "n5"])
        },
        StorePromise("Changes can be asked for by zone", requires: .changeLog, .zones) { store in
            let notes = CloudZoneID("notes")
            try await store.saveZone(notes)
            try await store.save([item("a"), item("b", in: notes), item("c")])
            let token = try await store.allChanges(in: notes).token
            #expect(try await store.allChanges(in: notes).saved == ["b"])
            #expect(try await store.allChanges(in: .default).saved == ["a", "c"])
            #expect(try await store.allChanges().saved == ["a", "b", "c"])
            _ = try await store.modify(
                CloudModification(deleting: [CloudRecordID("b", zone: notes), CloudRecordID("a")])
            )
            let changes = try await store.allChanges(since: token, in: notes)
            #expect(changes.saved.isEmpty && changes.deleted == ["b"])
        },
        StorePromise(acrossDatabases: "A token of another database has expired", requires: .changeLog) { fixture in
            let (one, other) = (try await fixture.emptyStore(), try await fixture.emptyStore())
            try await one.save(item("a"))
            try await other.save(item("a"))
            let token = try await one.allChanges().token
            let error = try await #require(throws: CloudError.self) {
                try await other.changes(since: token, in: nil, limit: 10)
            }
            #expect(error.code == .changeTokenExpired)
        },
        StorePromise("A token that no store made is refused", requires: .changeLog) { store in
            try await store.save(item("a"))
            for position in ["", "x", "{}", "[]", "null", "9999999999999999999999"] {
                let token = CloudChangeToken(position: Data(position.utf8))
                let error = try await #require(throws: CloudError.self, "position \(position)") {
                    try await store.changes(since: token, in: nil, limit: 10)
                }
                #expect([.changeTokenExpired, .invalidArguments].contains(error.code))
            }
        },
        StorePromise("A token goes on from its coded form", requires: .changeLog) { store in
            try await store.save(item("a"))
            let token = try await store.allChanges().token
            let decoded = try JSONDecoder().decode(CloudChangeToken.self, from: JSONEncoder().encode(token))
            #expect(decoded == token)
            try await store.save(item("b"))
            #expect(try await store.allChanges(since: decoded).saved == ["b"])
        },
        StorePromise("Changes that are read while others write are complete", requires: .changeLog) { store in
            var seen: [String] = []
            var token: CloudChangeToken?
            for round in 0..<25 {
                let writers = Task {
                    try await withThrowingTaskGroup { group in
                        for task in 0..<4 { group.addTask { try await store.save(item("r\(round)t\(task)")) } }
                        try await group.waitForAll()
                    }
                }
                let changes = try await store.allChanges(since: token, limit: 3)
                seen += changes.saved
                token = changes.token
                try await writers.value
            }
            seen += try await store.allChanges(since: token).saved
            #expect(Set(seen).count == 100 && seen.count == 100)
        },
    ]
}

/// All changes since a token: the names of the records in the order in which the store gave them.
struct ChangedNames {
    var saved: [String] = []
    var deleted: [String] = []
    var token: CloudChangeToken
}

extension CloudStore {
    /// Reads all changes, in pages.
    func allChanges(
        since token: CloudChangeToken? = nil,
        in zoneID: CloudZoneID? = nil,
        limit: Int = 100
    ) async throws -> ChangedNames {
        var page = try await changes(since: token, in: zoneID, limit: limit)
        var names = ChangedNames(token: page.token)
        while true {
            #expect(page.saved.count + page.deleted.count <= limit, "a page has no more changes than were asked for")
            names.saved += page.saved.map(\.recordID.recordName)
            names.deleted += page.deleted.map(\.recordID.recordName)
            names.token = page.token
            guard page.moreComing else { return names }
            try #require(!page.saved.isEmpty || !page.deleted.isEmpty, "a page without a change is the last")
            page = try await changes(since: page.token, in: zoneID, limit: limit)
        }
    }
}
