import CSQLite

/// Keeps the log of a database short; used by who uses the connection.
///
/// Pages go into the log first. SQLite by itself copies them into the file after each commit that finds the log long,
/// but begins the log anew only when nobody reads at that moment: with readers that take turns it would grow without
/// end. So when it is too long, a writer waits until all who read from it have finished, while new ones read from the
/// file. Other writers wait meanwhile. That is as long as the longest read takes, but not longer than some patience,
/// which grows with the log: a read without an end is not to stop all writing, and while it lasts the log has to grow.
final class WriteAheadLog {
    /// The pages from which on they are copied into the file: 16 MB of the usual 4 KB. A few seldom ones cost less than
    /// many: what was written several times meanwhile is copied once. More pages would have to be looked for in two
    /// tables of the log.
    private static let longPageCount = 4_000
    /// The pages from which on the log is begun anew: 32 MB of the usual 4 KB.
    private static let tooLongPageCount = 8_000
    /// The pages after which it is tried again, when reads were in the way: 4 MB.
    private static let retryPageCount = 1_000
    /// The longest time that a writer waits for reads, in milliseconds: at first, and after many attempts.
    private static let patience: (first: Int32, last: Int32) = (250, 4_000)

    private let handle: OpaquePointer
    private let busyTimeout: Int32
    /// The pages after the last commit that wrote any; 0 when they have been seen to.
    private var pageCount = 0
    private var nextRestart = tooLongPageCount
    private var patience = WriteAheadLog.patience.first

    /// - Parameters:
    ///   - handle: An open connection, which must be closed before this object goes away.
    ///   - busyTimeout: The connection's, in milliseconds.
    init(of handle: OpaquePointer, busyTimeout: Int32) {
        self.handle = handle
        self.busyTimeout = busyTimeout
        // This takes the place of SQLite's own hook. The pointer is good as long as the connection is open.
        let context = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_wal_hook(
            handle,
            { context, _, _, pageCount in
                guard let context else { return SQLITE_OK }
                Unmanaged<WriteAheadLog>.fromOpaque(context).takeUnretainedValue().pageCount = Int(pageCount)
                return SQLITE_OK
            },
            context
        )
    }

    /// Whether the log is to be shortened.
    var isLong: Bool { pageCount >= Self.longPageCount }

    /// Shortens the log if it is long, which takes time; outside of transactions only.
    ///
    /// What can't be done now, because of a read or of the disk, is done after a later commit.
    func shorten() {
        defer { pageCount = 0 }
        guard isLong else { return }
        guard pageCount >= nextRestart else {
            sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
            return
        }
        // Copied while the others write: what is left to copy while they wait is little.
        sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_PASSIVE, nil, nil)
        BusyWaiting.setTimeout(patience, of: handle)
        let code = sqlite3_wal_checkpoint_v2(handle, nil, SQLITE_CHECKPOINT_RESTART, nil, nil)
        BusyWaiting.setTimeout(busyTimeout, of: handle)
        if code == SQLITE_OK {
            (nextRestart, patience) = (Self.tooLongPageCount, Self.patience.first)
        } else {
            (nextRestart, patience) = (pageCount + Self.retryPageCount, min(patience * 2, Self.patience.last))
        }
    }
}
