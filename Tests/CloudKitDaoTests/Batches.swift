import CloudKitDao
import CloudKitDaoTestSupport
import Foundation
import Testing

/// Reading a query's results a page at a time.
@Suite struct Batches {
    private let folder: TestFolder
    private let path: String

    init() throws {
        folder = try TestFolder()
        path = folder.path("batches.sqlite")
    }

    private func openDao() throws -> CloudDao {
        CloudDao(store: try SQLiteStore(path: path))
    }

    private func dao(holding count: Int) async throws -> CloudDao {
        let dao = try openDao()
        if count > 0 {
            try await dao.save(Message.numbered(1...count))
        }
        return dao
    }

    private func likes(of batch: CloudBatch<Message>) -> [Int] {
        batch.compactMap(\.likes)
    }

    @Test(arguments: [
        (0, [0]), (1, [1]), (10, [10]), (11, [10, 1]), (30, [10, 10, 10]), (35, [10, 10, 10, 5]),
    ])
    func `pages hold what is there, and the last one has no cursor`(count: Int, sizes: [Int]) async throws {
        let dao = try await dao(holding: count)
        var pages: [CloudBatch<Message>] = []
        for try await batch in dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 10) {
            pages.append(batch)
        }
        #expect(pages.map(\.count) == sizes)
        #expect(pages.flatMap(likes) == Array(1...max(count, 1)).prefix(count).map { $0 })
        #expect(pages.map { $0.cursor == nil } == sizes.indices.map { $0 == sizes.count - 1 })
        #expect(pages.map(\.failures.count).reduce(0, +) == 0)
    }

    @Test func `a batch is a collection of objects`() async throws {
        let dao = try await dao(holding: 3)
        var iterator = dao.batches(of: Message.self, orderBy: .descending(\.likes)).makeAsyncIterator()
        let batch = try #require(try await iterator.next())
        try #require(batch.count == 3)
        #expect(batch.first?.likes == 3)
        #expect(batch[1].likes == 2)
        #expect(batch.reversed().compactMap(\.likes) == [1, 2, 3])
        #expect(try await iterator.next() == nil)
        #expect(try await iterator.next() == nil)
    }

    @Test func `the predicate and the order hold across pages`() async throws {
        let dao = try await dao(holding: 100)
        var found: [Int] = []
        for try await batch in dao.batches(
            of: Message.self,
            where: \.likes > 20 && \.likes <= 80,
            orderBy: .descending(\.likes),
            batchSize: 7
        ) {
            found += likes(of: batch)
        }
        #expect(found == Array((21...80).reversed()))
    }

    @Test func `the spelling with field names reads the same`() async throws {
        let dao = try await dao(holding: 20)
        var found: [Int] = []
        for try await batch in dao.batches(
            of: Message.self,
            predicate: "likes > \(10)",
            orderBy: .ascending("likes"),
            batchSize: 3
        ) {
            found += likes(of: batch)
        }
        #expect(found == Array(11...20))
    }

    @Test func `the largest batch size there is reads everything`() async throws {
        let dao = try await dao(holding: 3)
        var sizes: [Int] = []
        for try await batch in dao.batches(of: Message.self, batchSize: .max) { sizes.append(batch.count) }
        #expect(sizes == [3])
    }

    @Test func `each iteration of a sequence starts anew`() async throws {
        let dao = try await dao(holding: 5)
        let batches = dao.batches(of: Message.self, batchSize: 2)
        for _ in 1...2 {
            var count = 0
            for try await batch in batches { count += batch.count }
            #expect(count == 5)
        }
    }

    // MARK: Going on later

    @Test func `a saved cursor goes on after the store was closed and opened again`() async throws {
        var bookmark = Data()
        do {
            let store = try SQLiteStore(path: path)
            let dao = CloudDao(store: store)
            try await dao.save(Message.numbered(1...25))
            var iterator = dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 10)
                .makeAsyncIterator()
            let batch = try #require(try await iterator.next())
            #expect(likes(of: batch) == Array(1...10))
            bookmark = try JSONEncoder().encode(try #require(batch.cursor))
            await store.close()
        }
        let cursor = try JSONDecoder().decode(CloudCursor.self, from: bookmark)
        let dao = try openDao()
        var found: [Int] = []
        for try await batch in dao.batches(
            of: Message.self,
            orderBy: .ascending(\.likes),
            batchSize: 4,
            after: cursor
        ) {
            found += likes(of: batch)
        }
        #expect(found == Array(11...25))
    }

    @Test func `records that come and go between pages make no other one vanish or appear twice`() async throws {
        let dao = try await dao(holding: 30)
        var found: [Int] = []
        for try await batch in dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 10) {
            found += likes(of: batch)
            if found.count == 10 {
                // One before the page's end goes, one before it comes, and the one after it goes.
                try await dao.delete([CloudRecordID("m003"), CloudRecordID("m011")])
                try await dao.save(Message("zero", likes: 0))
            }
        }
        #expect(found == Array(1...10) + Array(12...30))
    }

    @Test func `equal sort keys don't confuse the pages`() async throws {
        let dao = try openDao()
        try await dao.save((1...25).map { Message("m\($0)", text: "same") } + [Message("last", text: "t")])
        var names: [String] = []
        for try await batch in dao.batches(of: Message.self, orderBy: .ascending(\.text), batchSize: 4) {
            names += batch.map(\.recordID.recordName)
        }
        #expect(names.count == 26)
        #expect(Set(names).count == 26)
        #expect(names.last == "last")
    }

    @Test func `nil comes first in ascending and last in descending order, across pages`() async throws {
        let dao = try openDao()
        try await dao.save((1...4).map { Message("n\($0)") } + Message.numbered(1...4))
        for isAscending in [true, false] {
            var found: [Int?] = []
            let order: ObjectOrder<Message> = isAscending ? .ascending(\.likes) : .descending(\.likes)
            for try await batch in dao.batches(of: Message.self, orderBy: order, batchSize: 3) {
                found += batch.map(\.likes)
            }
            let expected: [Int?] = [nil, nil, nil, nil, 1, 2, 3, 4]
            #expect(found == (isAscending ? expected : expected.reversed()))
        }
    }

    // MARK: Wrong cursors

    private func cursor(in dao: CloudDao) async throws -> CloudCursor {
        var iterator = dao.batches(of: Message.self, where: \.likes > 1, orderBy: .ascending(\.likes), batchSize: 2)
            .makeAsyncIterator()
        return try #require(try await iterator.next()?.cursor)
    }

    private func check(refusalOf batches: CloudBatches<some CloudDataObject>) async {
        let error = await #expect(throws: CloudError.self) {
            for try await batch in batches { Issue.record("a batch of \(batch.count)") }
        }
        #expect(error?.code == .invalidArguments)
        #expect(error?.message.contains("cursor") == true)
    }

    @Test func `the cursor of another query is refused`() async throws {
        let dao = try await dao(holding: 10)
        let cursor = try await cursor(in: dao)
        await check(
            refusalOf: dao.batches(of: Message.self, where: \.likes > 2, orderBy: .ascending(\.likes), after: cursor)
        )
        await check(
            refusalOf: dao.batches(of: Message.self, where: \.likes > 1, orderBy: .descending(\.likes), after: cursor)
        )
        await check(refusalOf: dao.batches(of: Message.self, orderBy: .ascending(\.likes), after: cursor))
        await check(refusalOf: dao.batches(of: Notice.self, after: cursor))
    }

    @Test func `the cursor of the same query, written otherwise, is not refused`() async throws {
        let dao = try await dao(holding: 10)
        let cursor = try await cursor(in: dao)
        var found: [Int] = []
        for try await batch in dao.batches(
            of: Message.self,
            predicate: "likes > \(1)",
            orderBy: .ascending("likes"),
            batchSize: 3,
            after: cursor
        ) {
            found += likes(of: batch)
        }
        #expect(found == Array(4...10))
    }

    @Test func `a cursor that was tampered with is refused`() async throws {
        let dao = try await dao(holding: 10)
        let cursor = try await cursor(in: dao)
        for position in [Data(), Data([0, 1, 2]), cursor.position.dropLast(), cursor.position + [0]] {
            let forged = CloudCursor(queryFingerprint: cursor.queryFingerprint, position: Data(position))
            await check(
                refusalOf: dao.batches(
                    of: Message.self,
                    where: \.likes > 1,
                    orderBy: .ascending(\.likes),
                    after: forged
                )
            )
        }
    }

    // MARK: Errors

    @Test func `an error between pages ends the sequence, after what was read`() async throws {
        let base = try SQLiteStore(path: path)
        try await CloudDao(store: base).save(Message.numbered(1...20))
        let store = InterceptedStore(
            base,
            onPage: { _, cursor, _ in
                if cursor != nil { throw CloudError(.networkFailure, "The wire is cut.") }
                return nil
            }
        )
        var count = 0
        let error = await #expect(throws: CloudError.self) {
            for try await batch in CloudDao(store: store).batches(of: Message.self, batchSize: 5) {
                count += batch.count
            }
        }
        #expect(error?.code == .networkFailure)
        #expect(count == 5)
    }

    @Test func `a page is not lost by an error: the same iterator reads it later`() async throws {
        let base = try SQLiteStore(path: path)
        try await CloudDao(store: base).save(Message.numbered(1...10))
        let dao = CloudDao(store: InterceptedStore(base, onPage: Stumble(at: 2).onPage))
        var iterator = dao.batches(of: Message.self, orderBy: .ascending(\.likes), batchSize: 5).makeAsyncIterator()
        #expect(try await iterator.next()?.count == 5)
        await #expect(throws: CloudError.self) { _ = try await iterator.next() }
        let rest = try #require(try await iterator.next())
        #expect(likes(of: rest) == [6, 7, 8, 9, 10])
    }

    @Test func `breaking out of the loop reads no further page`() async throws {
        let base = try SQLiteStore(path: path)
        try await CloudDao(store: base).save(Message.numbered(1...20))
        let store = InterceptedStore(base)
        for try await batch in CloudDao(store: store).batches(of: Message.self, batchSize: 5) where batch.count == 5 {
            break
        }
        #expect(store.pageCount == 1)
    }
}

/// Fails one call of all.
private final class Stumble: Sendable {
    private let calls = Counter()
    private let failing: Int

    init(at failing: Int) {
        self.failing = failing
    }

    var onPage: InterceptedStore.Page {
        { _, _, _ in
            if await self.calls.next() == self.failing { throw CloudError(.zoneBusy, "Later, please.") }
            return nil
        }
    }

    private actor Counter {
        private var count = 0

        func next() -> Int {
            count += 1
            return count
        }
    }
}
