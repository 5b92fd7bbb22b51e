import CloudKitDao
import Testing

extension StoreContract {
    /// The user.
    static let account: [StorePromise] = [
        StorePromise("Whoever saves is signed in, as the same user each time") { store in
            #expect(try await store.accountStatus() == .available)
            let user = try await store.currentUserRecordID()
            let saved = try await store.save(item("a"))
            #expect(saved.creatorUserRecordID == user)
            #expect(try await store.currentUserRecordID() == user)
        }
    ]
}
