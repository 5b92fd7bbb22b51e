import CloudKitDao
import Foundation

/// An object as an app would have it.
final class Message: CloudDataObject {
    enum Kind: String { case text, picture, location }
    var from = ""
    var to: CloudReference?
    var text = ""
    var kind = Kind.text
    var likes: Int?
    var tags: [String] = []
    var picture: CloudAsset?
    var place: CloudLocation?
    var score = 0.0
    var serial: UInt64 = 0

    convenience init(_ recordName: String, from: String = "", text: String = "", likes: Int? = nil) {
        self.init()
        recordID = CloudRecordID(recordName)
        self.from = from
        self.text = text
        self.likes = likes
    }

    /// Messages m001, m002 … with their numbers as likes.
    static func numbered(_ numbers: ClosedRange<Int>) -> [Message] {
        numbers.map { number in
            Message("m\(number < 10 ? "00" : number < 100 ? "0" : "")\(number)", likes: number)
        }
    }
}

/// An older version of the app's message, on the same records.
final class BriefMessage: CloudDataObject {
    override class var recordType: String { "Message" }
    var text = ""
}

/// A class that can't be mapped.
final class Unmappable: CloudDataObject {
    var closure: () -> Void = {}
}
