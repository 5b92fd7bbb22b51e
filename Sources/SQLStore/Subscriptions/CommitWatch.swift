/// Tells of commits that others make, as long as it is referred to.
package protocol CommitWatch: AnyObject, Sendable {}

extension SQLDriver {
    /// By itself an engine tells nothing: then others' commits are found by looking now and then.
    package func watchCommits(_ handler: @escaping @Sendable () -> Void) throws -> (any CommitWatch)? { nil }
}

extension SQLConnection {
    package func announceNotifications() throws {}
}
