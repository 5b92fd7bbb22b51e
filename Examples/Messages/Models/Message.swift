import CloudKitDao
import Foundation

/// A message from one user to another.
///
/// This is all there is to do: no initialiser, no mapping, no registration. Each stored `var` becomes a field.
final class Message: CloudDataObject {
    /// Enums with raw values are stored as these, without any conformance.
    enum Kind: String, CaseIterable {
        case text, picture, location
    }

    // References are the IDs of other records.
    var from: CloudReference?
    var to: CloudReference?

    var sentAt = Date(timeIntervalSince1970: 0)
    var kind = Kind.text
    var text = ""
    var tags: [String] = []

    // An optional that is nil is stored as "no value", which is not the same as zero.
    var likes: Int?

    /// The `Asset` that a picture message shows.
    var asset: CloudReference?
    /// Where the sender of a location message was.
    var place: CloudLocation?
}
