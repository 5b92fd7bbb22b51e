extension CloudDao {
    /// Whether the database's user is signed in.
    ///
    /// For a container's database that is what ``CloudContainer/account`` says, and if it is available there, what the
    /// store says. A private database of a user who is not signed in any more has no account.
    public func accountStatus() async throws -> CloudAccountStatus {
        if let database { return try await database.accountStatus() }
        return try await store().wrappingErrors { try await $0.accountStatus() }
    }

    /// Whether the database's user is signed in, see ``accountStatus()``.
    ///
    /// - Parameters:
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the status.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func accountStatus(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudAccountStatus) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.accountStatus()
        }
    }

    /// Asks the current user for the permission to be found by others, see
    /// ``CloudContainer/setDiscoverabilityPrompt(_:)``.
    ///
    /// - Returns: Whether the permission is granted.
    /// - Throws: ``CloudError/Code/notAuthenticated`` if nobody is signed in, ``CloudError/Code/unsupported`` if the DAO
    ///   does not belong to a container.
    public func requestDiscoverabilityPermission() async throws -> Bool {
        let (users, user) = try users()
        return await users.askToBeDiscoverable(user)
    }

    /// Asks the current user for the permission to be found by others, see ``requestDiscoverabilityPermission()``.
    ///
    /// - Parameters:
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets whether the permission is granted.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func requestDiscoverabilityPermission(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (Bool) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.requestDiscoverabilityPermission()
        }
    }

    /// Returns what is known of the current user; of one that was not registered, the record ID only.
    ///
    /// - Throws: ``CloudError/Code/permissionFailure`` before ``requestDiscoverabilityPermission()`` was granted,
    ///   ``CloudError/Code/notAuthenticated`` if nobody is signed in, ``CloudError/Code/unsupported`` if the DAO does
    ///   not belong to a container.
    public func discoverUserInfo() async throws -> CloudUserInfo {
        let (users, user) = try users()
        return try users.info(of: user)
    }

    /// Returns what is known of the current user, see ``discoverUserInfo()``.
    ///
    /// - Parameters:
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets what is known.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func discoverUserInfo(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudUserInfo) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.discoverUserInfo()
        }
    }

    /// Returns the other users of the container who are registered and gave the permission to be found, by record name.
    ///
    /// Nothing is kept from one call to the next: when nobody is found, the list is empty.
    ///
    /// - Throws: ``CloudError/Code/notAuthenticated`` if nobody is signed in, ``CloudError/Code/unsupported`` if the DAO
    ///   does not belong to a container.
    public func allContactsUserInfo() async throws -> [CloudUserInfo] {
        let (users, user) = try users()
        return users.infos(except: user)
    }

    /// Returns the other users who may be found, see ``allContactsUserInfo()``.
    ///
    /// - Parameters:
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Gets the users; an empty list if there are none.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func allContactsUserInfo(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudUserInfo]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.allContactsUserInfo()
        }
    }

    private func users() throws -> (users: ContainerUsers, user: CloudRecordID) {
        guard let database else {
            throw CloudError(
                .unsupported,
                "A DAO of a store of the app's own knows no users.",
                remedy: "Use the database of a container, such as CloudDao.publicDB."
            )
        }
        return (database.users, try database.currentUser())
    }
}
