import CloudRecords
import Testing

@Suite struct CloudErrorTests {
    // The order of CKError.Code, from 1 on.
    private static let names = [
        "internalError", "partialFailure", "networkUnavailable", "networkFailure", "badContainer",
        "serviceUnavailable", "requestRateLimited", "missingEntitlement", "notAuthenticated", "permissionFailure",
        "unknownItem", "invalidArguments", "resultsTruncated", "serverRecordChanged", "serverRejectedRequest",
        "assetFileNotFound", "assetFileModified", "incompatibleVersion", "constraintViolation", "operationCancelled",
        "changeTokenExpired", "batchRequestFailed", "zoneBusy", "badDatabase", "quotaExceeded", "zoneNotFound",
        "limitExceeded", "userDeletedZone", "tooManyParticipants", "alreadyShared", "referenceViolation",
        "managedAccountRestricted", "participantMayNeedVerification", "serverResponseLost", "assetNotAvailable",
        "accountTemporarilyUnavailable", "participantAlreadyInvited",
    ]

    @Test(arguments: zip(1...37, names)) func `codes have CloudKit's names and numbers`(number: Int, name: String) {
        #expect(CloudError.Code(rawValue: number).map { "\($0)" } == name)
    }

    @Test func `there are no codes beyond CloudKit's and this framework's two`() {
        #expect(CloudError.Code.allCases.count == 39)
        #expect(CloudError.Code.mappingFailed.rawValue == 1001)
        #expect(CloudError.Code.unsupported.rawValue == 1002)
    }

    @Test func `an error carries what it was made with`() {
        let error = CloudError(
            .zoneBusy,
            "The zone is busy.",
            remedy: "Wait.",
            recordID: CloudRecordID("m1"),
            field: "text",
            retryAfter: 2.5
        )
        #expect(error.code == .zoneBusy)
        #expect(error.message == "The zone is busy.")
        #expect(error.recordID == CloudRecordID("m1"))
        #expect(error.field == "text")
        #expect(error.retryAfter == 2.5)
        #expect(error.partialErrors.isEmpty)
        #expect(error.serverRecord == nil)
        #expect(error.description == "zoneBusy (23): The zone is busy. Wait.")
        #expect(CloudError(.zoneBusy, "Busy.").description == "zoneBusy (23): Busy.")
    }

    @Test func `a conflict has its three records`() {
        var client = CloudRecord(recordType: "Message", recordID: CloudRecordID("m1"))
        client.recordChangeTag = "1"
        var server = client
        server["text"] = .string("theirs")
        let error = CloudError.conflict(client: client, server: server, ancestor: nil)
        #expect(error.code == .serverRecordChanged)
        #expect(error.clientRecord == client)
        #expect(error.serverRecord == server)
        #expect(error.ancestorRecord == nil)
        #expect(error.recordID == client.recordID)
        #expect(error.message.contains("m1"))
        let completed = error.withAncestor(client)
        #expect(completed.ancestorRecord == client)
        #expect(completed.serverRecord == server)
        #expect(CloudError.cancelled.withAncestor(client).ancestorRecord == nil)
    }

    @Test func `a partial failure has the error of each record`() {
        let id = CloudRecordID("m1")
        let error = CloudError.partialFailure([id: CloudError(.unknownItem, "No m1.")])
        #expect(error.code == .partialFailure)
        #expect(error.partialErrors[id]?.code == .unknownItem)
        #expect(error.message.contains("No m1."))
    }

    @Test func `other errors become CloudErrors`() {
        struct Other: Error {}
        #expect(CloudError(CancellationError()).code == .operationCancelled)
        #expect(CloudError(Other()).code == .internalError)
        #expect(CloudError(CloudError(.badDatabase, "x") as any Error).code == .badDatabase)
    }
}
