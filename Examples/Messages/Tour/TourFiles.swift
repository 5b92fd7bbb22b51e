import Foundation

/// The files that the tour keeps in its data folder.
struct TourFiles {
    let folder: URL

    /// The database. Beside it the store keeps two files of SQLite's and a folder with the bytes of assets.
    var database: URL { folder.appending(path: "messages.sqlite") }
    /// A picture that is sent.
    var picture: URL { folder.appending(path: "sunset.png") }
    /// A bookmark in the results of a query.
    var cursor: URL { folder.appending(path: "cursor.json") }

    /// Makes the folder if it is missing, and removes what an earlier tour left in it. Other files stay.
    ///
    /// - Returns: The names of what was removed.
    func prepare() throws -> [String] {
        let manager = FileManager.default
        try manager.createDirectory(at: folder, withIntermediateDirectories: true)
        let besideDatabase = ["-wal", "-shm", "-assets"].map { URL(filePath: database.path + $0) }
        let leftovers = ([database] + besideDatabase + [picture, cursor]).filter {
            manager.fileExists(atPath: $0.path)
        }
        for leftover in leftovers {
            try manager.removeItem(at: leftover)
        }
        return leftovers.map(\.lastPathComponent)
    }
}
