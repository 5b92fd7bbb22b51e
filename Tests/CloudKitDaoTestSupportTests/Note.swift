import CloudKitDao

/// What these tests save.
final class Note: CloudDataObject {
    var text = ""
    var number = 0

    convenience init(_ recordName: String, number: Int = 0) {
        self.init()
        recordID = CloudRecordID(recordName)
        self.number = number
    }

    /// A record of this class that was never saved.
    static func record(_ name: String) -> CloudRecord {
        var record = CloudRecord(recordType: "Note", recordID: CloudRecordID(name))
        record["text"] = .string(name)
        return record
    }
}

/// An error that no store makes, so that it can only come from a fault.
let cutWire = CloudError(.networkFailure, "The wire is cut.", retryAfter: 2.5)
