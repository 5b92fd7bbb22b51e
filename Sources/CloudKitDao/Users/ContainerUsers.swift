import Synchronization

/// What a container knows of its users, as long as the process runs.
final class ContainerUsers: Sendable {
    typealias Prompt = @Sendable (CloudRecordID) async -> Bool

    private struct State: Sendable {
        var infos: [CloudRecordID: CloudUserInfo] = [:]
        var discoverable: Set<CloudRecordID> = []
        var prompt: Prompt?
    }

    private let state = Mutex(State())

    func register(_ info: CloudUserInfo) {
        state.withLock { $0.infos[info.userRecordID] = info }
    }

    func setPrompt(_ prompt: Prompt?) {
        state.withLock { $0.prompt = prompt }
    }

    /// Asks a user, and keeps the answer.
    func askToBeDiscoverable(_ user: CloudRecordID) async -> Bool {
        let prompt = state.withLock { $0.prompt }
        let isGranted = await prompt?(user) ?? true
        state.withLock { state in
            if isGranted { state.discoverable.insert(user) } else { state.discoverable.remove(user) }
        }
        return isGranted
    }

    /// What is known of a user who may be found.
    ///
    /// - Throws: ``CloudError/Code/permissionFailure`` if the user did not consent.
    func info(of user: CloudRecordID) throws -> CloudUserInfo {
        let (isDiscoverable, info) = state.withLock { ($0.discoverable.contains(user), $0.infos[user]) }
        guard isDiscoverable else {
            throw CloudError(
                .permissionFailure,
                "User \(user) has not given the permission to be discovered.",
                remedy: "Call requestDiscoverabilityPermission first.",
                recordID: user
            )
        }
        return info ?? CloudUserInfo(userRecordID: user)
    }

    /// The users who may be found, apart from one, by record name.
    func infos(except user: CloudRecordID) -> [CloudUserInfo] {
        state.withLock { state in
            state.infos.values
                .filter { $0.userRecordID != user && state.discoverable.contains($0.userRecordID) }
                .sorted { $0.userRecordID.recordName < $1.userRecordID.recordName }
        }
    }
}
