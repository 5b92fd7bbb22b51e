import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// What is still known of changes and ties when a database is opened again.
    static let reopeningChanges: [StorePromise] = [
        StorePromise(afterReopening: "A change token goes on", requires: .changeLog) { open in
            let token: CloudChangeToken
            do {
                let store = try await open()
                try await store.save([item("a"), item("b")])
                token = try await store.allChanges().token
            }
            try await open().save(item("c"))
            try await open().delete("a")
            let changes = try await open().allChanges(since: token)
            #expect(changes.saved == ["c"] && changes.deleted == ["a"])
        },
        StorePromise(afterReopening: "Records still depend on their targets") { open in
            let tie = CloudValue.reference(CloudReference(recordID: CloudRecordID("target"), action: .deleteSelf))
            try await open().save([item("target"), item("a", ["to": tie])])
            try await open().delete("target")
            #expect(try await open().names() == [])
        },
        StorePromise(afterReopening: "A deleted zone stays deleted", requires: .zones) { open in
            let notes = CloudZoneID("notes")
            do {
                let store = try await open()
                try await store.saveZone(notes)
                try await store.save(item("a", in: notes))
                try await store.deleteZone(notes)
            }
            let store = try await open()
            #expect(try await store.zones() == [.default])
            #expect(try await !store.has("a", in: notes))
        },
        StorePromise(afterReopening: "The schema stays", requires: .schema) { open in
            let type = CloudRecordType(name: "Item", fields: ["n": .int64], indexes: [.queryable("n")])
            try await open().extendSchema(CloudSchema(recordTypes: [type]))
            #expect(try await open().schema()["Item"] == type)
        },
    ]
}
