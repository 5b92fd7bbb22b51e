extension CloudContainer {
    /// Tells the container about a user, in the place of what it knew of this user before.
    ///
    /// The embedded stores have no address book: the app says who there is, for instance from its own records of users,
    /// each time it starts. Others find the user only after the user's own
    /// ``CloudDao/requestDiscoverabilityPermission()``.
    public func register(_ user: CloudUserInfo) {
        users.register(user)
    }

    /// Sets how a user is asked for the permission to be found by others; nil, as at first, grants it without asking.
    ///
    /// - Parameter prompt: Returns whether the user consents; called on any thread.
    public func setDiscoverabilityPrompt(_ prompt: (@Sendable (CloudRecordID) async -> Bool)?) {
        users.setPrompt(prompt)
    }
}
