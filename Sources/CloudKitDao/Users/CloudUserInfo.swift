/// What users may know of each other.
public struct CloudUserInfo: Sendable, Hashable, Codable {
    /// The user.
    public let userRecordID: CloudRecordID

    /// The first name.
    public var firstName: String?

    /// The last name.
    public var lastName: String?

    /// The e-mail address.
    public var emailAddress: String?

    /// Describes a user.
    public init(
        userRecordID: CloudRecordID,
        firstName: String? = nil,
        lastName: String? = nil,
        emailAddress: String? = nil
    ) {
        self.userRecordID = userRecordID
        self.firstName = firstName
        self.lastName = lastName
        self.emailAddress = emailAddress
    }
}
