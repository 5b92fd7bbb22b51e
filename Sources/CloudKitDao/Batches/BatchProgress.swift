import Foundation
import Synchronization

/// The progress of a batch that is sent in several requests, put together from theirs.
///
/// It never goes back: what would, because something is sent again or an asset is larger than it was, is not passed on.
final class BatchProgress: Sendable {
    private struct State: Sendable {
        /// The records that had their results before the present round.
        var answeredCount = 0
        /// The records and bytes of the requests that are over.
        var finishedRecordCount = 0
        var finishedByteCount: Int64 = 0
        /// The bytes of what is not being sent yet, as far as can be told beforehand.
        var waitingByteCount: Int64
        /// What the store said last of the request that is under way.
        var current = CloudProgress(totalRecordCount: 0)
        var last: CloudProgress?
    }

    private let totalRecordCount: Int
    private let handler: @Sendable (CloudProgress) -> Void
    private let state: Mutex<State>

    init(of batch: CloudModification, handler: @escaping @Sendable (CloudProgress) -> Void) {
        totalRecordCount = batch.saving.count + batch.deleting.count
        self.handler = handler
        state = Mutex(State(waitingByteCount: batch.byteCount))
    }

    /// A round of requests begins; so many records of the batch have their results already.
    func beginRound(answeredCount: Int) {
        state.withLock { state in
            state.answeredCount = answeredCount
            state.finishedRecordCount = answeredCount
        }
    }

    /// The request, with this object as the one who is told of its progress.
    func begin(_ request: CloudModification) -> CloudModification {
        state.withLock { state in
            let byteCount = request.byteCount
            state.waitingByteCount = max(0, state.waitingByteCount - byteCount)
            state.current = CloudProgress(
                totalRecordCount: request.saving.count + request.deleting.count,
                totalByteCount: byteCount
            )
        }
        var request = request
        request.progressHandler = { self.update($0) }
        return request
    }

    private func update(_ progress: CloudProgress) {
        report { $0.current = progress }
    }

    /// The request got its answer; so many records of the round have their result now.
    func end(answeredCount: Int) {
        report { state in
            state.finishedRecordCount = state.answeredCount + answeredCount
            state.finishedByteCount += max(state.current.completedByteCount, state.current.totalByteCount)
            state.current = CloudProgress(totalRecordCount: 0)
        }
    }

    /// The request has to be sent again.
    func undo() {
        state.withLock { state in
            state.waitingByteCount += state.current.totalByteCount
            state.current = CloudProgress(totalRecordCount: 0)
        }
    }

    /// Everything is over: the last report is of the whole.
    func finish() {
        report { state in
            state.finishedRecordCount = totalRecordCount
            state.waitingByteCount = 0
        }
    }

    private func report(_ change: (inout State) -> Void) {
        let progress = state.withLock { state -> CloudProgress? in
            change(&state)
            let progress = CloudProgress(
                completedRecordCount: min(
                    totalRecordCount,
                    state.finishedRecordCount + state.current.completedRecordCount
                ),
                totalRecordCount: totalRecordCount,
                completedByteCount: state.finishedByteCount + state.current.completedByteCount,
                totalByteCount: state.finishedByteCount + state.current.totalByteCount + state.waitingByteCount
            )
            guard progress.isAhead(of: state.last) else { return nil }
            state.last = progress
            return progress
        }
        if let progress { handler(progress) }
    }
}

extension CloudProgress {
    fileprivate func isAhead(of last: CloudProgress?) -> Bool {
        guard let last else { return true }
        return self != last
            && completedRecordCount >= last.completedRecordCount
            && completedByteCount >= last.completedByteCount
            && fractionCompleted >= last.fractionCompleted
    }
}

extension CloudModification {
    /// The bytes of the assets that no store holds yet. What can't be read counts nothing: the store will say why.
    fileprivate var byteCount: Int64 {
        saving.reduce(0) { sum, record in
            record.fields.withValues { values in
                values.reduce(sum) { sum, state in
                    switch state {
                    case .value(.asset(let asset)):
                        sum + asset.newByteCount
                    case .value(.list(let elements)):
                        elements.reduce(sum) { $0 + ($1.assetValue?.newByteCount ?? 0) }
                    default:
                        sum
                    }
                }
            }
        }
    }
}

extension CloudAsset {
    fileprivate var newByteCount: Int64 {
        guard contentName == nil else { return 0 }
        let attributes = try? FileManager.default.attributesOfItem(atPath: fileURL.path)
        return (attributes?[.size] as? NSNumber)?.int64Value ?? 0
    }
}
