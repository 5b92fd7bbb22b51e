import Synchronization

/// What a DAO remembers between the notifications that it delivers.
final class RemoteState: Sendable {
    private struct State {
        /// The classes that subscribed, by subscription.
        var bySubscription: [String: CloudDataObject.Type] = [:]
        /// The classes that are known, by record type.
        var byRecordType: [String: CloudDataObject.Type] = [:]
        /// The notifications that were delivered last, in their order, for a push may come after the fetch that
        /// delivered it already.
        var delivered: [String] = []
        var isDelivered: Set<String> = []
        var isTaken = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// How many delivered notifications are remembered.
    private static let memory = 1_000

    private let state = Mutex(State())

    // MARK: Classes

    /// Notes the class whose objects the records of a type are to be; the first one stays, unless it is asked for.
    func note(_ type: CloudDataObject.Type, recordType: String, subscriptionID: String? = nil, replaces: Bool = false) {
        state.withLock { state in
            if let subscriptionID { state.bySubscription[subscriptionID] = type }
            if replaces || state.byRecordType[recordType] == nil { state.byRecordType[recordType] = type }
        }
    }

    /// The class for a record that a subscription reports.
    func type(ofRecordType recordType: String, subscriptionID: String?) -> CloudDataObject.Type? {
        state.withLock { state in
            subscriptionID.flatMap { state.bySubscription[$0] } ?? state.byRecordType[recordType]
        }
    }

    // MARK: Notifications

    /// Notes that a notification is delivered; false if it was delivered before.
    func claim(_ notificationID: String) -> Bool {
        state.withLock { state in
            guard state.isDelivered.insert(notificationID).inserted else { return false }
            state.delivered.append(notificationID)
            if state.delivered.count >= 2 * Self.memory {
                for old in state.delivered.prefix(Self.memory) { state.isDelivered.remove(old) }
                state.delivered.removeFirst(Self.memory)
            }
            return true
        }
    }

    // MARK: One at a time

    /// Waits until no other delivery is going on; each call needs one of ``endDelivery()``.
    func beginDelivery() async {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                if state.isTaken {
                    state.waiting.append(continuation)
                    return false
                }
                state.isTaken = true
                return true
            }
            if isFirst { continuation.resume() }
        }
    }

    func endDelivery() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.resume()
    }
}
