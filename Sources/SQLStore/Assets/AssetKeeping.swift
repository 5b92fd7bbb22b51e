import CloudRecords
import Foundation

/// Where a store keeps the bytes of assets.
///
/// A ``CloudAsset`` that came from here holds its content as long as it exists: what is held is not removed, neither
/// by this process nor, as far as others share the keeping, by another one.
package protocol AssetKeeping: Sendable {
    /// Takes the content of a file into the store's keeping, durably, before a record refers to it.
    ///
    /// Equal content is kept once. An asset that the store made itself is returned as it is.
    /// - Parameter progress: Called with the number of bytes that were taken since the last call.
    /// - Throws: ``CloudError/Code/assetFileNotFound`` naming record and field, and the like.
    func keep(
        _ asset: CloudAsset,
        recordID: CloudRecordID,
        field: String,
        progress: @escaping @Sendable (Int64) -> Void
    ) async throws -> KeptAsset

    /// The number of bytes that ``keep(_:recordID:field:progress:)`` will have to take; 0 if it can't be known.
    func byteCount(of asset: CloudAsset) -> Int64

    /// The asset of this content name.
    func asset(contentName: String) -> CloudAsset

    /// Whether the content is there.
    func contains(_ contentName: String) -> Bool

    /// Says which content that no record uses may be removed now. Called inside a write transaction.
    ///
    /// - Parameters:
    ///   - garbage: Content with the sequence number since which nobody can find it any more.
    ///   - horizon: A sequence number: what runs in this process now has seen at least the state before it.
    func sorted(_ garbage: [Garbage], horizon: Int64) throws -> SortedGarbage

    /// Removes content. Called inside a write transaction.
    func remove(_ contentName: String) throws

    /// Whether no asset of this process holds anything.
    var holdsNothing: Bool { get }

    /// Tells the other processes how far this one has come: what runs here now has seen at least the state before
    /// this sequence number, and holds no garbage that is older.
    func acknowledge(_ sequence: Int64)

    /// The names of all whole content that is there and not held by an asset of this process.
    func contents() throws -> [String]

    /// Removes what a crash may have left besides, when ``contents()`` have been looked through.
    func removeLeftovers() throws

    /// Sets what tells the oldest state of the database that a read of this store still sees; nil if nobody reads.
    func observeReads(_ oldest: @escaping @Sendable () -> Int64?)

    /// Sets what is called, on any thread, when the last asset of some content in this process is gone.
    func onRelease(_ body: @escaping @Sendable (String) -> Void)
}

/// An asset in the store's keeping.
package struct KeptAsset: Sendable {
    package let asset: CloudAsset
    package let contentName: String
    /// The number of bytes; nil if the content was kept before.
    package let size: Int64?

    package init(asset: CloudAsset, contentName: String, size: Int64?) {
        self.asset = asset
        self.contentName = contentName
        self.size = size
    }
}

/// Content that no record uses.
package struct Garbage: Sendable, Hashable {
    package let contentName: String
    /// A transaction that has seen the state before this sequence number, and no later one, may find the content.
    package let since: Int64

    package init(contentName: String, since: Int64) {
        self.contentName = contentName
        self.since = since
    }
}

/// What may become of garbage.
package struct SortedGarbage: Sendable {
    /// Nobody holds it: it may be removed.
    package var removable: [String] = []
    /// An asset of this process holds it.
    package var held: [String] = []

    package init() {}
}
