import Foundation

extension CloudDao {
    /// Keeps objects in a file under a name, to show them at the next start before the store has answered.
    ///
    /// The file is that of this database and its present user; another database or user has others. Everything that is
    /// mapped comes back exactly, the system fields too; the files of assets are kept beside it. It is written whole or
    /// not at all.
    ///
    /// - Parameters:
    ///   - data: The objects, of any classes.
    ///   - name: The name, any text.
    ///   - directory: Where to keep it; nil for where the system keeps such files, or with the container's own.
    /// - Throws: ``CloudError`` if an object can't be mapped, or the file can't be written.
    public func backupData(_ data: [CloudDataObject], toFile name: String, in directory: URL? = nil) throws {
        let records = try data.map { try $0.toRecord() }
        try backupFile(name, in: directory).write(CacheContent(records: records, isComplete: true))
    }

    /// Reads the objects that were kept under a name, see ``backupData(_:toFile:in:)``.
    ///
    /// - Returns: The objects, in their order; nil if there is no such file. Properties that the class has gained since
    ///   have their initial values.
    /// - Throws: ``CloudError`` if the file is damaged, which sets it aside, if it can't be read, or if an object does not
    ///   fit the class.
    public func restoreData<Object: CloudDataObject>(_ name: String, in directory: URL? = nil) throws -> [Object]? {
        do {
            let plan = try MappingPlan.plan(for: Object.self)
            return try backupFile(name, in: directory).read()?.records.map { record in
                try checkType(record.layout, of: record.recordID, plan)
                return try plan.makeObject(Object.self, from: record, binding: plan.binding(for: record.layout))
            }
        } catch let problem as CacheProblem {
            throw problem.error
        }
    }

    /// Removes the file of a name, see ``backupData(_:toFile:in:)``; none is not an error.
    ///
    /// - Throws: ``CloudError`` if it can't be removed.
    public func removeBackup(_ name: String, in directory: URL? = nil) throws {
        try backupFile(name, in: directory).remove()
    }

    private func backupFile(_ name: String, in directory: URL?) throws -> CacheFile {
        guard let file = cacheFile("backup of \(name)", in: directory) else {
            throw CloudError(
                .badContainer,
                "There is no place for a backup: the database keeps nothing on disk, or belongs to nobody now.",
                remedy: "Name a directory, and sign the user in."
            )
        }
        return file
    }

    /// The cache file of a name; nil if there is no place for it, or nobody whose it would be.
    func cacheFile(_ name: String, in directory: URL?) -> CacheFile? {
        let place = directory ?? database?.cacheDirectory ?? (database == nil ? CloudContainer.systemCaches : nil)
        guard let place else { return nil }
        guard let database else {
            return CacheFile(CacheKey(container: "store", database: "store", user: "", filter: name), in: place)
        }
        guard let user = database.cacheUserName else { return nil }
        let key = CacheKey(
            container: database.cacheContainerName,
            database: database.scope.rawValue,
            user: user,
            filter: name
        )
        return CacheFile(key, in: place)
    }
}
