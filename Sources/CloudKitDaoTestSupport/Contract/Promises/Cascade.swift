import CloudKitDao
import Testing

extension StoreContract {
    /// References whose holder is deleted with their target.
    static let cascade: [StorePromise] = [
        StorePromise("Deleting a record deletes those that depend on it, and no others") { store in
            try await store.save([
                item("target"), item("dependent", ["to": dependency(on: "target")]),
                item("loose", ["to": .reference(CloudReference(recordID: CloudRecordID("target")))]),
                item("elsewhere", ["to": dependency(on: "loose")]),
            ])
            try await store.delete("target")
            #expect(try await store.names() == ["elsewhere", "loose"])
            #expect(try await !store.has("dependent"))
        },
        StorePromise("A record of another type that depends on the deleted one goes too") { store in
            var other = CloudRecord(recordType: "Other", recordID: CloudRecordID("o"))
            other["owner"] = dependency(on: "target")
            try await store.save([item("target"), other])
            try await store.delete("target")
            #expect(try await !store.has("o"))
        },
        StorePromise("A record depends on each of a list of references") { store in
            try await store.save([
                item("a"), item("b"), item("list", ["links": .list([dependency(on: "a"), dependency(on: "b")])]),
                item("both", ["to": dependency(on: "a"), "links": .list([dependency(on: "a"), dependency(on: "a")])]),
            ])
            try await store.delete("b")
            #expect(try await store.names() == ["a", "both"])
            try await store.delete("a")
            #expect(try await store.names() == [])
        },
        StorePromise("Deletion goes down chains of references") { store in
            let chain = (0..<50).map { number in
                item("n\(number)", ["to": number == 0 ? nil : dependency(on: "n\(number - 1)")])
            }
            try await store.save(chain)
            try await store.delete("n10")
            #expect(try await store.names() == (0..<10).map { "n\($0)" })
        },
        StorePromise("Deletion goes round cycles once") { store in
            try await store.save([
                item("a", ["to": dependency(on: "c")]), item("b", ["to": dependency(on: "a")]),
                item("c", ["to": dependency(on: "b")]), item("self", ["to": dependency(on: "self")]), item("other"),
            ])
            try await store.delete("b")
            #expect(try await store.names() == ["other", "self"])
            try await store.delete("self")
            #expect(try await store.names() == ["other"])
        },
        StorePromise("The result of a batch has the deletions that were asked for, and no others") { store in
            try await store.save([item("target"), item("dependent", ["to": dependency(on: "target")])])
            let result = try await store.modify(CloudModification(deleting: [CloudRecordID("target")]))
            #expect(result.deleted.map { try? $0.get() } == [CloudRecordID("target")])
        },
        StorePromise("A record and one that depends on it can be deleted in one batch") { store in
            try await store.save([item("target"), item("dependent", ["to": dependency(on: "target")])])
            let result = try await store.modify(
                CloudModification(deleting: [CloudRecordID("target"), CloudRecordID("dependent")])
            )
            #expect(result.deleted.allSatisfy { $0.error == nil })
            #expect(try await store.names() == [])
        },
        StorePromise("A record that is saved in the batch which deletes its target goes with it") { store in
            try await store.save(item("target"))
            _ = try await store.modify(
                CloudModification(
                    saving: [item("dependent", ["to": dependency(on: "target")])],
                    deleting: [CloudRecordID("target")]
                )
            )
            #expect(try await store.names() == [])
        },
        StorePromise("An atomic batch that is refused deletes nothing that depends", requires: .atomicBatches) {
            store in
            try await store.save([item("target"), item("dependent", ["to": dependency(on: "target")])])
            _ = try await store.modify(
                CloudModification(saving: [item("_x")], deleting: [CloudRecordID("target")], isAtomic: true)
            )
            #expect(try await store.names() == ["dependent", "target"])
        },
        StorePromise("A later save that replaces or clears the reference ends the tie") { store in
            let references = ["clear", "replace", "loosen", "list"]
            try await store.save([item("target"), item("other")])
            var saved = try await store.save(
                references.map { name in
                    let tie = dependency(on: "target")
                    return item(name, name == "list" ? ["links": .list([tie])] : ["to": tie])
                }
            )
            saved[0]["to"] = nil
            saved[1]["to"] = dependency(on: "other")
            saved[2]["to"] = .reference(CloudReference(recordID: CloudRecordID("target")))
            saved[3]["links"] = .list([dependency(on: "other")])
            try await store.save(saved)
            try await store.delete("target")
            #expect(try await store.names() == ["clear", "list", "loosen", "other", "replace"])
            try await store.delete("other")
            #expect(try await store.names() == ["clear", "loosen"])
        },
        StorePromise("A save that leaves the reference out keeps the tie") { store in
            var saved = try await store.save(item("dependent", ["to": dependency(on: "target"), "n": .int64(1)]))
            try await store.save(item("target"))
            saved.setState(.absent, of: "to")
            try await store.save(saved.setting("n", to: .int64(2)))
            try await store.delete("target")
            #expect(try await !store.has("dependent"))
        },
        StorePromise("A tie may be made before its target") { store in
            try await store.save(item("dependent", ["to": dependency(on: "target")]))
            try await store.save(item("target"))
            #expect(try await store.has("dependent"))
            try await store.delete("target")
            #expect(try await !store.has("dependent"))
        },
        StorePromise("Making a deleted target anew brings nothing back") { store in
            try await store.save([item("target"), item("dependent", ["to": dependency(on: "target")])])
            try await store.delete("target")
            try await store.save(item("target"))
            #expect(try await store.names() == ["target"])
            try await store.save(item("dependent"))
            try await store.delete("target")
            #expect(try await store.names() == ["dependent"])
        },
        StorePromise("Ties go by zone", requires: .zones) { store in
            let notes = CloudZoneID("notes")
            try await store.saveZone(notes)
            try await store.save([
                item("target"), item("target", in: notes),
                item("there", ["to": dependency(on: "target", in: notes)]),
                item("here", in: notes, ["to": dependency(on: "target")]),
            ])
            try await store.delete("target")
            #expect(try await !store.has("here", in: notes))
            #expect(try await store.has("there"))
        },
        StorePromise("Records that went with their target are deletions in the changes", requires: .changeLog) {
            store in
            try await store.save([
                item("target"), item("a", ["to": dependency(on: "target")]), item("b", ["to": dependency(on: "a")]),
            ])
            let token = try await store.allChanges().token
            try await store.delete("target")
            let changes = try await store.allChanges(since: token)
            #expect(changes.saved.isEmpty)
            #expect(Set(changes.deleted) == ["target", "a", "b"] && changes.deleted.count == 3)
        },
    ]

    private static func dependency(on name: String, in zoneID: CloudZoneID = .default) -> CloudValue {
        .reference(CloudReference(recordID: CloudRecordID(name, zone: zoneID), action: .deleteSelf))
    }
}
