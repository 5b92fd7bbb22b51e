import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// What is still there when a database is opened again.
    static let reopening: [StorePromise] = [
        StorePromise(afterReopening: "What was saved and deleted stays so") { open in
            var saved: [CloudRecord] = []
            do {
                let store = try await open()
                saved = try await store.save([item("a", ["n": .int64(1), "t": .string("x")]), item("b")])
                try await store.delete("b")
            }
            let store = try await open()
            #expect(try await store.fetch("a").isSame(as: saved[0]))
            #expect(try await store.names() == ["a"])
        },
        StorePromise(afterReopening: "A change tag from before is good, and a stale one a conflict") { open in
            let first = try await open().save(item("a", ["n": .int64(1)]))
            let second = try await open().save(first.setting("n", to: .int64(2)))
            let conflict = try await #require(throws: CloudError.self) { try await open().save(first) }
            #expect(conflict.code == .serverRecordChanged)
            #expect(second.isSame(as: conflict.serverRecord))
        },
        StorePromise(afterReopening: "A cursor goes on") { open in
            let query = CloudQuery(recordType: "Item", orderBy: .descending("n"))
            let cursor: CloudCursor
            do {
                let store = try await open()
                try await store.save((0..<9).map { item("n\($0)", ["n": .int64($0)]) })
                cursor = try #require(try await store.page(query, after: nil, limit: 4).cursor)
            }
            let rest = try await open().page(query, after: cursor, limit: 100)
            #expect(rest.records.map(\.recordID.recordName) == ["n4", "n3", "n2", "n1", "n0"])
        },
        StorePromise(afterReopening: "Fields keep their types") { open in
            try await open().save(item("a", ["n": .int64(1)]))
            let error = try await #require(throws: CloudError.self) {
                try await open().save(item("b", ["n": .string("x")]))
            }
            #expect(error.code == .invalidArguments && error.field == "n")
        },
        StorePromise(afterReopening: "Zones stay", requires: .zones) { open in
            try await open().saveZone(CloudZoneID("notes"))
            try await open().save(item("a", in: CloudZoneID("notes")))
            #expect(Set(try await open().zones()) == [.default, CloudZoneID("notes")])
        },
        StorePromise(afterReopening: "Assets stay readable") { open in
            let folder = try TestFolder()
            let file = try folder.file("f", Data("content".utf8))
            try await open().save(item("a", ["f": .asset(CloudAsset(fileURL: file))]))
            try FileManager.default.removeItem(at: file)
            #expect(try await open().fetch("a")["f"]?.assetValue?.data() == Data("content".utf8))
        },
        StorePromise(afterReopening: "Words are found", requires: .tokenSearch) { open in
            do {
                let store = try await open()
                try await store.save(item("a", ["t": .string("hello")]))
                #expect(try await store.names("self CONTAINS 'hello'") == ["a"])
            }
            let store = try await open()
            try await store.save(item("b", ["t": .string("hello again")]))
            #expect(try await store.names("self CONTAINS 'hello'") == ["a", "b"])
        },
        StorePromise(afterReopening: "Two that have the database open see each other's records and schema") { open in
            let (one, two) = (try await open(), try await open())
            let saved = try await one.save(item("a", ["n": .int64(1)]))
            #expect(try await two.fetch("a").isSame(as: saved))
            try await two.save(saved.setting("later", to: .string("x")))
            #expect(try await one.fetch("a")["later"] == .string("x"))
            let conflict = try await #require(throws: CloudError.self) { try await one.save(saved) }
            #expect(conflict.code == .serverRecordChanged)
        },
        StorePromise(afterReopening: "Two that have the database open can both write all the time") { open in
            let stores = [try await open(), try await open()]
            try await withThrowingTaskGroup { group in
                for (number, store) in stores.enumerated() {
                    group.addTask {
                        for turn in 0..<20 {
                            try await store.save(item("s\(number)n\(turn)", ["n": .int64(Int64(turn))]))
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await stores[0].names().count == 40)
        },
    ]
}
