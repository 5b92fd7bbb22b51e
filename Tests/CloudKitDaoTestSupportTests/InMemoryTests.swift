import CloudKitDao
import CloudKitDaoTestSupport
import Testing

@Suite struct InMemoryTests {
    @Test func `a DAO in memory is empty and independent of others`() async throws {
        let (one, other) = (try CloudDao.inMemory(), try CloudDao.inMemory())
        try await one.save(Note("a"))
        #expect(try await one.query(Note.self).count == 1)
        #expect(try await other.query(Note.self).isEmpty)
    }

    @Test func `a DAO in memory has the user that it is given`() async throws {
        let user = CloudRecordID("_user")
        let dao = try CloudDao.inMemory(userRecordID: user)
        let note = Note("a")
        try await dao.save(note)
        #expect(note.creatorUserRecordID == user)
    }

    @Test func `a container in memory is empty and independent of others, and so are its databases`() async throws {
        let (one, other) = (CloudContainer.inMemory(), CloudContainer.inMemory())
        try await one.database(.public).save(Note("a"))
        #expect(try await one.database(.public).query(Note.self).count == 1)
        #expect(try await one.database(.private).query(Note.self).isEmpty)
        #expect(try await other.database(.public).query(Note.self).isEmpty)
    }
}
