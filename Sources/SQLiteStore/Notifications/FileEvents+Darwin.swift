#if canImport(Darwin)
import CloudRecords
import Dispatch
import Foundation

/// The writes to one file, as long as it is referred to.
///
/// Unchecked because Dispatch does not say that its sources are sendable; they may be cancelled from any thread, which is
/// all that is done with this one after `init`.
final class FileEvents: @unchecked Sendable {
    private let source: any DispatchSourceFileSystemObject

    init(path: String, queue: DispatchQueue, _ signal: Signal) throws {
        let file = open(path, O_EVTONLY | O_CLOEXEC)
        guard file >= 0 else { throw CloudError.unwatchable(errno) }
        source = DispatchSource.makeFileSystemObjectSource(
            fileDescriptor: file,
            eventMask: [.write, .extend],
            queue: queue
        )
        source.setEventHandler { signal.tell() }
        source.setCancelHandler { _ = close(file) }
        source.resume()
    }

    deinit { source.cancel() }
}
#endif
