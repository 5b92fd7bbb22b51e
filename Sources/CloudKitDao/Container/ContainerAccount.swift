import Synchronization

/// The account of a container: its user, its status, and those who want to know.
final class ContainerAccount: Sendable {
    /// The user of a container that nobody ever signed in to.
    static let firstUser = CloudRecordID(CloudZoneID.currentOwnerName)

    private struct State: Sendable {
        /// The user who is signed in, or was last.
        var user = ContainerAccount.firstUser
        var status = CloudAccountStatus.available
        var listeners: [Int: AsyncStream<CloudAccount>.Continuation] = [:]
        var lastListener = 0

        var current: CloudAccount {
            CloudAccount(status: status, userRecordID: status == .noAccount ? nil : user)
        }
    }

    private let state = Mutex(State())

    var current: CloudAccount { state.withLock { $0.current } }

    func signIn(_ user: CloudRecordID) {
        change { state in
            state.user = user
            state.status = .available
        }
    }

    func setStatus(_ status: CloudAccountStatus) {
        change { $0.status = status }
    }

    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            let before = state.current
            body(&state)
            let current = state.current
            guard current != before else { return }
            // Within the lock, so that everybody hears of all changes in their order.
            for listener in state.listeners.values { listener.yield(current) }
        }
    }

    func changes() -> AsyncStream<CloudAccount> {
        let (stream, continuation) = AsyncStream<CloudAccount>.makeStream()
        let id = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            continuation.yield(state.current)
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.listeners.removeValue(forKey: id) }
        }
        return stream
    }

    /// The user of a database: the one that it belongs to, or whoever is signed in.
    ///
    /// - Parameter owner: The user that a private database belongs to; nil if it is anyone's.
    /// - Throws: ``CloudError/Code/notAuthenticated`` if this user can't use the container now.
    func user(owner: CloudRecordID? = nil) throws -> CloudRecordID {
        let account = current
        guard account.status == .available, let user = account.userRecordID else {
            throw CloudError.account(account.status)
        }
        guard let owner, owner != user else { return user }
        throw CloudError(
            .notAuthenticated,
            "This database belongs to a user who is not signed in any more.",
            remedy: "Ask the container for the database of its present user, as CloudDao.privateDB does."
        )
    }
}

extension CloudError {
    /// The error of an account that can't be used.
    fileprivate static func account(_ status: CloudAccountStatus) -> CloudError {
        switch status {
        case .temporarilyUnavailable:
            CloudError(
                .accountTemporarilyUnavailable,
                "The account can't be used just now.",
                remedy: "Wait for the container's accountChanges."
            )
        case .restricted:
            CloudError(
                .notAuthenticated,
                "The account can't be used: it is restricted.",
                remedy: "Let the user lift the restriction, and wait for the container's accountChanges."
            )
        case .noAccount, .available, .couldNotDetermine:
            CloudError(
                .notAuthenticated,
                "Nobody is signed in; the account status is \(status.rawValue).",
                remedy: "Sign in first: CloudContainer.default.signIn(userRecordID)."
            )
        }
    }
}
