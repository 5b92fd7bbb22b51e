import CloudKitDao
import Testing

extension StoreContract {
    /// References that are only kept.
    static let references: [StorePromise] = [
        StorePromise("A reference to a record that does not exist is kept") { store in
            for action in [CloudReference.Action.none, .deleteSelf] {
                let reference = CloudReference(recordID: CloudRecordID("nobody"), action: action)
                try await store.save(item("a\(action)", ["to": .reference(reference)]))
                #expect(try await store.fetch("a\(action)")["to"] == .reference(reference))
            }
        },
        StorePromise("A reference with the action none outlives its target") { store in
            try await store.save(item("target"))
            let reference = CloudValue.reference(CloudReference(recordID: CloudRecordID("target")))
            let saved = try await store.save(item("a", ["to": reference, "links": .list([reference])]))
            try await store.delete("target")
            #expect(try await store.fetch("a").isSame(as: saved))
        },
        StorePromise("A list of references keeps their order, repeats and actions") { store in
            let list = CloudValue.list([
                .reference(CloudReference(recordID: CloudRecordID("b"), action: .deleteSelf)),
                .reference(CloudReference(recordID: CloudRecordID("a"))),
                .reference(CloudReference(recordID: CloudRecordID("b"))),
                .reference(CloudReference(recordID: CloudRecordID("b", zone: CloudZoneID("other")))),
            ])
            try await store.save(item("x", ["links": list]))
            #expect(try await store.fetch("x")["links"] == list)
        },
        StorePromise("All records that refer to a record are found, whatever their action") { store in
            let (one, two) = (CloudRecordID("one"), CloudRecordID("two"))
            let dependent = CloudValue.reference(CloudReference(recordID: one, action: .deleteSelf))
            let loose = CloudValue.reference(CloudReference(recordID: one))
            let other = CloudValue.reference(CloudReference(recordID: two))
            try await store.save([
                item("a", ["to": loose, "links": .list([other])]),
                item("b", ["to": other, "links": .list([other, loose])]),
                item("c", ["to": nil, "links": nil]), item("d", ["to": dependent, "links": .list([dependent])]),
            ])
            let sought = CloudReference(recordID: one)
            #expect(try await store.names("to == \(sought)") == ["a", "d"])
            #expect(try await store.names("links CONTAINS \(sought)") == ["b", "d"])
        },
    ]
}
