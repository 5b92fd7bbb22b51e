import Foundation

/// A folder that goes away with its owner, for the files of a test.
package final class TestFolder: Sendable {
    /// Where the folder is.
    package let url: URL

    /// Makes a folder in the system's temporary folder.
    package init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "CloudKitDaoTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    /// The path of a file in the folder, be there one or not.
    package func path(_ name: String) -> String {
        url.appending(path: name).path
    }

    /// Writes a file and returns where it is.
    package func file(_ name: String, _ bytes: Data) throws -> URL {
        let file = url.appending(path: name)
        try bytes.write(to: file)
        return file
    }
}
