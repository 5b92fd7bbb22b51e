import CSQLite
import Foundation

/// How a connection waits for a lock that another one has.
///
/// SQLite's own way looks less and less often, up to ten times a second: where others write large batches without a
/// pause, who has waited for long would nearly always look while the file is locked, and could wait for ever. Looking
/// often and evenly gives each who waits the same chance at the moment between two batches.
enum BusyWaiting {
    /// In milliseconds.
    private static let interval = 2

    /// Sets how long to wait before giving up, in milliseconds.
    static func setTimeout(_ timeout: Int32, of handle: OpaquePointer) {
        // A C function has no context but this pointer, which stands for the number of attempts and points nowhere.
        let attempts = UnsafeMutableRawPointer(bitPattern: max(1, Int(timeout) / interval))
        sqlite3_busy_handler(
            handle,
            { attempts, count in
                guard Int(count) < Int(bitPattern: attempts) else { return 0 }
                usleep(UInt32(BusyWaiting.interval) * 1_000)
                return 1
            },
            attempts
        )
    }

    /// Lets what is locked fail at once.
    static func turnOff(of handle: OpaquePointer) {
        sqlite3_busy_handler(handle, nil, nil)
    }
}
