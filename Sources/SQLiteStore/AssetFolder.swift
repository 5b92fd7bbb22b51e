import CloudRecords
import Dispatch
import Foundation
import SQLStore
import Synchronization

/// The folder beside the database where the bytes of assets are, each content once, under its SHA-256.
final class AssetFolder: AssetKeeping {
    private static let chunkSize = 1 << 18

    private let url: URL
    /// What keeps the folder from being removed, for a temporary one: its assets hold it too.
    private let temporaryFolder: TemporaryFolder?
    // Copying takes as long as the file is large: not on a thread of the concurrency pool.
    private let queue = DispatchQueue(label: "CloudKitDao.SQLite.assets")

    init(url: URL, temporaryFolder: TemporaryFolder? = nil) {
        self.url = url
        self.temporaryFolder = temporaryFolder
    }

    func asset(contentName: String) -> CloudAsset {
        // A name that another tool wrote must not lead out of the folder: then the asset's file does not exist.
        let name = contentName.utf8.allSatisfy(Self.isHexadecimalDigit) ? contentName : "no-content"
        return CloudAsset(fileURL: url.appending(path: name), contentName: contentName, lease: temporaryFolder)
    }

    func keep(_ asset: CloudAsset, recordID: CloudRecordID, field: String) async throws -> KeptAsset {
        if let contentName = asset.contentName, asset == self.asset(contentName: contentName) {
            guard access(asset.fileURL.path, R_OK) == 0 else {
                throw AssetOwner(recordID: recordID, field: field).missing(asset.fileURL)
            }
            return KeptAsset(asset: asset, contentName: contentName, size: nil)
        }
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                queue.async { [self] in
                    continuation.resume(
                        with: Result {
                            try copy(asset.fileURL, cancellation, AssetOwner(recordID: recordID, field: field))
                        }
                    )
                }
            }
        } onCancel: {
            cancellation.set()
        }
    }

    private func copy(_ source: URL, _ cancellation: CancellationFlag, _ owner: AssetOwner) throws -> KeptAsset {
        let input = try openInput(source, owner)
        defer { _ = close(input) }
        try makeFolder(owner)
        let temporary = url.appending(path: ".\(UUID().uuidString).tmp")
        let output = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard output >= 0 else { throw owner.failure("its copy can't be made", errno) }
        var isKept = false
        defer {
            _ = close(output)
            if !isKept { _ = unlink(temporary.path) }
        }
        var hasher = SHA256Hasher()
        var size: Int64 = 0
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.chunkSize, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            if cancellation.isSet { throw CloudError.cancelled }
            let count = read(input, buffer.baseAddress, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw owner.unreadable(source, errno) }
            if count == 0 { break }
            let chunk = UnsafeRawBufferPointer(rebasing: buffer[..<count])
            hasher.update(chunk)
            try write(chunk, to: output, owner)
            size += Int64(count)
        }
        let contentName = hasher.hexadecimalDigest()
        let kept = asset(contentName: contentName)
        if access(kept.fileURL.path, R_OK) == 0 {
            return KeptAsset(asset: kept, contentName: contentName, size: size)
        }
        // The bytes, then the name: after a crash a file of this name is whole.
        guard fsync(output) == 0 else { throw owner.failure("its copy can't be written", errno) }
        guard rename(temporary.path, kept.fileURL.path) == 0 else {
            throw owner.failure("its copy can't be named", errno)
        }
        isKept = true
        try synchronize(owner)
        return KeptAsset(asset: kept, contentName: contentName, size: size)
    }

    private func openInput(_ source: URL, _ owner: AssetOwner) throws -> Int32 {
        guard source.isFileURL else {
            throw CloudError(
                .invalidArguments,
                "Field \(owner.field) of record \(owner.recordID) has an asset that is no file.",
                remedy: "Download it and make the asset of the file.",
                recordID: owner.recordID,
                field: owner.field
            )
        }
        // Without waiting: opening a pipe would last until somebody writes to it.
        let input = open(source.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard input >= 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? owner.missing(source) : owner.unreadable(source, errno)
        }
        var status = stat()
        guard fstat(input, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = close(input)
            throw owner.unreadable(source, EINVAL)
        }
        return input
    }

    private static func isHexadecimalDigit(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to output: Int32, _ owner: AssetOwner) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(output, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw owner.failure("its copy can't be written", errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func makeFolder(_ owner: AssetOwner) throws {
        if access(url.path, W_OK) == 0 { return }
        do {
            try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        } catch {
            throw owner.failure("the folder for assets can't be made", errno)
        }
    }

    private func synchronize(_ owner: AssetOwner) throws {
        let folder = open(url.path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw owner.failure("the folder for assets can't be opened", errno) }
        defer { _ = close(folder) }
        guard fsync(folder) == 0 else { throw owner.failure("the folder for assets can't be written", errno) }
    }
}

/// The field that an asset belongs to, for error messages.
private struct AssetOwner: Sendable {
    let recordID: CloudRecordID
    let field: String

    func missing(_ source: URL) -> CloudError {
        CloudError(
            .assetFileNotFound,
            "The file \(source.lastPathComponent) of field \(field) of record \(recordID) does not exist.",
            remedy: "Make the asset of a file that exists, and keep the file until the save is done.",
            recordID: recordID,
            field: field
        )
    }

    func unreadable(_ source: URL, _ code: Int32) -> CloudError {
        CloudError(
            .assetNotAvailable,
            """
            The file \(source.lastPathComponent) of field \(field) of record \(recordID) can't be read: \
            \(String(cString: strerror(code))).
            """,
            remedy: "Check that it is a file and may be read.",
            recordID: recordID,
            field: field
        )
    }

    func failure(_ what: String, _ code: Int32) -> CloudError {
        CloudError(
            code == ENOSPC || code == EDQUOT ? .quotaExceeded : .internalError,
            "The asset in field \(field) of record \(recordID) can't be kept: \(what) (\(String(cString: strerror(code)))).",
            remedy: "Check the space on the disk and the permissions of the store's folder.",
            recordID: recordID,
            field: field
        )
    }
}
