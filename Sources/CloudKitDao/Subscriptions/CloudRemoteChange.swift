/// What somebody else has changed, as a subscription reports it.
public enum CloudRemoteChange {
    /// A record was made that the subscription asks for, or became one; with the object as it is now.
    case inserted(CloudDataObject)
    /// A record that the subscription asks for was changed; with the object as it is now.
    case updated(CloudDataObject)
    /// A record was deleted, or is none that the subscription asks for any more.
    case deleted(CloudRecordID)

    /// The record that was changed.
    public var recordID: CloudRecordID {
        switch self {
        case .inserted(let object), .updated(let object): object.recordID
        case .deleted(let recordID): recordID
        }
    }
}
