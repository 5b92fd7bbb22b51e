import CloudKitDao
import Testing

extension StoreContract {
    /// Zones that go, with all that is in them.
    static let zoneDeletion: [StorePromise] = [
        StorePromise("A deleted zone is gone with its records, and no others are", requires: .zones) { store in
            try await prepare(store)
            try await store.deleteZone(notes)
            #expect(Set(try await store.zones()) == [.default, other])
            #expect(try await !store.has("a", in: notes))
            #expect(try await store.names() == ["a", "b"])
            #expect(try await store.has("a"))
            #expect(try await store.has("b", in: other))
        },
        StorePromise("A record can't be saved into a zone that was deleted", requires: .zones) { store in
            try await prepare(store)
            let saved = try await store.fetch("a", in: notes)
            try await store.deleteZone(notes)
            for record in [item("new", in: notes), saved] {
                let error = try await #require(throws: CloudError.self) { try await store.save(record) }
                #expect(error.code == .zoneNotFound)
                #expect(error.recordID == record.recordID)
            }
        },
        StorePromise("A zone that is made anew is empty", requires: .zones) { store in
            try await prepare(store)
            let old = try await store.fetch("a", in: notes)
            try await store.deleteZone(notes)
            try await store.saveZone(notes)
            #expect(Set(try await store.zones()) == [.default, notes, other])
            #expect(try await !store.has("a", in: notes))
            let query = CloudQuery(recordType: "Item", zoneID: notes)
            #expect(try await store.names(query) == [])
            let new = try await store.save(item("a", in: notes))
            #expect(new.recordChangeTag != old.recordChangeTag)
        },
        StorePromise("The default zone can't be deleted", requires: .zones) { store in
            try await store.save(item("a"))
            let error = try await #require(throws: CloudError.self) { try await store.deleteZone(.default) }
            #expect(error.code == .invalidArguments)
            #expect(try await store.has("a"))
        },
        StorePromise("The records of a deleted zone are deletions in the changes", requires: .zones, .changeLog) {
            store in
            try await prepare(store)
            let token = try await store.allChanges().token
            try await store.deleteZone(notes)
            let changes = try await store.changes(since: token, in: nil, limit: 100)
            #expect(changes.saved.isEmpty)
            #expect(
                Set(changes.deleted.map(\.recordID))
                    == [CloudRecordID("a", zone: notes), CloudRecordID("o", zone: notes)]
            )
            #expect(Set(changes.deleted.map(\.recordType)) == ["Item", "Other"])
        },
        StorePromise("A zone that was deleted and made anew reports what is in it now", requires: .zones, .changeLog) {
            (store: any CloudStore) in
            try await prepare(store)
            let token = try await store.allChanges().token
            try await store.deleteZone(notes)
            try await store.saveZone(notes)
            try await store.save(item("a", in: notes))
            let changes = try await store.allChanges(since: token, in: notes)
            #expect(changes.saved == ["a"] && changes.deleted == ["o"])
        },
        StorePromise("Words in a deleted zone are not found", requires: .zones, .tokenSearch) { store in
            try await store.saveZone(notes)
            try await store.save(item("a", in: notes, ["t": .string("hello")]))
            #expect(try await store.names("self CONTAINS 'hello'") == ["a"])
            try await store.deleteZone(notes)
            #expect(try await store.names("self CONTAINS 'hello'") == [])
        },
    ]

    private static let notes = CloudZoneID("notes")
    private static let other = CloudZoneID("other")

    /// Saves record a in three zones, and records of another type and name in some.
    private static func prepare(_ store: any CloudStore) async throws {
        try await store.saveZone(notes)
        try await store.saveZone(other)
        try await store.save([
            item("a"), item("a", in: notes), item("b", in: other),
            CloudRecord(recordType: "Other", recordID: CloudRecordID("o", zone: notes)),
        ])
    }
}
