import Synchronization

/// What content the assets of this process hold, and how many of them.
final class AssetHolds: Sendable {
    private struct State {
        var counts: [String: Int] = [:]
        var onRelease: (@Sendable (String) -> Void)?
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.counts.isEmpty } }

    func contains(_ contentName: String) -> Bool {
        state.withLock { $0.counts[contentName] != nil }
    }

    func onRelease(_ body: @escaping @Sendable (String) -> Void) {
        state.withLock { $0.onRelease = body }
    }

    fileprivate func add(_ contentName: String) {
        state.withLock { $0.counts[contentName, default: 0] += 1 }
    }

    fileprivate func remove(_ contentName: String) {
        let onRelease = state.withLock { state -> (@Sendable (String) -> Void)? in
            guard let count = state.counts[contentName] else { return nil }
            state.counts[contentName] = count > 1 ? count - 1 : nil
            return count > 1 ? nil : state.onRelease
        }
        onRelease?(contentName)
    }
}

/// Holds content for as long as an asset exists.
final class AssetHold: Sendable {
    private let contentName: String
    private let holds: AssetHolds
    /// What must outlast the asset: the mark that this process lives, and a temporary store's folder.
    private let keptAlive: (AssetClient?, TemporaryFolder?)

    init(_ contentName: String, in holds: AssetHolds, client: AssetClient?, temporaryFolder: TemporaryFolder?) {
        self.contentName = contentName
        self.holds = holds
        keptAlive = (client, temporaryFolder)
        holds.add(contentName)
    }

    deinit {
        holds.remove(contentName)
    }
}
