import Foundation

/// A file that belongs to a record's field and is kept outside the record.
///
/// To save a file, make an asset of its URL and put it into a property. The store copies the bytes while it saves,
/// so the original may be changed or removed afterwards. After the save, and in fetched objects, ``fileURL`` points
/// at the store's own copy: read it, don't change it. The copy stays readable as long as the asset is held.
///
/// Two assets are equal when their URLs are. A store keeps equal content once, so within one store
/// equal bytes have equal URLs.
public struct CloudAsset: Sendable, Hashable, CustomStringConvertible {
    /// Where the asset's bytes are.
    public let fileURL: URL

    /// The store's name for the content, when the asset came from a store.
    package let contentName: String?

    /// Keeps the store's copy of the file alive.
    private let lease: (any AnyObject & Sendable)?

    /// Makes an asset of a file that is to be saved.
    ///
    /// The file is looked at when the record is saved: if it is missing then, the save fails
    /// with ``CloudError/Code/assetFileNotFound``.
    public init(fileURL: URL) {
        self.fileURL = fileURL
        contentName = nil
        lease = nil
    }

    /// Makes an asset whose bytes a store holds.
    package init(fileURL: URL, contentName: String, lease: (any AnyObject & Sendable)? = nil) {
        self.fileURL = fileURL
        self.contentName = contentName
        self.lease = lease
    }

    /// Reads the asset's bytes.
    ///
    /// - Throws: ``CloudError`` with code ``CloudError/Code/assetFileNotFound`` if the file is missing,
    ///   and ``CloudError/Code/assetNotAvailable`` if it can't be read.
    /// - Complexity: O(*n*) in time and memory, *n* being the size of the file.
    public func data() throws -> Data {
        do {
            return try Data(contentsOf: fileURL)
        } catch {
            let isMissing = !FileManager.default.fileExists(atPath: fileURL.path)
            throw CloudError(
                isMissing ? .assetFileNotFound : .assetNotAvailable,
                "The asset's file \(fileURL.lastPathComponent) can't be read: \(error.localizedDescription)",
                remedy: isMissing ? "Fetch the record again." : "Check the file's permissions."
            )
        }
    }

    public var description: String { "asset \(fileURL.lastPathComponent)" }

    public static func == (left: CloudAsset, right: CloudAsset) -> Bool {
        left.fileURL.standardizedFileURL == right.fileURL.standardizedFileURL
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(fileURL.standardizedFileURL)
    }
}

extension CloudAsset: Codable {
    private enum CodingKeys: String, CodingKey {
        case fileURL
    }

    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(fileURL: try container.decode(URL.self, forKey: .fileURL))
    }

    /// In an encoder's user info: what is encoded becomes the text of one field.
    package static let fieldTextKey = CodingUserInfoKey(rawValue: "CloudAsset.fieldText")

    public func encode(to encoder: any Encoder) throws {
        if let key = Self.fieldTextKey, encoder.userInfo[key] != nil {
            // The store copies the files of asset fields only: text with a path in it would outlive the file.
            throw CloudError(
                .invalidArguments,
                "an asset inside a Codable value can't be kept",
                remedy: "Make the asset a property of its own, or an element of an array property."
            )
        }
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(fileURL, forKey: .fileURL)
    }
}
