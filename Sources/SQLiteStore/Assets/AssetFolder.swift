import CloudRecords
import Dispatch
import Foundation
import SQLStore
import Synchronization

/// The folder beside the database where the bytes of assets are, each content once, under its SHA-256.
final class AssetFolder: AssetKeeping {
    let url: URL
    let holds = AssetHolds()
    /// How other processes see this store; nil for a temporary one, which has no others.
    let client: AssetClient?
    /// What keeps the folder from being removed, for a temporary one: its assets hold it too.
    private let temporaryFolder: TemporaryFolder?
    /// Tells which state of the database this store's oldest read sees.
    let readObserver = Mutex<@Sendable () -> Int64?>({ nil })
    // Copying takes as long as the file is large: not on a thread of the concurrency pool.
    private let queue = DispatchQueue(label: "CloudKitDao.SQLite.assets", attributes: .concurrent)

    /// Opens the folder, which is made if it does not exist.
    ///
    /// - Parameter sequence: A sequence number of the database that was read just now.
    init(url: URL, sequence: Int64, temporaryFolder: TemporaryFolder? = nil) throws {
        self.url = url
        self.temporaryFolder = temporaryFolder
        if temporaryFolder != nil {
            client = nil
            return
        }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw CloudError(
                .internalError,
                "The folder of assets \(url.lastPathComponent) can't be opened: \(error.localizedDescription)",
                remedy: "Check the permissions of the database's folder."
            )
        }
        client = try AssetClient(folder: url, sequence: sequence)
        Self.open.withLock { $0[url.path, default: []].append(WeakFolder(folder: self)) }
    }

    deinit {
        Self.open.withLock { open in
            open[url.path]?.removeAll { $0.folder == nil }
            if open[url.path]?.isEmpty == true { open[url.path] = nil }
        }
    }

    private struct WeakFolder: Sendable {
        weak var folder: AssetFolder?
    }

    /// The folders that stores of this process have open, by path.
    private static let open = Mutex<[String: [WeakFolder]]>([:])

    /// The other stores of this process that have the same folder open.
    func openFolders() -> [AssetFolder] {
        Self.open.withLock { $0[url.path] ?? [] }.compactMap(\.folder).filter { $0 !== self }
    }

    /// The oldest state of the database that a read of this store still sees; nil if nobody reads.
    func oldestRead() -> Int64? {
        readObserver.withLock { $0 }()
    }

    func asset(contentName: String) -> CloudAsset {
        // A name that another tool wrote must not lead out of the folder: then the asset's file does not exist.
        let name = Self.isContentName(contentName) ? contentName : "no-content"
        return CloudAsset(
            fileURL: fileURL(name),
            contentName: contentName,
            lease: AssetHold(contentName, in: holds, client: client, temporaryFolder: temporaryFolder)
        )
    }

    func contains(_ contentName: String) -> Bool {
        Self.isContentName(contentName) && access(fileURL(contentName).path, R_OK) == 0
    }

    func byteCount(of asset: CloudAsset) -> Int64 {
        if let contentName = asset.contentName, isOwn(asset, contentName) { return 0 }
        var status = stat()
        guard asset.fileURL.isFileURL, stat(asset.fileURL.path, &status) == 0 else { return 0 }
        return Int64(status.st_size)
    }

    func keep(
        _ asset: CloudAsset,
        recordID: CloudRecordID,
        field: String,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> KeptAsset {
        let owner = AssetOwner(recordID: recordID, field: field)
        if let contentName = asset.contentName, isOwn(asset, contentName) {
            guard contains(contentName) else { throw owner.missing(asset.fileURL) }
            return KeptAsset(asset: asset, contentName: contentName, size: nil)
        }
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    let copying = AssetCopying(
                        folder: self,
                        owner: owner,
                        cancellation: cancellation,
                        progress: progress
                    )
                    continuation.resume(with: Result { try copying.copy(asset.fileURL) })
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    private func isOwn(_ asset: CloudAsset, _ contentName: String) -> Bool {
        asset.fileURL.standardizedFileURL == fileURL(contentName).standardizedFileURL
    }

    func fileURL(_ name: String) -> URL { url.appending(path: name) }

    static func isContentName(_ name: String) -> Bool {
        name.utf8.count == 64
            && name.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
