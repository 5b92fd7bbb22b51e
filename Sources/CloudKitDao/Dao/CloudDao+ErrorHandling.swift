import Foundation

/// What to do about an error.
public enum HandleCloudKitErrorAs: Sendable, Hashable {
    /// There is no error.
    case success
    /// Try the same again after so many seconds.
    case retry(afterSeconds: Double)
    /// Do something about it, then try again: merge with the server's record, make the zone, split the batch.
    case recoverableError
    /// Give up and tell the user.
    case fail
}

extension CloudDao {
    /// The longest delay before a retry that this framework proposes by itself, in seconds.
    private static let longestRetryDelay = 1_800.0

    /// Says what to do about an error.
    ///
    /// - A delay that the store asks for is kept, whatever the code, except when the store is full.
    /// - Errors that pass by themselves are retried after 2, 4, 8 … seconds, at most half an hour.
    /// - ``CloudError/Code/serverRecordChanged``, ``CloudError/Code/changeTokenExpired``,
    ///   ``CloudError/Code/limitExceeded``, ``CloudError/Code/serverResponseLost`` and
    ///   ``CloudError/Code/accountTemporarilyUnavailable`` are recoverable.
    /// - ``CloudError/Code/partialFailure`` is what the worst of its records' errors is.
    /// - Everything else fails; so do errors of other domains, whatever their numbers are.
    ///
    /// - Parameters:
    ///   - error: The error, or nil. An `NSError` of the domain `CKErrorDomain` is understood too.
    ///   - retryAttempt: Which attempt failed, from 1.
    public static func handleCloudKitErrorAs(
        _ error: (any Error)?,
        retryAttempt: Double = 1
    ) -> HandleCloudKitErrorAs {
        guard let error else { return .success }
        if let error = error as? CloudError {
            return classify(error, retryAttempt: retryAttempt)
        }
        let foreign = error as NSError
        guard foreign.domain == "CKErrorDomain", let code = CloudError.Code(rawValue: foreign.code) else {
            return .fail
        }
        let retryAfter = (foreign.userInfo["CKRetryAfter"] as? NSNumber)?.doubleValue
        return classify(
            CloudError(code, foreign.localizedDescription, retryAfter: retryAfter),
            retryAttempt: retryAttempt
        )
    }

    private static func classify(_ error: CloudError, retryAttempt: Double) -> HandleCloudKitErrorAs {
        // A full store may name a delay, but nothing gets better without the user.
        if error.code == .quotaExceeded { return .fail }
        if let retryAfter = error.retryAfter { return .retry(afterSeconds: retryAfter) }
        switch error.code {
        case .networkUnavailable, .networkFailure, .serviceUnavailable, .requestRateLimited, .notAuthenticated,
            .resultsTruncated, .zoneBusy:
            return .retry(afterSeconds: delay(beforeAttemptAfter: retryAttempt))
        case .serverRecordChanged, .changeTokenExpired, .limitExceeded, .serverResponseLost,
            .accountTemporarilyUnavailable:
            return .recoverableError
        case .partialFailure:
            return worst(of: error.partialErrors.values.map { classify($0, retryAttempt: retryAttempt) })
        case .internalError, .badContainer, .missingEntitlement, .permissionFailure, .unknownItem, .invalidArguments,
            .serverRejectedRequest, .assetFileNotFound, .assetFileModified, .incompatibleVersion,
            .constraintViolation, .operationCancelled, .batchRequestFailed, .badDatabase, .quotaExceeded,
            .zoneNotFound, .userDeletedZone, .tooManyParticipants, .alreadyShared, .referenceViolation,
            .managedAccountRestricted, .participantMayNeedVerification, .assetNotAvailable,
            .participantAlreadyInvited, .mappingFailed, .unsupported:
            return .fail
        }
    }

    private static func delay(beforeAttemptAfter attempt: Double) -> Double {
        guard attempt > 1 else { return 2 }
        return min(pow(2, attempt), longestRetryDelay)
    }

    /// Fail before recover before retry; of several delays the longest.
    private static func worst(of answers: [HandleCloudKitErrorAs]) -> HandleCloudKitErrorAs {
        if answers.isEmpty || answers.contains(.fail) { return .fail }
        if answers.contains(.recoverableError) { return .recoverableError }
        let delays = answers.compactMap { answer -> Double? in
            if case .retry(let afterSeconds) = answer { afterSeconds } else { nil }
        }
        return delays.max().map { .retry(afterSeconds: $0) } ?? .fail
    }
}
