import Synchronization

/// Where the framework tells what it does; silent until a handler is set.
///
/// ```swift
/// CloudLog.setHandler { entry in print("\(entry.level): \(entry.message)") }
/// ```
///
/// Messages never hold field values, file paths or secrets beyond what a ``CloudError`` says.
public enum CloudLog {
    /// How important an entry is.
    public enum Level: Int, Sendable, Hashable, Comparable, CaseIterable {
        case debug, info, warning, error

        public static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    /// One thing that happened.
    public struct Entry: Sendable {
        /// How important it is.
        public let level: Level
        /// What happened, in one sentence.
        public let message: String
        /// The error that it is about, if it is about one.
        public let error: CloudError?
    }

    /// Receives entries, on any thread.
    public typealias Handler = @Sendable (Entry) -> Void

    private struct Sink: Sendable {
        let minimumLevel: Level
        let handler: Handler
    }

    private static let sink = Mutex<Sink?>(nil)

    /// Sets the handler for all entries from a level on; nil makes the framework silent again.
    public static func setHandler(minimumLevel: Level = .info, _ handler: Handler?) {
        sink.withLock { $0 = handler.map { Sink(minimumLevel: minimumLevel, handler: $0) } }
    }

    /// Passes an entry on if a handler wants its level; the message is made only then.
    static func log(_ level: Level, _ message: @autoclosure () -> String, error: CloudError? = nil) {
        guard let sink = sink.withLock({ $0 }), level >= sink.minimumLevel else { return }
        sink.handler(Entry(level: level, message: message(), error: error))
    }
}
