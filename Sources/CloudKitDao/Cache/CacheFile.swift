import CloudRecords
import Foundation

/// The cache file of one live collection, with the folder of its assets beside it.
///
/// The file is written whole, under another name first: what is read is the old or the new one, never a part. Its form
/// is described in ``CacheFormat``.
package struct CacheFile: Sendable {
    package let key: CacheKey
    /// Where the file is, be there one or not.
    package let url: URL
    private let assetFolder: URL

    /// Names the file of a key among all that are kept in a directory.
    package init(_ key: CacheKey, in directory: URL) {
        self.key = key
        let folder = [key.container, key.database, key.user].reduce(directory) { $0.appending(path: Self.name($1)) }
        url = folder.appending(path: Self.name(key.filter) + ".cache")
        assetFolder = folder.appending(path: Self.name(key.filter) + ".assets")
    }

    /// A file name that stands for a text, and for no other one, on every file system.
    private static func name(_ text: String) -> String {
        // Capitals are escaped too: there are file systems that take them for small letters.
        let legal = Set("abcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        let escaped = text.utf8.map { byte in
            legal.contains(byte) ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16)
        }
        let name = escaped.joined()
        guard name.utf8.count > 150 || name.isEmpty else { return name }
        // Too long for a name: the beginning, and what tells it from others that begin alike.
        let digest = String(Checksum.of(text), radix: 16) + "-" + String(Checksum.of(text, seed: 1), radix: 16)
        return escaped.prefix(30).joined() + "~" + digest
    }

    // MARK: Reading

    /// Reads the file.
    ///
    /// - Returns: What it holds; nil if there is none.
    /// - Throws: ``CacheProblem``. One that is no cache file of this key has been set aside then; one that can't be read
    ///   is left as it is.
    /// - Complexity: O(*n*) in the size of the file.
    package func read() throws(CacheProblem) -> CacheContent? {
        let data: Data
        do {
            var isDirectory: ObjCBool = false
            if FileManager.default.fileExists(atPath: url.path, isDirectory: &isDirectory), isDirectory.boolValue {
                throw CacheDecoder.Failure.damaged("it is a folder")
            }
            data = try Data(contentsOf: url, options: .mappedIfSafe)
        } catch let failure as CacheDecoder.Failure {
            throw setAside(because: failure)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile || error.code == .fileNoSuchFile {
            return nil
        } catch {
            throw CacheProblem(
                kind: .unreadable,
                error: CloudError(
                    .internalError,
                    "The cache file of \(key.filter.debugDescription) can't be read: \(error.localizedDescription)",
                    remedy: "Check the permissions of the cache folder; the file is left as it is."
                )
            )
        }
        do {
            return try data.withUnsafeBytes { bytes in
                try CacheDecoder.decode(bytes, key: key) { CloudAsset(fileURL: assetFolder.appending(path: $0)) }
            }
        } catch let failure as CacheDecoder.Failure {
            throw setAside(because: failure)
        } catch {
            throw setAside(because: .damaged("\(error)"))
        }
    }

    /// Moves the file out of the way, so that a good one can be written, and nothing is lost.
    private func setAside(because failure: CacheDecoder.Failure) -> CacheProblem {
        let aside = url.appendingPathExtension("damaged")
        try? FileManager.default.removeItem(at: aside)
        let isAside = rename(url.path, aside.path) == 0
        let outcome = isAside ? "it was set aside as \(aside.lastPathComponent)" : "it can't be set aside either"
        let remedy = "Nothing has to be done: the collection is read from the store."
        let subject = "The cache file of \(key.filter.debugDescription)"
        let error =
            switch failure {
            case .damaged(let reason):
                CloudError(.internalError, "\(subject) is damaged: \(reason); \(outcome).", remedy: remedy)
            case .newer(let version):
                CloudError(
                    .incompatibleVersion,
                    "\(subject) has version \(version) of the form, and this framework knows \(CacheFormat.version); "
                        + "\(outcome).",
                    remedy: remedy
                )
            }
        return CacheProblem(kind: isAside ? .setAside : .unreadable, error: error)
    }

    // MARK: Writing

    /// Writes the file in the place of the one before.
    ///
    /// - Throws: ``CloudError`` if it can't be written; the one before is then as it was.
    package func write(_ content: CacheContent) throws {
        do {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let assets = CacheAssets(folder: assetFolder)
            let bytes = CacheEncoder.encode(content, key: key) { assets.keep($0) }
            let temporary = url.appendingPathExtension("\(ProcessInfo.processInfo.processIdentifier).new")
            do {
                try Data(bytes).write(to: temporary)
                let handle = try FileHandle(forWritingTo: temporary)
                try handle.synchronize()
                try handle.close()
                guard rename(temporary.path, url.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            } catch {
                try? FileManager.default.removeItem(at: temporary)
                throw error
            }
            try assets.removeOthers()
        } catch {
            throw CloudError(
                .internalError,
                "The cache file of \(key.filter.debugDescription) can't be written: \(error.localizedDescription)",
                remedy: "Check space and permissions of the cache folder; the file before it is as it was."
            )
        }
    }

    /// Removes the file with its assets; one that does not exist is not an error.
    package func remove() throws {
        for item in [url, assetFolder] where FileManager.default.fileExists(atPath: item.path) {
            do {
                try FileManager.default.removeItem(at: item)
            } catch {
                throw CloudError(
                    .internalError,
                    "The cache file of \(key.filter.debugDescription) can't be removed: \(error.localizedDescription)",
                    remedy: "Check the permissions of the cache folder."
                )
            }
        }
    }
}

/// Why a cache file was of no use.
package struct CacheProblem: Error {
    package enum Kind: Sendable {
        /// The file was no cache file of its key, and is out of the way.
        case setAside
        /// The file may be good, but can't be read: it must not be overwritten.
        case unreadable
    }

    package let kind: Kind
    package let error: CloudError
}

/// The files of assets beside a cache file, each under a name that stands for its content.
private final class CacheAssets {
    private let folder: URL
    private var kept: Set<String> = []

    init(folder: URL) {
        self.folder = folder
    }

    /// Takes a file into the folder; returns nil if that can't be done.
    func keep(_ asset: CloudAsset) -> String? {
        let source = asset.fileURL
        if source.deletingLastPathComponent().standardizedFileURL == folder.standardizedFileURL {
            guard FileManager.default.fileExists(atPath: source.path) else { return nil }
            kept.insert(source.lastPathComponent)
            return source.lastPathComponent
        }
        let name = asset.contentName ?? String(Checksum.of(source.path), radix: 16)
        let target = folder.appending(path: name)
        if !kept.contains(name), !(asset.contentName != nil && FileManager.default.fileExists(atPath: target.path)) {
            do {
                try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                if FileManager.default.fileExists(atPath: target.path) {
                    try FileManager.default.removeItem(at: target)
                }
                do {
                    // A second name for the store's copy, which nobody changes, costs no space.
                    guard asset.contentName != nil else { throw CocoaError(.fileWriteUnknown) }
                    try FileManager.default.linkItem(at: source, to: target)
                } catch {
                    try FileManager.default.copyItem(at: source, to: target)
                }
            } catch {
                CloudLog.log(.warning, "The file of an asset can't be kept in the cache: \(error.localizedDescription)")
                return nil
            }
        }
        kept.insert(name)
        return name
    }

    /// Removes the files that no record refers to.
    func removeOthers() throws {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path) else { return }
        for name in names where !kept.contains(name) {
            try FileManager.default.removeItem(at: folder.appending(path: name))
        }
        if kept.isEmpty { try FileManager.default.removeItem(at: folder) }
    }
}
