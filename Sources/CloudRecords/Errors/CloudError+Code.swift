extension CloudError {
    /// What kind of failure an error is.
    ///
    /// Names and numbers 1 to 37 are those of CloudKit's `CKError.Code`; numbers from 1000 on are this framework's own.
    public enum Code: Int, Sendable, Hashable, Codable, CaseIterable {
        /// Something went wrong inside the store that can't be mended from outside.
        case internalError = 1
        /// Some records of a batch failed; each has its own error in ``CloudError/partialErrors``.
        case partialFailure = 2
        /// There is no network.
        case networkUnavailable = 3
        /// The network is there but the request failed.
        case networkFailure = 4
        /// The container is not known or not allowed.
        case badContainer = 5
        /// The store is busy or down; see ``CloudError/retryAfter``.
        case serviceUnavailable = 6
        /// Too many requests; see ``CloudError/retryAfter``.
        case requestRateLimited = 7
        /// The app lacks an entitlement.
        case missingEntitlement = 8
        /// Nobody is signed in.
        case notAuthenticated = 9
        /// The user may not do this.
        case permissionFailure = 10
        /// The record, zone or subscription does not exist.
        case unknownItem = 11
        /// The request is wrong: a name, a value, a type or a predicate.
        case invalidArguments = 12
        /// Not all results were returned. CloudKit no longer reports this.
        case resultsTruncated = 13
        /// The stored record is newer than the one that was to be saved.
        case serverRecordChanged = 14
        /// The store refused the request for good.
        case serverRejectedRequest = 15
        /// The file of an asset does not exist.
        case assetFileNotFound = 16
        /// The file of an asset was changed while it was saved.
        case assetFileModified = 17
        /// The store's data needs a newer version of the app.
        case incompatibleVersion = 18
        /// A value that must be unique exists already.
        case constraintViolation = 19
        /// The operation was cancelled.
        case operationCancelled = 20
        /// The change token is too old or of another database.
        case changeTokenExpired = 21
        /// The record was not saved because another one of its atomic batch failed.
        case batchRequestFailed = 22
        /// The zone is busy; see ``CloudError/retryAfter``.
        case zoneBusy = 23
        /// The operation can't be done in this database.
        case badDatabase = 24
        /// The store is full.
        case quotaExceeded = 25
        /// The zone does not exist.
        case zoneNotFound = 26
        /// The batch is too large.
        case limitExceeded = 27
        /// The user removed the app's data.
        case userDeletedZone = 28
        /// A share has too many participants.
        case tooManyParticipants = 29
        /// The record is shared already.
        case alreadyShared = 30
        /// The target of a reference is missing.
        case referenceViolation = 31
        /// A managed account forbids this.
        case managedAccountRestricted = 32
        /// The user must be verified before taking part in a share.
        case participantMayNeedVerification = 33
        /// The request was sent but no answer came: whether it took effect is not known.
        case serverResponseLost = 34
        /// The bytes of an asset can't be had.
        case assetNotAvailable = 35
        /// The account needs the user's attention.
        case accountTemporarilyUnavailable = 36
        /// The participant is invited already.
        case participantAlreadyInvited = 37

        /// An object can't be mapped to a record, or a record not to an object.
        case mappingFailed = 1001
        /// The store or this version of the framework can't do what was asked; the message names it.
        case unsupported = 1002
    }
}
