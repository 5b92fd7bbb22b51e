extension CloudDao {
    /// Returns the number on this client's badge.
    ///
    /// Notifications count it up whose subscription says so, see
    /// ``CloudSubscription/NotificationInfo/shouldBadge``.
    public func badgeCounter() async throws -> Int {
        try await store().wrappingErrors { try await $0.badgeCounter() }
    }

    /// Sets the number on this client's badge, from which notifications count up. The app shows it itself.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for a negative number, ``CloudError/Code/unsupported`` if the store
    ///   has no notifications.
    public func setBadgeCounter(_ count: Int) async throws {
        try await store().wrappingErrors { try await $0.setBadgeCounter(count) }
    }

    /// Sets the number on this client's badge, see ``setBadgeCounter(_:)``.
    ///
    /// - Parameters:
    ///   - count: The number; 0 removes the badge.
    ///   - isolation: The actor to call the handlers on: that of the caller.
    ///   - completionHandler: Called when it is set.
    ///   - errorHandler: Gets the error.
    @discardableResult
    public func setBadgeCounter(
        _ count: Int,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: (() -> Void)? = nil,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(
            isolation: isolation,
            errorHandler: errorHandler,
            completionHandler: { completionHandler?() },
            work: { try await self.setBadgeCounter(count) }
        )
    }
}
