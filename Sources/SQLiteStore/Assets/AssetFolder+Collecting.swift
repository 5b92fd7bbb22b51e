import CloudRecords
import Foundation
import SQLStore

extension AssetFolder {
    func sorted(_ garbage: [Garbage], horizon: Int64) throws -> SortedGarbage {
        if garbage.isEmpty { return SortedGarbage() }
        // Stores of this process can be asked, those of others say by their files how far they have come.
        let neighbours = openFolders()
        var limit = min(horizon, neighbours.compactMap { $0.oldestRead() }.min() ?? .max)
        let names = Set(neighbours.compactMap { $0.client?.name })
        if let slowest = try client?.slowestOther(besides: names) { limit = min(limit, slowest) }
        var sorted = SortedGarbage()
        for item in garbage {
            if holds.contains(item.contentName) {
                sorted.held.append(item.contentName)
            } else if item.since < limit, !neighbours.contains(where: { $0.holds.contains(item.contentName) }) {
                sorted.removable.append(item.contentName)
            }
        }
        return sorted
    }

    func remove(_ contentName: String) throws {
        guard Self.isContentName(contentName), unlink(fileURL(contentName).path) != 0, errno != ENOENT else { return }
        throw CloudError(
            .internalError,
            "The content \(contentName) of an asset can't be removed: \(String(cString: strerror(errno))).",
            remedy: "Check the permissions of the store's folder."
        )
    }

    var holdsNothing: Bool { holds.isEmpty }

    func acknowledge(_ sequence: Int64) {
        client?.acknowledge(sequence)
    }

    func onRelease(_ body: @escaping @Sendable (String) -> Void) {
        holds.onRelease(body)
    }

    func observeReads(_ oldest: @escaping @Sendable () -> Int64?) {
        readObserver.withLock { $0 = oldest }
    }

    // MARK: Leftovers

    /// A file that is being written: it is named after who writes it, so that it is known when nobody does.
    var temporaryFileURL: URL {
        url.appending(path: ".\(client?.name ?? "")-\(UUID().uuidString).tmp")
    }

    func contents() throws -> [String] {
        guard access(url.path, R_OK) == 0 else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: url.path).filter { name in
            Self.isContentName(name) && !holds.contains(name)
        }
    }

    func removeLeftovers() throws {
        guard let client else { return }
        let living = try client.livingNames()
        for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
        where name.hasSuffix(".tmp") && !living.contains(where: name.dropFirst().hasPrefix) {
            // Another client may have been faster.
            _ = unlink(url.appending(path: name).path)
        }
    }
}
