import CloudRecords
import Foundation
import Synchronization

/// A store that has the folder of assets open, as the others see it: a file that is locked as long as it lives.
///
/// The system takes the lock away when the process ends, however it ends. The file holds the sequence number that the
/// client acknowledged: content that was garbage before is not held by it.
final class AssetClient: Sendable {
    private static let prefix = ".client-"

    /// The client's name, part of those of the files that it writes.
    let name = UUID().uuidString
    private let url: URL
    private let file: Int32
    private let acknowledged: Mutex<Int64>

    /// Enters a client that knows the database from this sequence number on.
    init(folder: URL, sequence: Int64) throws {
        url = folder.appending(path: Self.prefix + name)
        file = try Self.enter(url)
        // On a full disk the number can't be written: the others spare all content then.
        acknowledged = Mutex(Self.write(sequence, to: file) ? sequence : 0)
    }

    /// Makes a client's file and locks it.
    ///
    /// It has its name before it is locked, so that a crash between leaves nothing that is not found again. Whoever
    /// takes it for a dead one's meanwhile locks it for a moment and removes it; then there must be another one.
    private static func enter(_ url: URL) throws -> Int32 {
        while true {
            let file = open(url.path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw failure(errno) }
            var status = stat()
            guard flock(file, LOCK_EX) == 0, fstat(file, &status) == 0 else {
                let code = errno
                _ = close(file)
                if code == EINTR { continue }
                _ = unlink(url.path)
                throw failure(code)
            }
            if status.st_nlink > 0 { return file }
            _ = close(file)
        }
    }

    deinit {
        _ = unlink(url.path)
        _ = close(file)
    }

    /// Says how far this client has come. It never goes back.
    func acknowledge(_ sequence: Int64) {
        acknowledged.withLock { acknowledged in
            // What can't be written is not acknowledged: then others spare some garbage for longer.
            guard sequence > acknowledged, Self.write(sequence, to: file) else { return }
            acknowledged = sequence
        }
    }

    /// How far the others have come, the slowest of them; nil if there are no others.
    ///
    /// The files of those that ended without tidying up are removed.
    /// - Parameter names: Those of clients that need not be asked so.
    func slowestOther(besides names: Set<String> = []) throws -> Int64? {
        var slowest: Int64?
        for other in try Self.others(in: url.deletingLastPathComponent(), besides: url.lastPathComponent) {
            guard
                !names.contains(Self.name(of: other)),
                let sequence = Self.sequence(of: other)
            else { continue }
            slowest = min(slowest ?? .max, sequence)
        }
        return slowest
    }

    /// The names of all clients that live, this one included.
    func livingNames() throws -> [String] {
        _ = try slowestOther()
        return try Self.others(in: url.deletingLastPathComponent(), besides: "")
            .map(Self.name)
    }

    private static func name(of url: URL) -> String {
        String(url.lastPathComponent.dropFirst(prefix.count))
    }

    private static func others(in folder: URL, besides own: String) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix(prefix) && $0 != own }
            .map { folder.appending(path: $0) }
    }

    /// The number in a client's file; nil if the client is gone, whose file is removed.
    private static func sequence(of url: URL) -> Int64? {
        let file = open(url.path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { _ = close(file) }
        if flock(file, LOCK_EX | LOCK_NB) == 0 {
            var status = stat()
            // One that was removed already may have been followed by a living one of the same name.
            if fstat(file, &status) == 0, status.st_nlink > 0 { _ = unlink(url.path) }
            return nil
        }
        var sequence: Int64 = 0
        let count = pread(file, &sequence, MemoryLayout<Int64>.size, 0)
        // A number that can't be read stands for one that has seen nothing.
        return count == MemoryLayout<Int64>.size ? sequence : 0
    }

    private static func write(_ sequence: Int64, to file: Int32) -> Bool {
        var sequence = sequence
        return pwrite(file, &sequence, MemoryLayout<Int64>.size, 0) == MemoryLayout<Int64>.size
    }

    private static func failure(_ code: Int32) -> CloudError {
        CloudError(
            code == ENOSPC || code == EDQUOT ? .quotaExceeded : .internalError,
            "The store can't enter itself in its folder of assets: \(String(cString: strerror(code))).",
            remedy: "Check the space on the disk and the permissions of the folder."
        )
    }
}
