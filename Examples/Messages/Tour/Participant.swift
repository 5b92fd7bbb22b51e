import CloudKitDao
import Foundation

/// One of the two users of the tour, as if each had a program of their own: a store on the common database file,
/// and a DAO on the store.
struct Participant {
    let recordID: CloudRecordID
    let store: SQLiteStore
    let dao: CloudDao

    /// Opens the database for a user.
    init(userName: String, database: URL) throws {
        recordID = CloudRecordID(userName)
        // An app with one user writes CloudDao.publicDB and needs none of this. Here a store is told who its user is.
        store = try SQLiteStore(path: database.path, userRecordID: recordID)
        dao = CloudDao(store: store)
    }

    /// A reference to the user's contact.
    var reference: CloudReference { CloudReference(recordID: recordID) }
}
