import Foundation

/// The files that the tour keeps in its data folder. Their names begin with "tour", to stay apart from others.
struct TourFiles {
    let folder: URL

    /// The database. Beside it the store keeps two files of SQLite's and a folder with the bytes of assets.
    var database: URL { folder.appending(path: "tour.sqlite") }
    /// A picture that is sent.
    var picture: URL { folder.appending(path: "tour-sunset.png") }
    /// A bookmark in the results of a query.
    var cursor: URL { folder.appending(path: "tour-cursor.json") }

    /// Makes the folder if it is missing, and removes what an earlier tour left in it. Other files stay.
    ///
    /// - Returns: The names of what was removed.
    func prepare() throws(FolderError) -> [String] {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try removeLeftovers()
        } catch {
            throw FolderError(folder: folder, reason: error.localizedDescription)
        }
    }

    private func removeLeftovers() throws -> [String] {
        let besideDatabase = ["-wal", "-shm", "-assets"].map { URL(filePath: database.path + $0) }
        let leftovers = ([database] + besideDatabase + [picture, cursor]).filter {
            FileManager.default.fileExists(atPath: $0.path)
        }
        for leftover in leftovers {
            try FileManager.default.removeItem(at: leftover)
        }
        return leftovers.map(\.lastPathComponent)
    }
}

/// A data folder that can't be used.
struct FolderError: Error, CustomStringConvertible {
    let folder: URL
    let reason: String

    var description: String {
        "the data folder \(folder.path) can't be used: \(reason)"
    }
}
