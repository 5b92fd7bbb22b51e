#if !canImport(Darwin)
import CloudRecords
import Dispatch
import Foundation
import Synchronization

/// The writes to one file, as long as it is referred to.
final class FileEvents: Sendable {
    private let watches: Inotify
    private let key: Inotify.Key

    init(path: String, queue: DispatchQueue, _ signal: Signal) throws {
        watches = try Inotify.shared.get()
        key = try watches.add(path, Inotify.Listener(queue: queue, signal: signal))
    }

    deinit { watches.remove(key) }
}

/// The system's watches of files. One of these serves the whole process: the system has few of them for each user.
final class Inotify: Sendable {
    struct Listener {
        let queue: DispatchQueue
        let signal: Signal
    }

    /// A listener of a watch: two who watch one file share the watch.
    struct Key: Hashable {
        let watch: Int32
        let number: Int
    }

    private struct State {
        var listeners: [Int32: [Int: Listener]] = [:]
        var nextNumber = 0
    }

    static let shared = Result { try Inotify() }

    private let file: Int32
    private let state = Mutex(State())

    private init() throws {
        file = inotify_init1(Int32(IN_CLOEXEC))
        guard file >= 0 else { throw CloudError.unwatchable(errno) }
        // Reading blocks, so it has a thread of its own, which lives as long as the process.
        Thread.detachNewThread { [self] in
            while let watches = nextEvents() { tell(watches) }
        }
    }

    func add(_ path: String, _ listener: Listener) throws -> Key {
        try state.withLock { state in
            // With the lock: another one must not end the same watch meanwhile.
            let watch = inotify_add_watch(file, path, UInt32(IN_MODIFY))
            guard watch >= 0 else { throw CloudError.unwatchable(errno) }
            state.nextNumber += 1
            state.listeners[watch, default: [:]][state.nextNumber] = listener
            return Key(watch: watch, number: state.nextNumber)
        }
    }

    func remove(_ key: Key) {
        state.withLock { state in
            state.listeners[key.watch]?[key.number] = nil
            guard state.listeners[key.watch]?.isEmpty == true else { return }
            state.listeners[key.watch] = nil
            _ = inotify_rm_watch(file, key.watch)
        }
    }

    /// Waits for events and returns whose they are; nil when there can't be any more.
    private func nextEvents() -> Set<Int32>? {
        withUnsafeTemporaryAllocation(byteCount: 4_096, alignment: MemoryLayout<inotify_event>.alignment) { buffer in
            let count = read(file, buffer.baseAddress, buffer.count)
            guard count > 0 else { return count < 0 && errno == EINTR ? [] : nil }
            var watches: Set<Int32> = []
            var offset = 0
            // The system writes whole events, each with a length of what follows it.
            while offset + MemoryLayout<inotify_event>.size <= count {
                let event = buffer.load(fromByteOffset: offset, as: inotify_event.self)
                watches.insert(event.wd)
                offset += MemoryLayout<inotify_event>.size + Int(event.len)
            }
            return watches
        }
    }

    private func tell(_ watches: Set<Int32>) {
        let listeners = state.withLock { state in
            // Of events that were too many for the system it only says so, with the number -1.
            let told = watches.contains(-1) ? Set(state.listeners.keys) : watches
            return told.flatMap { state.listeners[$0]?.values.map { $0 } ?? [] }
        }
        for listener in listeners { listener.queue.async { listener.signal.tell() } }
    }
}
#endif
