extension CloudDao {
    /// Returns the zones of the database, the default zone among them.
    ///
    /// ```swift
    /// let zone = CloudZoneID("notes")
    /// try await CloudDao.privateDB.saveZone(zone)
    /// note.recordID = CloudRecordID("n1", zone: zone)
    /// ```
    ///
    /// - Throws: ``CloudError/Code/unsupported`` if the store has no zones.
    public func zones() async throws -> [CloudZoneID] {
        try await store().wrappingErrors { try await $0.zones() }
    }

    /// Returns the zones of the database, see ``zones()``.
    @discardableResult
    public func zones(
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping ([CloudZoneID]) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.zones()
        }
    }

    /// Makes a zone; one that exists is left as it is. Records can be saved in it afterwards.
    ///
    /// - Throws: ``CloudError/Code/badDatabase`` naming the zone in a container's public database, which has the default
    ///   zone only; ``CloudError/Code/unsupported`` if the store has no zones.
    public func saveZone(_ zoneID: CloudZoneID) async throws {
        try await store().wrappingErrors { try await $0.saveZone(zoneID) }
    }

    /// Makes a zone, see ``saveZone(_:)``.
    @discardableResult
    public func saveZone(
        _ zoneID: CloudZoneID,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.saveZone(zoneID)
        }
    }

    /// Deletes a zone with all its records.
    ///
    /// A zone that does not exist is not an error.
    ///
    /// - Throws: ``CloudError/Code/invalidArguments`` for the default zone, ``CloudError/Code/unsupported`` if the store
    ///   has no zones.
    public func deleteZone(_ zoneID: CloudZoneID) async throws {
        try await store().wrappingErrors { try await $0.deleteZone(zoneID) }
    }

    /// Deletes a zone with all its records, see ``deleteZone(_:)``.
    @discardableResult
    public func deleteZone(
        _ zoneID: CloudZoneID,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping () -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.deleteZone(zoneID)
        }
    }

    /// Returns what changed in the database, or in one zone, after a token.
    ///
    /// ```swift
    /// var token = savedToken                       // nil the first time
    /// var changes: CloudChanges
    /// repeat {
    ///     changes = try await dao.changes(since: token)
    ///     show(changes.saved, changes.deleted)
    ///     token = changes.token
    /// } while changes.moreComing
    /// ```
    ///
    /// - Parameters:
    ///   - token: The token of the changes before; nil for all from the beginning.
    ///   - zoneID: The zone; nil for the whole database.
    ///   - limit: The most changes to return, at least 1.
    /// - Returns: The records as they are now, and the IDs of those that were deleted.
    /// - Throws: ``CloudError/Code/changeTokenExpired`` if the token is too old or another database's,
    ///   ``CloudError/Code/unsupported`` if the store keeps no changes.
    public func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID? = nil,
        limit: Int = 200
    ) async throws -> CloudChanges {
        try await store().wrappingErrors { try await $0.changes(since: token, in: zoneID, limit: limit) }
    }

    /// Returns what changed after a token, see ``changes(since:in:limit:)``.
    @discardableResult
    public func changes(
        since token: CloudChangeToken?,
        in zoneID: CloudZoneID? = nil,
        limit: Int = 200,
        isolation: isolated (any Actor)? = #isolation,
        completionHandler: @escaping (CloudChanges) -> Void,
        errorHandler: ((CloudError) -> Void)? = nil
    ) -> CloudOperation {
        start(isolation: isolation, errorHandler: errorHandler, completionHandler: completionHandler) {
            try await self.changes(since: token, in: zoneID, limit: limit)
        }
    }
}
