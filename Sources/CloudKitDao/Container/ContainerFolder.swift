import Foundation

/// The folder of a container's files, among those of other containers.
struct ContainerFolder {
    let name: String
    private let identifier: String

    /// - Throws: ``CloudError/Code/badContainer`` if the identifier can't name a folder.
    init(_ identifier: String) throws {
        // Any character may stand in an identifier, but not in the name of a folder.
        let name = identifier.addingPercentEncoding(
            withAllowedCharacters: .alphanumerics.union(.init(charactersIn: ".-"))
        )
        guard let name, !name.isEmpty, name != ".", name != ".." else {
            throw CloudError(
                .badContainer,
                "The container identifier \(identifier.debugDescription) can't name a folder.",
                remedy: "Use an identifier such as iCloud.com.example.app."
            )
        }
        self.name = name
        self.identifier = identifier
    }

    /// Makes the folder if it does not exist.
    ///
    /// - Throws: ``CloudError/Code/badContainer`` if the folder can't be made, or is that of another container: there are
    ///   file systems that take capitals for small letters.
    func make(in directory: URL) throws {
        let folder = directory.appending(path: name)
        let entries: [String]
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            entries = try FileManager.default.contentsOfDirectory(atPath: directory.path)
        } catch {
            throw CloudError(
                .badContainer,
                "The folder of container \(identifier.debugDescription) can't be made: \(error.localizedDescription)",
                remedy: "Choose a directory that may be read and written: CloudContainer.configure(_:storage:)."
            )
        }
        try check(spellings: entries)
    }

    /// Checks that the folder, which exists, is spelt as this container spells it.
    func check(spellings entries: [String]) throws {
        guard !entries.contains(name) else { return }
        let other = entries.first { $0.lowercased() == name.lowercased() } ?? "another one"
        throw CloudError(
            .badContainer,
            """
            The folder of container \(identifier.debugDescription) is that of \(other.debugDescription): \
            this disk does not tell capitals from small letters.
            """,
            remedy: "Spell the identifier as before, or give the container another one or a directory of its own."
        )
    }
}
