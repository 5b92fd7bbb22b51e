import CloudKitDao
import Foundation
import Testing

extension StoreContract {
    /// Files that belong to fields.
    static let assets: [StorePromise] = [
        StorePromise("An asset is fetched with the bytes that were saved, whatever becomes of the file") { store in
            let folder = try TestFolder()
            let url = try folder.file("a.txt", Data("content".utf8))
            let saved = try await store.save(item("a", ["f": .asset(CloudAsset(fileURL: url))]))
            try Data("changed".utf8).write(to: url)
            #expect(try saved["f"]?.assetValue?.data() == Data("content".utf8))
            try FileManager.default.removeItem(at: url)
            let fetched = try await store.fetch("a")
            #expect(try fetched["f"]?.assetValue?.data() == Data("content".utf8))
            #expect(fetched.isSame(as: saved))
        },
        StorePromise("Files of any size are kept whole") { store in
            let folder = try TestFolder()
            for size in [0, 1, 65_536, 1_000_001] {
                let bytes = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) })
                let asset = CloudAsset(fileURL: try folder.file("size\(size)", bytes))
                try await store.save(item("a\(size)", ["f": .asset(asset)]))
                #expect(try await store.fetch("a\(size)")["f"]?.assetValue?.data() == bytes, "\(size) bytes")
            }
        },
        StorePromise("Equal content is kept once") { store in
            let folder = try TestFolder()
            let (one, two) = (try asset("same", "one", folder), try asset("same", "two", folder))
            let other = try asset("other", "other", folder)
            let saved = try await store.save(item("a", ["f": one, "g": two, "links": .list([other, one])]))
            #expect(saved["f"] == saved["g"])
            #expect(saved["links"]?.listValue?.last == saved["f"] && saved["links"]?.listValue?.first != saved["f"])
            #expect(try await store.save(item("b", ["f": two]))["f"] == saved["f"])
        },
        StorePromise("A list of assets keeps their order") { store in
            let folder = try TestFolder()
            let list = try ["x", "y", "x"].enumerated().map { try asset($1, "file\($0)", folder) }
            try await store.save(item("a", ["links": .list(list)]))
            let fetched = try #require(try await store.fetch("a")["links"]?.listValue)
            #expect(try fetched.map { try $0.assetValue?.data() } == ["x", "y", "x"].map { Data($0.utf8) })
        },
        StorePromise("A fetched asset can be saved again, in its own record and in another") { store in
            let folder = try TestFolder()
            let saved = try await store.save(item("a", ["f": try asset("content", "f", folder)]))
            try await store.save(saved.setting("n", to: .int64(1)))
            try await store.save(item("b", ["f": saved["f"]]))
            for name in ["a", "b"] {
                #expect(try await store.fetch(name)["f"]?.assetValue?.data() == Data("content".utf8))
            }
        },
        StorePromise("A missing file is refused, naming record and field, and the others of the batch are saved") {
            store in
            let folder = try TestFolder()
            let missing = CloudValue.asset(CloudAsset(fileURL: folder.url.appending(path: "gone.txt")))
            let result = try await store.modify(
                CloudModification(
                    saving: [
                        item("a", ["f": try asset("content", "f", folder)]), item("b", ["f": missing]),
                        item("c", ["links": .list([missing])]),
                    ]
                )
            )
            #expect(result.saved.map { $0.error?.code } == [nil, .assetFileNotFound, .assetFileNotFound])
            #expect(result.saved.map { $0.error?.recordID?.recordName } == [nil, "b", "c"])
            #expect(result.saved.map { $0.error?.field } == [nil, "f", "links"])
            #expect(try await store.names() == ["a"])
        },
        StorePromise("What is no file is refused") { store in
            let folder = try TestFolder()
            let directory = CloudValue.asset(CloudAsset(fileURL: folder.url))
            let page = CloudValue.asset(CloudAsset(fileURL: try #require(URL(string: "https://example.com/x"))))
            let result = try await store.modify(
                CloudModification(saving: [item("a", ["f": directory]), item("b", ["f": page])])
            )
            #expect(result.saved.map { $0.error?.code } == [.assetNotAvailable, .invalidArguments])
            #expect(try await store.names() == [])
        },
        StorePromise("An atomic batch with a missing file writes nothing", requires: .atomicBatches) { store in
            let folder = try TestFolder()
            let missing = CloudValue.asset(CloudAsset(fileURL: folder.url.appending(path: "gone.txt")))
            let result = try await store.modify(
                CloudModification(saving: [item("a"), item("b", ["f": missing])], isAtomic: true)
            )
            #expect(result.saved.map { $0.error?.code } == [.batchRequestFailed, .assetFileNotFound])
            #expect(try await store.names() == [])
        },
        StorePromise("A cleared asset is no longer fetched, a replaced one is the new one") { store in
            let folder = try TestFolder()
            let old = try asset("old", "old", folder)
            let saved = try await store.save(item("a", ["f": old, "g": old]))
            try await store.save(saved.setting("f", to: nil).setting("g", to: try asset("new", "new", folder)))
            let fetched = try await store.fetch("a")
            #expect(fetched["f"] == nil)
            #expect(try fetched["g"]?.assetValue?.data() == Data("new".utf8))
        },
        StorePromise("Content that another field or record uses stays") { store in
            let folder = try TestFolder()
            try await store.save([
                item("a", ["f": try asset("shared", "a", folder)]), item("b", ["f": try asset("shared", "b", folder)]),
                item("c", ["f": try asset("shared", "c", folder), "g": try asset("shared", "d", folder)]),
            ])
            try await store.delete("a")
            try await store.save(try await store.fetch("b").setting("f", to: nil))
            try await store.save(try await store.fetch("c").setting("f", to: nil))
            #expect(try await store.fetch("c")["g"]?.assetValue?.data() == Data("shared".utf8))
        },
        StorePromise("Content that was released can be saved again") { store in
            let folder = try TestFolder()
            let file = try asset("content", "f", folder)
            for _ in 0..<3 {
                try await store.save(item("a", ["f": file]))
                #expect(try await store.fetch("a")["f"]?.assetValue?.data() == Data("content".utf8))
                try await store.delete("a")
            }
        },
        StorePromise("A fetched asset stays readable while it is held, though its record is deleted") { store in
            let folder = try TestFolder()
            try await store.save(item("a", ["f": try asset("content", "f", folder)]))
            let held = try #require(try await store.fetch("a")["f"]?.assetValue)
            try await store.delete("a")
            for number in 0..<5 { try await store.save(item("n\(number)", ["f": try asset("\(number)", "n", folder)])) }
            #expect(try held.data() == Data("content".utf8))
        },
        StorePromise("A held asset whose record was deleted can be saved in another record") { store in
            let folder = try TestFolder()
            try await store.save(item("a", ["f": try asset("content", "f", folder)]))
            let held = try #require(try await store.fetch("a")["f"]?.assetValue)
            try await store.delete("a")
            try await store.save(item("b", ["f": .asset(held)]))
            #expect(try await store.fetch("b")["f"]?.assetValue?.data() == Data("content".utf8))
        },
    ]

    /// An asset of a new file with this text.
    private static func asset(_ text: String, _ name: String, _ folder: TestFolder) throws -> CloudValue {
        .asset(CloudAsset(fileURL: try folder.file(name, Data(text.utf8))))
    }
}
