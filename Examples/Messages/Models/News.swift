import CloudKitDao
import Foundation

/// A news item that all users see.
final class News: CloudDataObject {
    var subject = ""
    var body = ""
    var actionURL: URL?
}
