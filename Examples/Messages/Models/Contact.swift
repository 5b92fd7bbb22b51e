import CloudKitDao

/// Somebody who can be written to. The record has the name of the user, so that a reference to the one is a
/// reference to the other.
final class Contact: CloudDataObject {
    var firstName = ""
    var lastName = ""
    var emailAddress: String?

    // Computed properties are not stored.
    var displayName: String {
        [firstName, lastName].filter { !$0.isEmpty }.joined(separator: " ")
    }
}
