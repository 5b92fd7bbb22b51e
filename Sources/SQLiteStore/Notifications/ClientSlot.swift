import CloudRecords
import Foundation
import SQLStore
import Synchronization

/// The name of a store among the clients of a file, for stores that were given none.
///
/// It is the name of the program with a number: the first one that no living store of the same user has. So an app that
/// is started again is the same client as before, and two stores at once are two. The number is held by the lock of a
/// file, which the system takes away when the process ends, however it ends. It is chosen when it is first needed.
final class ClientSlot: Sendable {
    private let folder: URL
    private let program: String
    private let userRecordID: CloudRecordID
    private let held = Mutex<Held?>(nil)

    /// A locked file; closing it gives the lock back.
    private final class Held: Sendable {
        let number: Int
        private let file: Int32

        init(number: Int, file: Int32) {
            self.number = number
            self.file = file
        }

        deinit { _ = close(file) }
    }

    /// - Parameter path: The path of the database.
    init(path: String, program: String, userRecordID: CloudRecordID) {
        folder = URL(filePath: path + "-clients", directoryHint: .isDirectory)
        self.program = program
        self.userRecordID = userRecordID
    }

    /// The client's name, the same for as long as this object lives.
    func name() throws -> String {
        let number = try held.withLock { held in
            if let held { return held.number }
            let first = try firstFree()
            held = first
            return first.number
        }
        return "\(program) \(number)"
    }

    private func firstFree() throws -> Held {
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw Self.failure(error.localizedDescription)
        }
        // Any characters may be in these names, but not in that of a file.
        var hasher = SHA256Hasher()
        Array("\(program)\u{1F}\(ReferenceText.encode(userRecordID))".utf8).withUnsafeBytes { hasher.update($0) }
        let digest = hasher.hexadecimalDigest()
        var number = 1
        while true {
            let file = open(folder.appending(path: "\(digest)-\(number)").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Self.failure(String(cString: strerror(errno))) }
            if flock(file, LOCK_EX | LOCK_NB) == 0 { return Held(number: number, file: file) }
            let code = errno
            _ = close(file)
            switch code {
            case EINTR: continue
            case EWOULDBLOCK: number += 1
            default: throw Self.failure(String(cString: strerror(code)))
            }
        }
    }

    private static func failure(_ reason: String) -> CloudError {
        CloudError(
            .internalError,
            "The store can't enter itself among the clients of its database: \(reason).",
            remedy:
                "Check the space on the disk and the permissions of the folder, or name the client when you open it."
        )
    }
}
