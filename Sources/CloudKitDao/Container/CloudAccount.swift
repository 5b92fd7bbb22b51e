/// Who uses a container at a moment.
public struct CloudAccount: Sendable, Hashable {
    /// Whether the container can be used in a user's name.
    public let status: CloudAccountStatus

    /// The user; nil if nobody is signed in.
    public let userRecordID: CloudRecordID?

    /// Describes an account.
    public init(status: CloudAccountStatus, userRecordID: CloudRecordID?) {
        self.status = status
        self.userRecordID = userRecordID
    }
}

extension CloudContainer {
    /// Who uses the container now.
    ///
    /// In the beginning that is a user without a name of its own, so that an app without users has nothing to do.
    public var account: CloudAccount { registeredAccount.current }

    /// Who uses the container: now first, then each change, once.
    ///
    /// Each stream is one of its own, however many there are. It ends with the task that reads it.
    ///
    /// ```swift
    /// .task {
    ///     for await account in CloudContainer.default.accountChanges { model.show(account) }
    /// }
    /// ```
    public var accountChanges: AsyncStream<CloudAccount> { registeredAccount.changes() }

    /// Signs a user in, in the place of the one who was before.
    ///
    /// From now on ``CloudDao/privateDB`` and its kin are the databases of this user, who is also the creator of what is
    /// saved. Each user has private databases of his own. A ``CloudDao`` of a private or shared database that was
    /// handed out before belongs to the user of that time: its requests fail with
    /// ``CloudError/Code/notAuthenticated`` until that user is signed in again. A DAO of the public database serves
    /// whoever is signed in.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` if the ID can't be a user's: the name has 1 to 255 printable ASCII
    ///   characters, and the zone is the default zone.
    public func signIn(_ userRecordID: CloudRecordID) throws {
        if let violation = NameRule.violation(ofRecordName: userRecordID.recordName, allowsUnderscore: true) {
            throw CloudError(
                .invalidArguments,
                "The user \(NameRule.quoted(userRecordID.recordName)) can't be signed in: the name \(violation.reason).",
                remedy: violation.remedy,
                recordID: userRecordID
            )
        }
        guard userRecordID.zoneID.isDefault else {
            throw CloudError(
                .invalidArguments,
                "The user \(userRecordID) can't be signed in: records of users are in the default zone.",
                remedy: "Use a record ID without a zone.",
                recordID: userRecordID
            )
        }
        registeredAccount.signIn(userRecordID)
    }

    /// Signs the user out.
    ///
    /// Until somebody is signed in, private and shared databases can't be used, and the public one only be read: the
    /// error is ``CloudError/Code/notAuthenticated``.
    public func signOut() {
        registeredAccount.setStatus(.noAccount)
    }

    /// Says whether the account can be used, for instance to see what an app does when it can't.
    ///
    /// Anything but ``CloudAccountStatus/available`` closes the databases as ``signOut()`` does; if the account is
    /// ``CloudAccountStatus/temporarilyUnavailable``, with ``CloudError/Code/accountTemporarilyUnavailable``. Available
    /// again, the user is the one of before.
    public func setAccountStatus(_ status: CloudAccountStatus) {
        registeredAccount.setStatus(status)
    }
}
