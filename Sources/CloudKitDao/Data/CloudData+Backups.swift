extension CloudData {
    /// Writes the cache files of all connections now, whatever their strategies say, apart from ``CachingStrategy/none``.
    ///
    /// Call it when the app goes to the background. It returns when everything is written. What is not in the store yet
    /// is not written.
    ///
    /// - Throws: ``CloudError`` for the first file that can't be written; the others are written all the same.
    public func backupAllData() throws {
        try forEach { try $0.backup() }
    }

    /// Writes the cache file of a connection now.
    ///
    /// - Throws: ``CloudError`` if it can't be written, or there is no such connection.
    public func backupDataForFilter(_ filterId: String) throws {
        guard let connection = connections[filterId] else { throw CloudError.notConnected(filterId) }
        try connection.backup()
    }

    /// Shows what the cache files of all connections hold, see ``restoreDataForFilter(_:)``.
    public func restoreAllData() {
        for filterId in connections.keys.sorted() { _ = restoreDataForFilter(filterId) }
    }

    /// Shows what the cache file of a connection holds, until the store has been read again, which begins at once.
    ///
    /// - Returns: False if there is no such connection or file, the file is of no use, or the store is being read.
    @discardableResult
    public func restoreDataForFilter(_ filterId: String) -> Bool {
        connections[filterId]?.restore() ?? false
    }

    /// Removes the cache files of all connections.
    ///
    /// - Throws: ``CloudError`` for the first file that can't be removed; the others are removed all the same.
    public func removeAllBackups() throws {
        try forEach { try $0.removeBackup() }
    }

    /// Removes the cache file of a name, be it connected or not; none is not an error.
    ///
    /// - Throws: ``CloudError`` if it can't be removed.
    public func removeBackupForFilter(_ filterId: String) throws {
        if let connection = connections[filterId], connection.cachingStrategy != .none {
            try connection.removeBackup()
        } else {
            try cacheFile(filterId)?.remove()
        }
    }

    private func forEach(_ body: (any DataConnection) throws -> Void) throws {
        var failure: (any Error)?
        for (_, connection) in connections.sorted(by: { $0.key < $1.key }) {
            do {
                try body(connection)
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
    }
}

extension CloudError {
    fileprivate static func notConnected(_ filterId: String) -> CloudError {
        CloudError(
            .invalidArguments,
            "There is no connection \(filterId.debugDescription).",
            remedy: "Connect first, or correct the filterId."
        )
    }
}
