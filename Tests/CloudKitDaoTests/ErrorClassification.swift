import CloudKitDao
import Foundation
import Testing

/// What to do about an error.
@Suite struct ErrorClassification {
    /// The original's table with its faults mended, code by code.
    static let expected: [CloudError.Code: HandleCloudKitErrorAs] = [
        .internalError: .fail,
        .partialFailure: .fail,
        .networkUnavailable: .retry(afterSeconds: 2),
        .networkFailure: .retry(afterSeconds: 2),
        .badContainer: .fail,
        .serviceUnavailable: .retry(afterSeconds: 2),
        .requestRateLimited: .retry(afterSeconds: 2),
        .missingEntitlement: .fail,
        .notAuthenticated: .retry(afterSeconds: 2),
        .permissionFailure: .fail,
        .unknownItem: .fail,
        .invalidArguments: .fail,
        .resultsTruncated: .retry(afterSeconds: 2),
        .serverRecordChanged: .recoverableError,
        .serverRejectedRequest: .fail,
        .assetFileNotFound: .fail,
        .assetFileModified: .fail,
        .incompatibleVersion: .fail,
        .constraintViolation: .fail,
        .operationCancelled: .fail,
        .changeTokenExpired: .recoverableError,
        .batchRequestFailed: .fail,
        .zoneBusy: .retry(afterSeconds: 2),
        .badDatabase: .fail,
        .quotaExceeded: .fail,
        .zoneNotFound: .fail,
        .limitExceeded: .recoverableError,
        .userDeletedZone: .fail,
        .tooManyParticipants: .fail,
        .alreadyShared: .fail,
        .referenceViolation: .fail,
        .managedAccountRestricted: .fail,
        .participantMayNeedVerification: .fail,
        .serverResponseLost: .recoverableError,
        .assetNotAvailable: .fail,
        .accountTemporarilyUnavailable: .recoverableError,
        .participantAlreadyInvited: .fail,
        .mappingFailed: .fail,
        .unsupported: .fail,
    ]

    @Test(arguments: CloudError.Code.allCases)
    func `each code has its answer`(code: CloudError.Code) throws {
        let expected = try #require(Self.expected[code])
        #expect(CloudDao.handleCloudKitErrorAs(CloudError(code, "")) == expected)
    }

    @Test func `no error is success`() {
        #expect(CloudDao.handleCloudKitErrorAs(nil) == .success)
        #expect(CloudDao.handleCloudKitErrorAs(nil, retryAttempt: 9) == .success)
    }

    @Test(arguments: [
        (1.0, 2.0), (2, 4), (3, 8), (10, 1_024), (11, 1_800), (12, 1_800), (5_000, 1_800), (.infinity, 1_800),
        (0, 2), (-7, 2), (.nan, 2),
    ])
    func `the delay doubles with each attempt, up to half an hour`(attempt: Double, seconds: Double) {
        let answer = CloudDao.handleCloudKitErrorAs(CloudError(.zoneBusy, ""), retryAttempt: attempt)
        #expect(answer == .retry(afterSeconds: seconds))
    }

    @Test(arguments: CloudError.Code.allCases)
    func `a delay that the store asks for is kept, unless the store is full`(code: CloudError.Code) {
        let error = CloudError(code, "", retryAfter: 7.5)
        let answer = CloudDao.handleCloudKitErrorAs(error, retryAttempt: 4)
        #expect(answer == (code == .quotaExceeded ? .fail : .retry(afterSeconds: 7.5)))
    }

    // MARK: Errors that are no CloudErrors

    @Test(arguments: CloudError.Code.allCases.filter { $0.rawValue < 1_000 })
    func `an NSError of CloudKit's domain is understood by its number`(code: CloudError.Code) {
        let error = NSError(domain: "CKErrorDomain", code: code.rawValue)
        #expect(CloudDao.handleCloudKitErrorAs(error) == Self.expected[code])
    }

    @Test func `the delay of an NSError of CloudKit is kept`() {
        let error = NSError(domain: "CKErrorDomain", code: 7, userInfo: ["CKRetryAfter": NSNumber(value: 12.5)])
        #expect(CloudDao.handleCloudKitErrorAs(error) == .retry(afterSeconds: 12.5))
    }

    @Test(arguments: [3, 4, 6, 7, 9, 14, 21, 23])
    func `a number of another domain means nothing`(code: Int) {
        let error = NSError(domain: NSURLErrorDomain, code: code, userInfo: ["CKRetryAfter": NSNumber(value: 12.5)])
        #expect(CloudDao.handleCloudKitErrorAs(error) == .fail)
    }

    @Test(arguments: [0, -1, 38, 999])
    func `an unknown number of CloudKit's domain fails`(code: Int) {
        #expect(CloudDao.handleCloudKitErrorAs(NSError(domain: "CKErrorDomain", code: code)) == .fail)
    }

    @Test func `any other error fails, a cancellation too`() {
        struct Mishap: Error {}
        #expect(CloudDao.handleCloudKitErrorAs(Mishap()) == .fail)
        #expect(CloudDao.handleCloudKitErrorAs(CancellationError()) == .fail)
    }

    // MARK: Partial failures

    private func answer(to errors: CloudError...) -> HandleCloudKitErrorAs {
        let pairs = errors.enumerated().map { (CloudRecordID("r\($0.offset)"), $0.element) }
        return CloudDao.handleCloudKitErrorAs(
            .partialFailure(Dictionary(uniqueKeysWithValues: pairs)) as CloudError,
            retryAttempt: 3
        )
    }

    @Test func `a partial failure is what the worst of its errors is`() {
        let busy = CloudError(.serviceUnavailable, "")
        let limited = CloudError(.requestRateLimited, "", retryAfter: 70)
        let conflict = CloudError(.serverRecordChanged, "")
        let refused = CloudError(.permissionFailure, "")
        #expect(answer(to: busy) == .retry(afterSeconds: 8))
        #expect(answer(to: busy, limited) == .retry(afterSeconds: 70))
        #expect(answer(to: limited, busy) == .retry(afterSeconds: 70))
        #expect(answer(to: busy, conflict, limited) == .recoverableError)
        #expect(answer(to: busy, conflict, refused) == .fail)
        #expect(answer(to: conflict) == .recoverableError)
    }

    @Test func `a partial failure without errors fails`() {
        #expect(answer() == .fail)
    }

    @Test func `a partial failure within a partial failure counts as its worst`() {
        let inner = CloudError.partialFailure([CloudRecordID("a"): CloudError(.serverRecordChanged, "")])
        #expect(answer(to: inner, CloudError(.zoneBusy, "")) == .recoverableError)
    }

    @Test func `the error of a real conflict is recoverable`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message("m1"))
        let error = await #expect(throws: CloudError.self) { try await dao.save(Message("m1")) }
        #expect(CloudDao.handleCloudKitErrorAs(error) == .recoverableError)
    }
}
