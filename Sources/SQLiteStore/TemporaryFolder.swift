import Foundation

/// A folder that is removed with all that is in it when nobody refers to it any more.
package final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "CloudKitDao-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: url,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700]
        )
    }

    deinit {
        // Nobody is left to tell that the system's temporary folder could not be tidied.
        try? FileManager.default.removeItem(at: url)
    }
}
