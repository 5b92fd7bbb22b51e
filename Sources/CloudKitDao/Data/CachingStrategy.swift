/// When a connection of ``CloudData`` writes its cache file.
public enum CachingStrategy: Sendable, Hashable {
    /// Never; a file of an earlier run is neither read nor touched.
    case none
    /// After everything was read, and as soon as anything has changed. Changes that come while the file is being written
    /// are written together afterwards.
    case direct
    /// After everything was read, and so many minutes after the first change since then.
    case every(minute: Int)
}

/// How far a connection of ``CloudData`` is when it calls its completion handler.
public enum CompletionStatus: Int, Sendable, Hashable, CaseIterable {
    /// The results are those of the cache file.
    case fromCache = 0
    /// There was no cache; the store is about to be asked.
    case retrieving = 1
    /// The store has given some results and has more.
    case partialResult = 2
    /// These are all results.
    case finalResult = 3
}

/// What a connection of ``CloudData`` posts to the notification center.
public enum DataChangeNotificationType: String, Sendable, Hashable, CaseIterable {
    case completed, inserted, updated, dataChanged, deleted, error
}
