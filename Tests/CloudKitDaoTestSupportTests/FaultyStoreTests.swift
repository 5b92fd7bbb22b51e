import CloudKitDao
import CloudKitDaoTestSupport
import Testing

@Suite struct FaultyStoreTests {
    let base: SQLiteStore
    let store: FaultyStore
    let dao: CloudDao

    init() throws {
        base = try SQLiteStore.inMemory()
        store = FaultyStore(base)
        dao = CloudDao(store: store)
    }

    /// The error of saving a new note, if there is one.
    func errorOfSaving(_ name: String) async -> CloudError? {
        do {
            try await dao.save(Note(name))
            return nil
        } catch {
            return CloudError(error)
        }
    }

    // MARK: Without faults

    @Test func `without faults it keeps what the store behind promises`() async throws {
        for promise in StoreContract.promises where promise.name.contains("batch") {
            try await promise.check(on: StoreFixture { FaultyStore(try ModelStore()) })
        }
        #expect(store.capabilities == base.capabilities)
    }

    @Test func `every kind of request reaches the store behind and is noted`() async throws {
        let bare = FaultyStore(EveryRequestStore())
        _ = try await bare.fetch([CloudRecordID("a")], desiredFields: ["n"])
        _ = try await bare.modify(CloudModification(saving: [Note.record("b")], deleting: [CloudRecordID("c")]))
        _ = try await bare.page(CloudQuery(recordType: "Note"), after: nil, limit: 3)
        _ = try await bare.changes(since: nil, in: nil, limit: 4)
        _ = try await bare.zones()
        try await bare.saveZone(CloudZoneID("z"))
        try await bare.deleteZone(CloudZoneID("z"))
        _ = try await bare.subscriptions()
        try await bare.save(CloudSubscription(subscriptionID: "s", target: .database))
        try await bare.deleteSubscription(withID: "s")
        _ = try await bare.notifications()
        _ = try await bare.notifications(since: nil, limit: 5)
        try await bare.markNotificationsRead(["n"])
        #expect(try await bare.badgeCounter() == 0)
        try await bare.setBadgeCounter(1)
        #expect(try await bare.accountStatus() == .restricted)
        #expect(try await bare.currentUserRecordID() == CloudRecordID("_someone"))
        _ = try await bare.schema()
        try await bare.extendSchema(CloudSchema())
        try await bare.deploySchema()
        #expect(bare.calls.map(\.operation) == StoreOperation.allCases)
        #expect(bare.calls.map(\.recordIDs).prefix(3).map { $0.map(\.recordName) } == [["a"], ["b", "c"], []])
    }

    // MARK: Errors of whole calls

    @Test func `the next call fails, and the one after does not`() async throws {
        store.fail(.modify, with: cutWire)
        let error = try #require(await errorOfSaving("a"))
        #expect(error.code == .networkFailure && error.retryAfter == 2.5)
        #expect(await errorOfSaving("a") == nil)
        #expect(try await dao.query(Note.self).count == 1)
    }

    @Test(arguments: [
        (CallSelection.only(2), [false, true, false, false]), (.first(2), [true, true, false, false]),
        (.every, [true, true, true, true]), (.only(0), [false, false, false, false]),
        (.only(3), [false, false, true, false]),
    ])
    func `the calls that are meant fail`(_ calls: CallSelection, _ expected: [Bool]) async throws {
        store.fail(.modify, on: calls, with: cutWire)
        var failed: [Bool] = []
        for number in 0..<4 { failed.append(await errorOfSaving("n\(number)") != nil) }
        #expect(failed == expected)
        #expect(try await dao.query(Note.self).count == expected.count { !$0 })
    }

    @Test func `other kinds of calls don't fail and are not counted`() async throws {
        store.fail(.modify, on: 2, with: cutWire)
        #expect(await errorOfSaving("a") == nil)
        #expect(try await dao.query(Note.self).count == 1)
        #expect(await errorOfSaving("b") != nil)
    }

    @Test func `faults are counted from when they are set`() async throws {
        #expect(await errorOfSaving("a") == nil)
        store.fail(.modify, on: 1, with: cutWire)
        store.fail(.modify, on: 2, with: CloudError(.serviceUnavailable, "Busy."))
        #expect(await errorOfSaving("b")?.code == .networkFailure)
        #expect(await errorOfSaving("c")?.code == .serviceUnavailable)
        #expect(await errorOfSaving("d") == nil)
    }

    @Test func `everything fails until it recovers`() async throws {
        store.failEverything()
        #expect(await errorOfSaving("a")?.code == .networkUnavailable)
        await #expect(throws: CloudError.self) { try await dao.query(Note.self).count }
        await #expect(throws: CloudError.self) { try await store.zones() }
        store.recover()
        #expect(await errorOfSaving("a") == nil)
    }

    // MARK: Errors of single records

    @Test func `a record that fails is not saved, and the others of its batch are`() async throws {
        let id = CloudRecordID("b")
        store.failRecord(id, on: 1, with: CloudError(.permissionFailure, "No."))
        let batch = CloudModification(saving: ["a", "b", "c"].map(Note.record))
        let result = try await store.modify(batch)
        #expect(result.saved.map { try? $0.get().recordID.recordName } == ["a", nil, "c"])
        #expect(result.saved.errors.map(\.code) == [.permissionFailure])
        #expect(result.saved.errors.map(\.recordID) == [id])
        #expect(try await dao.query(Note.self).count == 2)
        #expect(await errorOfSaving("b") == nil, "it was to fail once")
    }

