import Foundation

/// A file that is locked until many processes may go on at the same moment.
package final class Gate: Sendable {
    private let file: Int32

    /// Makes the file and locks it.
    package init(_ path: String) throws {
        file = Foundation.open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0, flock(file, LOCK_EX) == 0 else { throw Surprise("the gate can't be closed") }
    }

    deinit {
        _ = close(file)
    }

    /// Lets all go on that wait.
    package func open() throws {
        guard flock(file, LOCK_UN) == 0 else { throw Surprise("the gate can't be opened") }
    }

    /// Says that this process is ready, and waits until it may go on.
    static func wait(_ path: String) throws {
        let file = Foundation.open(path, O_RDONLY | O_CLOEXEC)
        defer { _ = close(file) }
        Report.line("ready")
        guard file >= 0, flock(file, LOCK_SH) == 0 else { throw Surprise("the gate can't be waited for") }
    }
}
