import CloudKitDaoTestSupport
import Synchronization
import Testing

@testable import CloudKitDao

/// Conflicts that a handler resolves, in calls that delete too.
@Suite struct ConflictsAndDeletes {
    private let store: SQLiteStore
    private let dao: CloudDao

    init() throws {
        store = try SQLiteStore.inMemory()
        dao = CloudDao(store: store)
    }

    private func isStored(_ name: String) async throws -> Bool {
        try await dao.fetch(Message.self, name) != nil
    }

    private func names(_ store: PickyStore) -> [[String]] {
        store.modifications.map { request in
            request.saving.map(\.recordID.recordName) + request.deleting.map { "-" + $0.recordName }
        }
    }

    /// A child that its client moves from p1 to p2, while somebody else has changed it; and p1, to be deleted.
    private func staleMove() async throws -> (child: Message, parent: Message) {
        let parent = Message("p1")
        let child = Message("child", likes: 1)
        child.to = CloudReference(recordID: CloudRecordID("p1"), action: .deleteSelf)
        try await dao.save([parent, Message("p2"), child])
        let theirs = try #require(try await dao.fetch(Message.self, "child"))
        theirs.likes = 2
        try await dao.save(theirs)
        child.to = CloudReference(recordID: CloudRecordID("p2"), action: .deleteSelf)
        return (child, parent)
    }

    @Test(arguments: [false, true], [nil, 1, 2])
    func `a child outlives the parent that it leaves, though its move is in conflict`(
        isAtomic: Bool,
        limit: Int?
    ) async throws {
        if isAtomic, limit == 1 { return }
        let (child, parent) = try await staleMove()
        let result = try await CloudDao(store: PickyStore(store, declaredLimit: limit)).modify(
            saving: [child],
            deleting: [parent],
            atomically: isAtomic,
            conflictHandler: .clientWins
        )
        #expect(result.saved.map(\.code) == [nil])
        #expect(result.deleted.map(\.code) == [nil])
        #expect(try await dao.fetch(Message.self, "child")?.to?.recordID.recordName == "p2")
        #expect(try await !isStored("p1"))
        #expect(parent.recordChangeTag == nil)
    }

    @Test func `deletes are sent once, after the last save`() async throws {
        let (child, parent) = try await staleMove()
        let picky = PickyStore(store)
        _ = try await CloudDao(store: picky).modify(
            saving: [Message("m0"), child],
            deleting: [parent, Message("old")],
            conflictHandler: .merge
        )
        #expect(names(picky) == [["m0", "child"], ["child"], ["-p1", "-old"]])
    }

    @Test func `what is only deleted is sent at once`() async throws {
        let picky = PickyStore(store)
        _ = try await CloudDao(store: picky).modify(saving: [], deleting: [Message("old")], conflictHandler: .merge)
        #expect(names(picky) == [["-old"]])
    }

    @Test func `deletes are sent also if a save failed, as without a handler`() async throws {
        let (child, parent) = try await staleMove()
        child.to = nil
        let result = try await dao.modify(saving: [child], deleting: [parent], conflictHandler: .giveUp)
        #expect(result.saved.map(\.code) == [.serverRecordChanged])
        #expect(result.deleted.map(\.code) == [nil])
        #expect(try await !isStored("p1"))
    }

    @Test func `progress counts the deletes on top of the saves`() async throws {
        let reports = Mutex<[Int]>([])
        let batch = CloudModification(
            saving: try (1...3).map { try Message("m\($0)").toRecord() },
            deleting: (1...3).map { CloudRecordID("old\($0)") },
            progressHandler: { report in reports.withLock { $0.append(report.completedRecordCount) } }
        )
        _ = try await dao.modify(
            batch,
            in: PickyStore(store, declaredLimit: 1),
            resolvingBy: .merge,
            ancestor: { _ in nil }
        )
        #expect(reports.withLock { $0 } == [1, 2, 3, 4, 5, 6])
    }

    @Test func `nothing is deleted when the call is cancelled while conflicts are resolved`() async throws {
        let (child, parent) = try await staleMove()
        let picky = PickyStore(store)
        let (record, parentRecord) = (try child.toRecord(), try parent.toRecord())
        let task = Task {
            try await CloudDao(store: picky).modify(
                saving: [try Message(record: record)],
                deleting: [try Message(record: parentRecord)],
                conflictHandler: CloudConflictHandler { client, _, _ in
                    withUnsafeCurrentTask { $0?.cancel() }
                    return client
                }
            )
        }
        let result = try await task.value
        #expect(result.saved.map(\.code) == [.operationCancelled])
        #expect(result.deleted.map(\.code) == [.operationCancelled])
        #expect(names(picky) == [["child"]])
        #expect(try await isStored("p1"))
    }

    @Test func `what was saved stands when the call is cancelled before the deletes`() async throws {
        let (_, parent) = try await staleMove()
        let parentRecord = try parent.toRecord()
        let base = store
        let picky = PickyStore(
            base,
            onModify: { _, request in
                let answer = try await base.modify(request)
                withUnsafeCurrentTask { $0?.cancel() }
                return answer
            }
        )
        let task = Task {
            try await CloudDao(store: picky).modify(
                saving: [Message("m0")],
                deleting: [try Message(record: parentRecord)],
                conflictHandler: .merge
            )
        }
        let result = try await task.value
        #expect(result.saved.map(\.code) == [nil])
        #expect(result.deleted.map(\.code) == [.operationCancelled])
        #expect(try await isStored("m0"))
        #expect(try await isStored("p1"))
    }

    @Test(arguments: [2, 3])
    func `after a lost answer, only what was sent has an unknown outcome`(lost: Int) async throws {
        let (child, parent) = try await staleMove()
        let base = store
        let picky = PickyStore(
            base,
            onModify: { number, request in
                let answer = try await base.modify(request)
                if number == lost { throw CloudError(.serverResponseLost, "lost") }
                return answer
            }
        )
        let result = try await CloudDao(store: picky).modify(
            saving: [child],
            deleting: [parent],
            conflictHandler: .clientWins
        )
        #expect(picky.modifications.count == lost)
        #expect(result.saved.map(\.code) == [lost == 2 ? .serverResponseLost : nil])
        #expect(result.deleted.map(\.code) == [lost == 2 ? .networkFailure : .serverResponseLost])
        #expect(try await isStored("p1") == (lost == 2))
        #expect(parent.recordChangeTag != nil)
    }

    @Test func `after a request that failed as a whole nothing more is sent`() async throws {
        let (child, parent) = try await staleMove()
        let picky = PickyStore(
            store,
            declaredLimit: 1,
            onModify: { number, _ in
                if number == 2 { throw CloudError(.serviceUnavailable, "down", retryAfter: 7) }
                return nil
            }
        )
        let result = try await CloudDao(store: picky).modify(
            saving: [child, Message("m1"), Message("m2")],
            deleting: [parent],
            conflictHandler: .clientWins
        )
        #expect(names(picky) == [["child"], ["m1"]])
        #expect(result.saved.map(\.code) == [.serverRecordChanged, .serviceUnavailable, .serviceUnavailable])
        #expect(result.deleted.map(\.code) == [.serviceUnavailable])
        #expect(try await isStored("p1"))
    }
}
