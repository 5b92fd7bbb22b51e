import Foundation

/// What a store fills of a record, apart from its fields.
///
/// A record is copied several times on its way to an object. So that a copy counts few references, the users are kept
/// in an immutable object of their own, which the records of one user share.
@usableFromInline
package struct SystemFields: Sendable {
    @usableFromInline package var creationDate: Date?
    @usableFromInline package var modificationDate: Date?
    @usableFromInline package var users: RecordUsers?
    @usableFromInline package var recordChangeTag: String?

    /// Makes those of a record that was never saved.
    @inlinable
    package init() {}

    @inlinable
    package init(creationDate: Date?, modificationDate: Date?, users: RecordUsers?, recordChangeTag: String?) {
        self.creationDate = creationDate
        self.modificationDate = modificationDate
        self.users = users
        self.recordChangeTag = recordChangeTag
    }

    package var creatorUserRecordID: CloudRecordID? {
        get { users?.creator }
        set { users = RecordUsers(creator: newValue, lastModifier: lastModifiedUserRecordID) }
    }

    package var lastModifiedUserRecordID: CloudRecordID? {
        get { users?.lastModifier }
        set { users = RecordUsers(creator: creatorUserRecordID, lastModifier: newValue) }
    }
}

/// The users who first and last saved a record.
@usableFromInline
package final class RecordUsers: Sendable {
    package let creator: CloudRecordID?
    package let lastModifier: CloudRecordID?

    package init(creator: CloudRecordID?, lastModifier: CloudRecordID?) {
        self.creator = creator
        self.lastModifier = lastModifier
    }
}
