import CloudKitDao
import Testing

extension StoreContract {
    /// When a save overwrites what is stored, and what a conflict tells.
    static let savePolicies: [StorePromise] = [
        StorePromise("A new record is not saved over one that exists") { store in
            let stored = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            let conflict = try await #require(throws: CloudError.self) {
                try await store.save(item("a", ["n": .int64(2)]))
            }
            #expect(conflict.code == .serverRecordChanged)
            #expect(stored.isSame(as: conflict.serverRecord))
            #expect(try await store.fetch("a").isSame(as: stored))
        },
        StorePromise("A conflict carries the record that was to be saved and the whole one that is stored") { store in
            let first = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            let second = try await store.save(first.setting("n", to: .int64(2)))
            let stale = first.setting("t", to: .string("y"))
            let conflict = try await #require(throws: CloudError.self) { try await store.save(stale) }
            #expect(conflict.code == .serverRecordChanged)
            #expect(conflict.recordID == CloudRecordID("a"))
            #expect(conflict.clientRecord == stale)
            #expect(second.isSame(as: conflict.serverRecord))
            #expect(conflict.serverRecord?["t"] == .string("x"))
            #expect(try await store.fetch("a").isSame(as: second))
        },
        StorePromise("A change of the conflict's server record is saved") { store in
            let first = try await store.save(item("a", ["n": .int64(1)]))
            try await store.save(first.setting("n", to: .int64(2)))
            let conflict = try await #require(throws: CloudError.self) {
                try await store.save(first.setting("n", to: .int64(3)))
            }
            let server = try #require(conflict.serverRecord)
            try await store.save(server.setting("n", to: .int64(4)))
            #expect(try await store.fetch("a")["n"] == .int64(4))
        },
        StorePromise("The record that a save returned can be changed and saved again") { store in
            var record = try await store.save(item("a", ["n": .int64(0)]))
            for number in 1...5 {
                record = try await store.save(record.setting("n", to: .int64(Int64(number))))
            }
            #expect(try await store.fetch("a").isSame(as: record))
        },
        StorePromise(acrossDatabases: "A change tag of another database is a conflict") { fixture in
            let (one, other) = (try await fixture.emptyStore(), try await fixture.emptyStore())
            let stranger = try await one.save(item("a", ["n": .int64(1)]))
            let stored = try await other.save(item("a", ["n": .int64(2)]))
            let conflict = try await #require(throws: CloudError.self) { try await other.save(stranger) }
            #expect(conflict.code == .serverRecordChanged)
            #expect(try await other.fetch("a").isSame(as: stored))
        },
        StorePromise("A change tag from before a record was deleted and made anew is a conflict") { store in
            let first = try await store.save(item("a", ["n": .int64(1)]))
            try await store.delete("a")
            let second = try await store.save(item("a", ["n": .int64(2)]))
            let conflict = try await #require(throws: CloudError.self) { try await store.save(first) }
            #expect(conflict.code == .serverRecordChanged)
            #expect(try await store.fetch("a").isSame(as: second))
        },
        StorePromise("A change of a record that was deleted meanwhile is an unknown item") { store in
            let saved = try await store.save(item("a", ["n": .int64(1)]))
            try await store.delete("a")
            for policy in [CloudSavePolicy.ifServerRecordUnchanged, .changedKeys] {
                let error = try await #require(throws: CloudError.self) { try await store.save(saved, policy) }
                #expect(error.code == .unknownItem)
                #expect(error.recordID == CloudRecordID("a"))
                #expect(try await !store.has("a"))
            }
        },
        StorePromise("The policy allKeys makes a deleted record anew") { store in
            let saved = try await store.save(item("a", ["n": .int64(1)]))
            try await store.delete("a")
            let again = try await store.save(saved, .allKeys)
            #expect(again["n"] == .int64(1))
            #expect(try await store.fetch("a").isSame(as: again))
        },
        StorePromise("The policy changedKeys writes a stale record's fields and leaves the others alone") { store in
            let first = try await store.save(item("a", ["n": .int64(1), "t": .string("x"), "d": .double(1)]))
            try await store.save(first.setting("t", to: .string("y")))
            var stale = first
            stale.setState(.absent, of: "t")
            stale["n"] = .int64(2)
            stale["d"] = nil
            let saved = try await store.save(stale, .changedKeys)
            #expect(saved.creationDate == first.creationDate)
            let fetched = try await store.fetch("a")
            #expect(fetched["n"] == .int64(2) && fetched["t"] == .string("y") && fetched["d"] == nil)
        },
        StorePromise("The policy allKeys writes a stale record's fields") { store in
            let first = try await store.save(item("a", ["n": .int64(1), "t": .string("x")]))
            try await store.save(first.setting("n", to: .int64(2)))
            let saved = try await store.save(first.setting("t", to: .string("z")), .allKeys)
            #expect(saved.creationDate == first.creationDate)
            let fetched = try await store.fetch("a")
            #expect(fetched["n"] == .int64(1) && fetched["t"] == .string("z"))
        },
        StorePromise("The other policies save a record without a change tag, be it new or not") { store in
            for (name, policy) in [("a", CloudSavePolicy.changedKeys), ("b", .allKeys)] {
                let first = try await store.save(item(name, ["n": .int64(1), "t": .string("x")]), policy)
                let second = try await store.save(item(name, ["n": .int64(2)]), policy)
                #expect(second.creationDate == first.creationDate)
                let fetched = try await store.fetch(name)
                #expect(fetched["n"] == .int64(2), "\(policy)")
                #expect(fetched["t"] == .string("x"), "\(policy): a field that the record does not have")
            }
        },
    ]
}
