import CloudRecords
import Foundation

/// Where a store keeps the bytes of assets.
package protocol AssetKeeping: Sendable {
    /// Takes the content of a file into the store's keeping, durably, before a record refers to it.
    ///
    /// Equal content is kept once. An asset that the store made itself is returned as it is.
    /// - Throws: ``CloudError/Code/assetFileNotFound`` naming record and field.
    func keep(_ asset: CloudAsset, recordID: CloudRecordID, field: String) async throws -> KeptAsset

    /// The asset of this content name.
    func asset(contentName: String) -> CloudAsset
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
