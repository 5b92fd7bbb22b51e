import CloudKitDao

extension CloudDao {
    /// A DAO on a new, empty database that no other one sees, for a test or a preview.
    ///
    /// ```swift
    /// @Test func `a message is found`() async throws {
    ///     let dao = try CloudDao.inMemory()
    ///     try await dao.save(Message())
    ///     #expect(try await dao.query(Message.self).count == 1)
    /// }
    /// ```
    ///
    /// The database goes with the DAO and the assets that came from it.
    ///
    /// - Parameter userRecordID: The user who is noted as creator and modifier of what is saved.
    /// - Throws: `CloudError.Code.internalError` if the system's temporary folder can't be used.
    public static func inMemory(
        userRecordID: CloudRecordID = CloudRecordID(CloudZoneID.currentOwnerName)
    ) throws -> CloudDao {
        CloudDao(store: try SQLiteStore.inMemory(userRecordID: userRecordID))
    }
}
