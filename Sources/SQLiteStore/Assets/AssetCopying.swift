import CloudRecords
import Foundation
import SQLStore

/// Takes the content of one file into the folder of assets.
struct AssetCopying {
    private static let chunkSize = 1 << 18

    let folder: AssetFolder
    let owner: AssetOwner
    let cancellation: CancellationFlag
    let progress: @Sendable (Int64) -> Void

    /// Copies a file, unless its content is kept already.
    func copy(_ source: URL) throws -> KeptAsset {
        let input = try openInput(source)
        defer { _ = close(input) }
        try makeFolder()
        let before = try status(of: input, source)
        let temporary = folder.temporaryFileURL
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
            try write(chunk, to: output)
            size += Int64(count)
            progress(Int64(count))
        }
        let contentName = hasher.hexadecimalDigest()
        // A file that was changed meanwhile is a mixture of what it was and what it is.
        guard try status(of: input, source) == before else { throw owner.changed(source) }
        let kept = folder.asset(contentName: contentName)
        if folder.contains(contentName) {
            return KeptAsset(asset: kept, contentName: contentName, size: size)
        }
        // The bytes, then the name: after a crash a file of this name is whole.
        guard fsync(output) == 0 else { throw owner.failure("its copy can't be written", errno) }
        guard rename(temporary.path, kept.fileURL.path) == 0 else {
            throw owner.failure("its copy can't be named", errno)
        }
        isKept = true
        try synchronize()
        return KeptAsset(asset: kept, contentName: contentName, size: size)
    }

    private func openInput(_ source: URL) throws -> Int32 {
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

    private func status(of file: Int32, _ source: URL) throws -> FileVersion {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw owner.unreadable(source, errno) }
        return FileVersion(status)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to output: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = Foundation.write(output, piece.baseAddress, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw owner.failure("its copy can't be written", errno) }
            rest = rest.dropFirst(count)
        }
    }

    private func makeFolder() throws {
        if access(folder.url.path, W_OK) == 0 { return }
        do {
            try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
        } catch {
            throw owner.failure("the folder for assets can't be made", errno)
        }
    }

    private func synchronize() throws {
        let directory = open(folder.url.path, O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { throw owner.failure("the folder for assets can't be opened", errno) }
        defer { _ = close(directory) }
        guard fsync(directory) == 0 else { throw owner.failure("the folder for assets can't be written", errno) }
    }
}

/// What tells one version of a file from another.
private struct FileVersion: Equatable {
    private let size: Int64
    private let seconds: Int
    private let nanoseconds: Int

    init(_ status: stat) {
        size = Int64(status.st_size)
        #if canImport(Darwin)
        (seconds, nanoseconds) = (status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec)
        #else
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        #endif
    }
}
