import CloudRecords
import Synchronization

/// Tells a batch's progress handler how far it has come.
final class ProgressReport: Sendable {
    private let handler: @Sendable (CloudProgress) -> Void
    private let progress: Mutex<CloudProgress>

    /// Nil if nobody wants to know.
    init?(_ modification: CloudModification, _ assets: any AssetKeeping) {
        guard let handler = modification.progressHandler else { return nil }
        self.handler = handler
        var bytes: Int64 = 0
        for record in modification.saving {
            record.fields.withValues { values in
                for case .value(let value) in values {
                    for asset in value.assets { bytes += assets.byteCount(of: asset) }
                }
            }
        }
        progress = Mutex(
            CloudProgress(
                totalRecordCount: modification.saving.count + modification.deleting.count,
                totalByteCount: bytes
            )
        )
    }

    func add(bytes: Int64) {
        handler(
            progress.withLock { progress in
                progress.completedByteCount += bytes
                // A file that grows while it is copied.
                progress.totalByteCount = max(progress.totalByteCount, progress.completedByteCount)
                return progress
            }
        )
    }

    func set(records: Int) {
        handler(
            progress.withLock { progress in
                progress.completedRecordCount = records
                return progress
            }
        )
    }
}
