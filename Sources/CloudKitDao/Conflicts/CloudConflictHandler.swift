/// What to do when a record that is to be saved was changed by someone else since it was read.
///
/// Set it on ``CloudDao/conflictHandler``, or pass it to a save:
///
/// ```swift
/// dao.conflictHandler = .merge
/// try await dao.save(counter, conflictHandler: CloudConflictHandler { client, server, ancestor in
///     var merged = server
///     let added = (client["count"]?.int64Value ?? 0) - (ancestor?["count"]?.int64Value ?? 0)
///     merged["count"] = .int64((server["count"]?.int64Value ?? 0) + added)
///     return merged
/// })
/// ```
///
/// The merged record is saved in place of the server's version that the handler saw. If that was changed again
/// meanwhile, the handler is asked again, with the first client record and the newest server record, up to
/// ``maximumAttempts`` saves in all. Saves of one ``CloudDao`` that meet in one record take turns, so that each gets
/// through. In the end the object has the merged fields and the store's system fields; a property that the app changed
/// while the save was running keeps its value.
///
/// A record that does not differ from the server's is not written. In an atomic batch, all conflicts have to be resolved;
/// then the whole batch is sent again, and if that fails, no object has changed. In another batch, deletes are sent when
/// all saves have their results. A record that was deleted meanwhile is not made again: that stays
/// ``CloudError/Code/unknownItem``. The save policies ``CloudSavePolicy/changedKeys`` and ``CloudSavePolicy/allKeys``
/// know no conflicts.
public struct CloudConflictHandler: Sendable {
    /// Merges two versions of a record.
    ///
    /// - Parameters:
    ///   - client: The record that was to be saved. It has the fields of its class only.
    ///   - server: The record that is stored, with all its fields.
    ///   - ancestor: The record as the client had last read it; nil if it never did.
    /// - Returns: The record to save: one of the same ID and type, whose absent fields are left as they are stored. Nil
    ///   gives up: the conflict is reported as the error ``CloudError/Code/serverRecordChanged``.
    /// - Throws: An error that is reported instead of the conflict.
    public typealias Merge =
        @Sendable (
            _ client: CloudRecord, _ server: CloudRecord, _ ancestor: CloudRecord?
        ) throws -> CloudRecord?

    /// How often a save is tried at most, counting the first time, before the conflict is reported: 100 if nothing else
    /// is said. With 1, the handler is not asked.
    public var maximumAttempts = 100

    let merge: Merge

    /// Makes a handler. The closure is called where the save was called, and nothing else of the save goes on meanwhile.
    public init(_ merge: @escaping Merge) {
        self.merge = merge
    }
}

extension CloudConflictHandler {
    /// One of the two sides of a conflict.
    public enum Side: Sendable, Hashable {
        /// What was to be saved.
        case client
        /// What is stored.
        case server
    }

    /// The stored record wins: nothing is written, and the object gets the stored fields.
    public static let serverWins = CloudConflictHandler { _, server, _ in server }

    /// The record that was to be saved wins: its fields are written over the newer ones.
    public static let clientWins = CloudConflictHandler { client, _, _ in client }

    /// Reports the conflict, as if there were no handler: for a save that shall not use that of the DAO.
    public static let giveUp = CloudConflictHandler { _, _, _ in nil }

    /// Merges field by field, and takes the client's value where both sides changed one: `merge(preferring: .client)`.
    public static let merge = merge(preferring: .client)

    /// Merges field by field: a field that one side changed since the ancestor has that side's value.
    ///
    /// Without an ancestor, or for a field that the ancestor does not know, every field counts as changed on both sides.
    ///
    /// - Parameter side: The side whose value is taken where both changed a field to different values.
    public static func merge(preferring side: Side) -> CloudConflictHandler {
        CloudConflictHandler { client, server, ancestor in
            var merged = server
            for name in client.knownFieldNames {
                let mine = client.state(of: name)
                let theirs = server.storedState(of: name)
                let base = ancestor?.baseState(of: name, on: server)
                if mine == theirs || mine == base { continue }
                if side == .client || theirs == base { merged.setState(mine, of: name) }
            }
            return merged
        }
    }
}

extension CloudRecord {
    /// What is known of a field of a stored record: one that it lacks was never set.
    fileprivate func storedState(of name: String) -> FieldState {
        let state = state(of: name)
        return state == .absent ? .null : state
    }

    /// What this ancestor of a stored record knows of a field; nil for nothing.
    fileprivate func baseState(of name: String, on server: CloudRecord) -> FieldState? {
        let state = state(of: name)
        guard state == .absent else { return state }
        // A field that the store still lacks was not there before either.
        return server.state(of: name) == .absent ? .null : nil
    }
}
