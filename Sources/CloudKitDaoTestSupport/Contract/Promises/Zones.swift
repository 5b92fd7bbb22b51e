import CloudKitDao
import Testing

extension StoreContract {
    /// Zones, apart from their deletion.
    static let zones: [StorePromise] = [
        StorePromise("The default zone exists, and zones that were saved are there once", requires: .zones) { store in
            #expect(try await store.zones() == [.default])
            try await store.saveZone(notes)
            try await store.saveZone(notes)
            try await store.saveZone(.default)
            #expect(Set(try await store.zones()) == [.default, notes])
            #expect(try await store.zones().count == 2)
        },
        StorePromise("A zone that is saved again keeps its records", requires: .zones) { store in
            try await store.saveZone(notes)
            let saved = try await store.save(item("a", in: notes))
            try await store.saveZone(notes)
            #expect(try await store.fetch("a", in: notes).isSame(as: saved))
        },
        StorePromise("A record can't be saved into a zone that does not exist", requires: .zones) { store in
            let result = try await store.modify(CloudModification(saving: [item("a", in: notes), item("b")]))
            let error = try #require(result.saved.first?.error)
            #expect(error.code == .zoneNotFound)
            #expect(error.recordID == CloudRecordID("a", zone: notes))
            #expect(error.message.contains("notes"))
            #expect(try await store.names() == ["b"])
            #expect(try await store.zones() == [.default])
        },
        StorePromise("Fetching from a zone that does not exist, and deleting there, finds nothing", requires: .zones) {
            (store: any CloudStore) in
            #expect(try await !store.has("a", in: notes))
            let result = try await store.modify(CloudModification(deleting: [CloudRecordID("a", zone: notes)]))
            #expect(result.deleted.first?.error == nil)
        },
        StorePromise("Records of one name in different zones are different", requires: .zones) { store in
            try await store.saveZone(notes)
            try await store.save([item("a", ["n": .int64(1)]), item("a", in: notes, ["n": .int64(2)])])
            try await store.delete("a")
            #expect(try await !store.has("a"))
            #expect(try await store.fetch("a", in: notes)["n"] == .int64(2))
            #expect(try await store.fetch("a", in: notes).recordID.zoneID == notes)
        },
        StorePromise("Zones of different owners are different", requires: .zones) { store in
            let theirs = CloudZoneID("notes", ownerName: "_someone")
            try await store.saveZone(notes)
            try await store.saveZone(theirs)
            try await store.save([item("a", in: notes, ["n": .int64(1)]), item("a", in: theirs, ["n": .int64(2)])])
            #expect(try await store.fetch("a", in: notes)["n"] == .int64(1))
            #expect(try await store.fetch("a", in: theirs)["n"] == .int64(2))
        },
        StorePromise("A zone name that breaks the rules is refused", requires: .zones) { store in
            for name in ["", "_notes", "é", String(repeating: "z", count: 256)] {
                let error = try await #require(throws: CloudError.self) { try await store.saveZone(CloudZoneID(name)) }
                #expect(error.code == .invalidArguments, "\(name.debugDescription)")
            }
            #expect(try await store.zones() == [.default])
        },
    ]

    private static let notes = CloudZoneID("notes")
}
