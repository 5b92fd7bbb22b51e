import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// Objects that an app keeps in files of its own accord.
@Suite struct Backups {
    private let folder: TestFolder
    private let dao: CloudDao

    init() throws {
        folder = try TestFolder()
        dao = try CloudDao.inMemory()
    }

    @Test func `objects come back under their name, as often as they are asked for`() async throws {
        let messages = Message.numbered(1...3)
        try await dao.save(messages)
        try dao.backupData(messages, toFile: "a/b", in: folder.url)
        for _ in 0..<2 {
            let restored: [Message] = try #require(try dao.restoreData("a/b", in: folder.url))
            #expect(restored == messages && restored.map(\.recordChangeTag) == messages.map(\.recordChangeTag))
        }
        // They are not new ones.
        let restored: [Message]? = try dao.restoreData("a/b", in: folder.url)
        let first = try #require(restored?.first)
        first.text = "changed"
        try await dao.save(first)
    }

    @Test func `a name that was never used has nothing, nor has one that was removed`() throws {
        #expect(try dao.restoreData("never", in: folder.url) as [Message]? == nil)
        try dao.backupData([Message("m1")], toFile: "once", in: folder.url)
        try dao.removeBackup("once", in: folder.url)
        try dao.removeBackup("once", in: folder.url)
        #expect(try dao.restoreData("once", in: folder.url) as [Message]? == nil)
    }

    @Test func `a damaged file is an error once, and then nothing`() throws {
        try dao.backupData([Message("m1")], toFile: "one", in: folder.url)
        let file = try #require(
            FileManager.default.enumerator(at: folder.url, includingPropertiesForKeys: nil)?
                .compactMap { $0 as? URL }.first { $0.pathExtension == "cache" }
        )
        try Data("damaged".utf8).write(to: file)
        #expect(throws: CloudError.self) { try dao.restoreData("one", in: folder.url) as [Message]? }
        #expect(try dao.restoreData("one", in: folder.url) as [Message]? == nil)
    }

    @Test func `a database that keeps nothing on disk has no place for a backup`() throws {
        let dao = CloudContainer.inMemory().database(.public)
        #expect(throws: CloudError.self) { try dao.backupData([Message("m1")], toFile: "one") }
        try dao.backupData([Message("m1")], toFile: "one", in: folder.url)
    }
}
