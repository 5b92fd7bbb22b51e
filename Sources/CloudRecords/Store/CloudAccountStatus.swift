/// Whether a user is signed in to the store.
public enum CloudAccountStatus: String, Sendable, Hashable, Codable {
    /// A user is signed in.
    case available
    /// Nobody is signed in.
    case noAccount
    /// A restriction keeps the app from the account.
    case restricted
    /// The account can't be used just now.
    case temporarilyUnavailable
    /// The status could not be determined.
    case couldNotDetermine
}
