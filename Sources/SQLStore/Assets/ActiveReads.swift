import Synchronization

/// The read transactions that run now, with the states of the database that they see.
final class ActiveReads: Sendable {
    private struct State {
        var next = 0
        /// For each read the change sequence's next number as it sees it; 0 until it has looked.
        var sequences: [Int: Int64] = [:]
    }

    private let state = Mutex(State())

    /// A read that is about to begin.
    func begin() -> Int {
        state.withLock { state in
            state.next += 1
            state.sequences[state.next] = 0
            return state.next
        }
    }

    /// Notes which state a read sees.
    func note(_ sequence: Int64, for read: Int) {
        state.withLock { $0.sequences[read] = sequence }
    }

    /// Notes the end of a read.
    ///
    /// - Returns: Whether it was the last one.
    func end(_ read: Int) -> Bool {
        state.withLock { state in
            state.sequences[read] = nil
            return state.sequences.isEmpty
        }
    }

    /// The oldest state that a read may still see; nil if nobody reads.
    var oldest: Int64? {
        state.withLock { $0.sequences.values.min() }
    }
}
