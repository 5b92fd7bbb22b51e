/// Which of a container's databases is meant.
public enum CloudDatabaseScope: String, Sendable, Hashable, Codable, CaseIterable {
    /// The database that all users share.
    case `public`
    /// The database of one user.
    case `private`
    /// What other users share with this one.
    case shared
}
