import CloudKitDao
import Foundation
import Testing

/// Zones and changes, asked of a DAO.
@Suite struct ZonesAndChanges {
    private let dao: CloudDao
    private let notes = CloudZoneID("notes")

    init() throws {
        dao = CloudDao(store: try SQLiteStore.inMemory())
    }

    private func message(_ name: String) -> Message {
        let message = Message(name)
        message.recordID = CloudRecordID(name, zone: notes)
        return message
    }

    @Test func `a zone is made, holds records, and is deleted with them`() async throws {
        let error = await #expect(throws: CloudError.self) { try await dao.save(message("m1")) }
        #expect(error?.code == .zoneNotFound)
        try await dao.saveZone(notes)
        try await dao.saveZone(notes)
        #expect(Set(try await dao.zones()) == [.default, notes])
        try await dao.save([message("m1"), Message("m2")])
        try await dao.deleteZone(notes)
        #expect(try await dao.zones() == [.default])
        #expect(try await dao.fetch(Message.self, CloudRecordID("m1", zone: notes)) == nil)
        #expect(try await dao.fetch(Message.self, "m2") != nil)
    }

    @Test func `changes come in pages, from where the last ones ended, of all zones or one`() async throws {
        try await dao.saveZone(notes)
        try await dao.save([Message("m1"), Message("m2"), message("m3")])
        let first = try await dao.changes(since: nil, limit: 2)
        #expect(first.saved.map(\.recordID.recordName) == ["m1", "m2"])
        #expect(first.moreComing)
        let second = try await dao.changes(since: first.token)
        #expect(second.saved.map(\.recordID.recordName) == ["m3"])
        try await dao.delete([CloudRecordID("m1")])
        let third = try await dao.changes(since: second.token)
        #expect(third.saved.isEmpty)
        #expect(third.deleted.map(\.recordID.recordName) == ["m1"])
        #expect(try await dao.changes(since: nil, in: notes).saved.map(\.recordID.recordName) == ["m3"])
    }

    @MainActor @Test func `the forms with handlers do the same`() async throws {
        let done = Gate()
        let (dao, notes) = (dao, notes)
        var zones: [CloudZoneID] = []
        var savedCount: Int?
        let fail: (CloudError) -> Void = { error in
            Issue.record(error)
            done.open()
        }
        dao.saveZone(
            notes,
            completionHandler: {
                dao.zones(
                    completionHandler: { found in
                        zones = found
                        dao.changes(
                            since: nil,
                            completionHandler: { changes in
                                savedCount = changes.saved.count
                                dao.deleteZone(notes, completionHandler: { done.open() }, errorHandler: fail)
                            },
                            errorHandler: fail
                        )
                    },
                    errorHandler: fail
                )
            },
            errorHandler: fail
        )
        await done.wait()
        #expect(Set(zones) == [.default, notes])
        #expect(savedCount == 0)
        #expect(try await dao.zones() == [.default])
    }

    @Test func `a container's public database has no custom zones`() async throws {
        let container = CloudContainer("test.zones.\(UUID().uuidString)")
        CloudContainer.configure(container, storage: .inMemory)
        let error = await #expect(throws: CloudError.self) { try await container.database(.public).saveZone(notes) }
        #expect(error?.code == .badDatabase)
        try await container.database(.private).saveZone(notes)
        #expect(Set(try await container.database(.private).zones()) == [.default, notes])
    }
}
