import CloudKitDao
import Foundation

extension CloudContainer {
    /// A container with new, empty databases in memory that no other one sees, for a test of what uses several databases.
    ///
    /// ```swift
    /// let container = CloudContainer.inMemory()
    /// let (publicDB, privateDB) = (container.database(.public), container.database(.private))
    /// ```
    ///
    /// Its databases are made when they are first used and stay until the process ends, as those of every container do.
    /// For a single database there is ``CloudDao/inMemory(userRecordID:)``, which goes when it is no longer used.
    public static func inMemory() -> CloudContainer {
        let container = CloudContainer("in-memory.\(UUID().uuidString)")
        configure(container, storage: .inMemory)
        return container
    }
}
