import Synchronization

/// A running request of a ``CloudDao``, by which it can be cancelled.
///
/// You need not keep it: a request runs on without.
public final class CloudOperation: Sendable {
    private let task: Task<Void, Never>

    init(_ task: Task<Void, Never>) {
        self.task = task
    }

    /// Cancels the whole request, later pages of a query included.
    ///
    /// The error handler is called with ``CloudError/Code/operationCancelled``, unless the request is over already or
    /// a save has taken effect: then its completion handler is called. If a large batch is cancelled between two of its
    /// requests, the error is ``CloudError/Code/partialFailure`` with this code for each record that was not sent. After
    /// a query's cancellation its completion handler is not called again.
    public func cancel() {
        task.cancel()
    }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { task.isCancelled }
}
