import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Synchronization
import Testing

extension OriginalFaults {
    private func dao() async throws -> CloudDao {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        try await dao.save(Message.numbered(1...25))
        return dao
    }

    @Test func `a location query works, in metres`() async throws {
        let dao = try await dao()
        let near = Message("near")
        near.place = CloudLocation(latitude: 52.1, longitude: 4.301)
        let far = Message("far")
        far.place = CloudLocation(latitude: 53, longitude: 4.3)
        try await dao.save([near, far])
        let names = await withCheckedContinuation { (continuation: CheckedContinuation<[String], Never>) in
            dao.query(
                Message(),
                fieldname: "place",
                latitude: 52.1,
                longitude: 4.3,
                distance: 100,
                completionHandler: { (messages: [Message]) in
                    continuation.resume(returning: messages.map(\.recordID.recordName))
                },
                errorHandler: { error in Issue.record(error) }
            )
        }
        #expect(names == ["near"])
    }

    @Test func `cancelling the returned operation stops the paging`() async throws {
        let base = try SQLiteStore.inMemory()
        try await CloudDao(store: base).save(Message.numbered(1...25))
        let store = InterceptedStore(base)
        let dao = CloudDao(store: store)
        let operation = Mutex<CloudOperation?>(nil)
        let error = await withCheckedContinuation { (continuation: CheckedContinuation<CloudError, Never>) in
            operation.withLock { operation in
                operation = dao.query(
                    Message(),
                    batchSize: 2,
                    completionHandler: { [store] (messages: [Message]) -> Bool in
                        if store.pageCount == 3 { cancel() }
                        return true
                    },
                    errorHandler: { continuation.resume(returning: $0) }
                )
            }
            @Sendable func cancel() { operation.withLock { $0?.cancel() } }
        }
        #expect(error.code == .operationCancelled)
        #expect(store.pageCount == 3)
    }

    @Test func `a query can be read in parts, the next part later`() async throws {
        let dao = try await dao()
        var iterator = dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 10).makeAsyncIterator()
        let first = try #require(try await iterator.next())
        #expect(first.compactMap(\.likes) == Array(1...10))
        // The cursor may be kept in a file and taken up by another process.
        let data = try JSONEncoder().encode(first.cursor)
        let cursor = try JSONDecoder().decode(CloudCursor.self, from: data)
        var later: [Int] = []
        let rest = dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 10, after: cursor)
        for try await batch in rest { later += batch.compactMap(\.likes) }
        #expect(later == Array(11...25))
    }

    @Test func `a record that can't be mapped is reported and the others are delivered`() async throws {
        let store = try SQLiteStore.inMemory()
        let dao = CloudDao(store: store)
        try await dao.save([Message("good"), Message("bad")])
        var record = CloudRecord(recordType: "Message", recordID: CloudRecordID("bad"))
        record["kind"] = .string("a kind of a later version")
        _ = try await store.modify(CloudModification(saving: [record], savePolicy: .allKeys)).saved[0].get()
        let failures = Mutex<[CloudError]>([])
        dao.mappingFailureHandler = { error in failures.withLock { $0.append(error) } }
        let messages = try await dao.query(Message.self)
        #expect(messages.map(\.recordID.recordName) == ["good"])
        let reported = failures.withLock { $0 }
        #expect(reported.map(\.recordID) == [CloudRecordID("bad")])
        #expect(reported.first?.field == "kind")
    }

    @Test(arguments: [
        "likes = 1 OR likes = 2", "FUNCTION(likes, 'abs') = 1", "likes = = 1", "SUBQUERY(tags, $x, $x = 1)",
    ])
    func `a predicate is answered or refused, and ends nothing`(format: String) async throws {
        let dao = try await dao()
        let outcome: Result<[String], CloudError> = await withCheckedContinuation { continuation in
            do throws(CloudError) {
                let predicate = try parsed(format)
                dao.query(
                    Message(),
                    predicate: predicate,
                    completionHandler: { (messages: [Message]) in
                        continuation.resume(returning: .success(messages.map(\.recordID.recordName).sorted()))
                    },
                    errorHandler: { continuation.resume(returning: .failure($0)) }
                )
            } catch {
                continuation.resume(returning: .failure(error))
            }
        }
        switch outcome {
        case .success(let names): #expect(names == ["m001", "m002"] && format.contains("OR"))
        case .failure(let error):
            #expect([.invalidArguments, .unsupported].contains(error.code) && !format.contains("OR"))
        }
    }

    private func parsed(_ format: String) throws(CloudError) -> CloudPredicate {
        do {
            return try CloudPredicate(format: format)
        } catch {
            throw CloudError(error)
        }
    }

    @Test func `an order with a distance keeps the keys before it`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let here = CloudLocation(latitude: 52.1, longitude: 4.3)
        let messages = [("a", 2, 52.1), ("b", 1, 52.3), ("c", 1, 52.2)].map { name, likes, latitude in
            let message = Message(name, likes: likes)
            message.place = CloudLocation(latitude: latitude, longitude: 4.3)
            return message
        }
        try await dao.save(messages)
        let order = OrderBy.ascending("likes").distance("place", from: here)
        let page = try await dao.store().page(CloudQuery(recordType: "Message", orderBy: order), after: nil, limit: 10)
        #expect(page.records.map(\.recordID.recordName) == ["c", "b", "a"])
    }

    @Test func `without an order the newest come first`() async throws {
        let dao = try await dao()
        #expect(try await dao.query(Message.self, limit: 2).map(\.recordID.recordName) == ["m025", "m024"])
    }

    @Test func `the action of a reference is kept, and its zone`() async throws {
        let store = try SQLiteStore.inMemory()
        let zone = CloudZoneID("notes")
        try await store.saveZone(zone)
        let dao = CloudDao(store: store)
        let message = Message("m1")
        message.to = CloudReference(recordID: CloudRecordID("u1", zone: zone), action: .deleteSelf)
        try await dao.save(message)
        let fetched = try #require(try await dao.fetch(Message.self, "m1"))
        #expect(fetched.to?.action == .deleteSelf)
        #expect(fetched.to?.recordID.zoneID == zone)
    }

    @Test func `a fetched picture stays readable after the original and the record are gone`() async throws {
        let dao = CloudDao(store: try SQLiteStore.inMemory())
        let folder = try TestFolder()
        let original = folder.url.appending(path: "picture")
        try Data("pixels".utf8).write(to: original)
        let message = Message("m1")
        message.picture = CloudAsset(fileURL: original)
        try await dao.save(message)
        try FileManager.default.removeItem(at: original)
        let fetched = try #require(try await dao.fetch(Message.self, "m1"))
        try await dao.delete(message)
        message.picture = nil
        #expect(try fetched.picture?.data() == Data("pixels".utf8))
    }
}
