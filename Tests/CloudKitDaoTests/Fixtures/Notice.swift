import CloudKitDao
import Foundation

/// A class with an optional property of each kind of field.
final class Notice: CloudDataObject {
    enum Kind: String { case plain, urgent }

    final class Place: CloudEmbeddedObject {
        var street = ""
        var floor: Int?
    }

    var text: String?
    var number: Int?
    var real: Double?
    var flag: Bool?
    var date: Date?
    var bytes: Data?
    var list: [String]?
    var kind: Kind?
    var place: Place?
    var location: CloudLocation?
    var reference: CloudReference?
    var asset: CloudAsset?
    var json: [String: Int]?

    /// The names of the properties and their values, those of nil left out.
    var present: Set<String> {
        let all: [(String, Bool)] = [
            ("text", text != nil), ("number", number != nil), ("real", real != nil), ("flag", flag != nil),
            ("date", date != nil), ("bytes", bytes != nil), ("list", list != nil), ("kind", kind != nil),
            ("place", place != nil), ("location", location != nil), ("reference", reference != nil),
            ("asset", asset != nil), ("json", json != nil),
        ]
        return Set(all.filter(\.1).map(\.0))
    }

    func fill(asset file: URL) {
        text = "text"
        number = 1
        real = 1.5
        flag = true
        date = Date(timeIntervalSinceReferenceDate: 1)
        bytes = Data([1])
        list = ["one"]
        kind = .urgent
        place = Place()
        place?.street = "Ring"
        place?.floor = 3
        location = CloudLocation(latitude: 1, longitude: 2)
        reference = CloudReference(recordID: CloudRecordID("other"))
        asset = CloudAsset(fileURL: file)
        json = ["one": 1]
    }

    func clear() {
        text = nil
        number = nil
        real = nil
        flag = nil
        date = nil
        bytes = nil
        list = nil
        kind = nil
        place = nil
        location = nil
        reference = nil
        asset = nil
        json = nil
    }
}
