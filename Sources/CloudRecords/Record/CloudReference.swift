/// A link from one record to another, kept as the target's ID.
///
/// The target need not exist when the reference is saved, nor need it be of a certain type.
public struct CloudReference: Sendable, Hashable, Codable, CustomStringConvertible {
    /// What happens to the record that holds the reference when the target is deleted.
    public enum Action: String, Sendable, Hashable, Codable {
        /// Nothing: the reference then points at a record that does not exist.
        case none
        /// The record that holds the reference is deleted with the target.
        case deleteSelf
    }

    /// The ID of the record that the reference points at.
    public let recordID: CloudRecordID

    /// What happens when the target is deleted.
    public let action: Action

    /// Makes a reference to the record with this ID.
    public init(recordID: CloudRecordID, action: Action = .none) {
        self.recordID = recordID
        self.action = action
    }

    public var description: String {
        action == .none ? "-> \(recordID)" : "-> \(recordID) (\(action.rawValue))"
    }
}
