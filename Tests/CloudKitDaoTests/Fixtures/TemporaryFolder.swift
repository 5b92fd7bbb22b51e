import Foundation

/// A folder that goes away with its owner.
final class TemporaryFolder: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "CloudKitDaoTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns where it is.
    func file(_ name: String, _ bytes: Data) throws -> URL {
        let file = url.appending(path: name)
        try bytes.write(to: file)
        return file
    }
}