    @Test func `a record that fails is not deleted, and the others of its batch are`() async throws {
        _ = try await store.modify(CloudModification(saving: ["a", "b", "c"].map(Note.record)))
        store.failRecord(CloudRecordID("b"), with: cutWire)
        let result = try await store.modify(CloudModification(deleting: ["a", "b", "c"].map { CloudRecordID($0) }))
        #expect(result.deleted.map { try? $0.get().recordName } == ["a", nil, "c"])
        #expect(try await base.fetch([CloudRecordID("b")], desiredFields: nil).errors.isEmpty)
    }

    @Test func `an atomic batch with a record that fails is not written`() async throws {
        _ = try await store.modify(CloudModification(saving: [Note.record("old")]))
        store.failRecord(CloudRecordID("b"), with: cutWire)
        let result = try await store.modify(
            CloudModification(
                saving: ["a", "b"].map(Note.record),
                deleting: [CloudRecordID("old")],
                isAtomic: true
            )
        )
        #expect(result.saved.errors.map(\.code) == [.batchRequestFailed, .networkFailure])
        #expect(result.deleted.errors.map(\.code) == [.batchRequestFailed])
        #expect(try await dao.query(Note.self).map(\.recordID.recordName) == ["old"])
    }

    @Test func `a record that fails can't be fetched, and the others can`() async throws {
        _ = try await store.modify(CloudModification(saving: ["a", "b"].map(Note.record)))
        store.failRecord(CloudRecordID("a"), with: CloudError(.assetNotAvailable, "Gone."))
        let results = try await store.fetch(["a", "b", "nobody"].map { CloudRecordID($0) }, desiredFields: nil)
        #expect(results.errors.map(\.code) == [.assetNotAvailable, .unknownItem])
    }

    // MARK: Answers that are lost or late

    @Test func `a write whose answer is lost has taken effect`() async throws {
        store.loseResponse(of: .modify)
        #expect(await errorOfSaving("a")?.code == .serverResponseLost)
        #expect(try await dao.query(Note.self).map(\.recordID.recordName) == ["a"])
        #expect(await errorOfSaving("b") == nil)
    }

    @Test func `a lost answer of a call that fails is that failure`() async throws {
        store.loseResponse(of: .modify)
        store.fail(.modify, with: cutWire)
        #expect(await errorOfSaving("a")?.code == .networkFailure)
        #expect(try await dao.query(Note.self).isEmpty)
    }

    @Test func `a call waits at a gate until it is opened`() async throws {
        let gate = store.hold(.modify)
        let store = store
        let saving = Task { try await store.modify(CloudModification(saving: [Note.record("a")])) }
        try await gate.waitForCall()
        #expect(store.calls(of: .modify).count == 1)
        #expect(try await dao.query(Note.self).isEmpty)
        gate.open()
        #expect(try await saving.value.saved.errors.isEmpty)
        #expect(try await dao.query(Note.self).count == 1)
        try await gate.waitForCall()
    }

    @Test func `a call that is cancelled at a gate ends and writes nothing`() async throws {
        let gate = store.hold(.modify)
        let store = store
        let saving = Task { try await store.modify(CloudModification(saving: [Note.record("a")])) }
        try await gate.waitForCall()
        saving.cancel()
        let error = await #expect(throws: CloudError.self) { try await saving.value }
        #expect(error?.code == .operationCancelled)
        #expect(try await dao.query(Note.self).isEmpty)
    }

    @Test func `waiting for a call that doesn't come ends when it is cancelled`() async throws {
        let gate = store.hold(.modify)
        let waiting = Task { try await gate.waitForCall() }
        waiting.cancel()
        let error = await #expect(throws: CloudError.self) { try await waiting.value }
        #expect(error?.code == .operationCancelled)
    }

    @Test func `a delayed call ends at once when it is cancelled`() async throws {
        store.delay(.modify, by: .seconds(3_600))
        let store = store
        let saving = Task { try await store.modify(CloudModification(saving: [Note.record("a")])) }
        saving.cancel()
        let error = await #expect(throws: CloudError.self) { try await saving.value }
        #expect(error?.code == .operationCancelled)
    }

    @Test func `a delayed call is answered in the end`() async throws {
        store.delay(.modify, by: .milliseconds(1))
        #expect(await errorOfSaving("a") == nil)
    }

    // MARK: What was asked

    @Test func `calls are noted with what was asked for, failed ones too`() async throws {
        store.fail(.modify, with: cutWire)
        _ = await errorOfSaving("a")
        _ = await errorOfSaving("b")
        #expect(store.calls(of: .modify).map { $0.recordIDs.map(\.recordName) } == [["a"], ["b"]])
        guard case .modify(let modification)? = store.calls.last else {
            Issue.record("the last call was a save")
            return
        }
        #expect(modification.saving.first?.recordType == "Note")
        #expect(modification.savePolicy == .ifServerRecordUnchanged)
    }

    @Test func `a test can wait for answers`() async throws {
        let store = store
        async let answered = store.answeredCalls(3)
        _ = try await store.zones()
        store.failEverything()
        _ = await errorOfSaving("a")
        _ = try? await store.zones()
        #expect(try await answered.map(\.operation) == [.zones, .modify, .zones])
        #expect(try await store.answeredCalls(0).isEmpty)
    }
}

extension [Result<CloudRecord, CloudError>] {
    fileprivate var errors: [CloudError] { compactMap { if case .failure(let error) = $0 { error } else { nil } } }
}

extension [Result<CloudRecordID, CloudError>] {
    fileprivate var errors: [CloudError] { compactMap { if case .failure(let error) = $0 { error } else { nil } } }
}
