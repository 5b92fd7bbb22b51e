import Foundation
import Synchronization

/// A folder that is removed with all that is in it when nobody refers to it any more, or when the process ends.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// The folders that exist. Stores of containers live as long as the process, so that no deinit comes for theirs.
    private static let existing = Mutex<Set<URL>>([])

    private static let removesAtExit: Void = {
        atexit {
            for url in TemporaryFolder.existing.withLock({ $0 }) { TemporaryFolder.remove(url) }
        }
    }()

    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "CloudKitDao-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
        Self.existing.withLock { _ = $0.insert(url) }
        Self.removesAtExit
    }

    deinit {
        Self.existing.withLock { _ = $0.remove(url) }
        Self.remove(url)
    }

    private static func remove(_ url: URL) {
        // Nobody is left to tell that the system's temporary folder could not be tidied.
        try? FileManager.default.removeItem(at: url)
    }
}
