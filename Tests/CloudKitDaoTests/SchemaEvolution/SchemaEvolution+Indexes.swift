import CloudKitDao
import Foundation
import Synchronization
import Testing

extension SchemaEvolution {
    /// Indexes that classes declare.
    @Suite struct DeclaredIndexes {
        private final class Letter: CloudDataObject {
            final class Address: CloudEmbeddedObject {
                var street = ""
            }
            var from = ""
            var text = ""
            var likes: Int?
            var place: CloudLocation?
            var address = Address()

            override class var fieldRules: [FieldRule] { [.rename("likes", to: "stars")] }
            override class var indexes: [CloudIndex] { declared }
            static let declared: [CloudIndex] = [
                .queryable("from", sortedBy: "creationDate", isAscending: false), .queryable("stars"),
                .queryable("place"), .queryable("address__street"), .words,
            ]
        }

        private final class Wrong: CloudDataObject {
            var likes = 0
            override class var indexes: [CloudIndex] { [.queryable("lkes")] }
        }

        private final class Unordered: CloudDataObject {
            var tags: [String] = []
            override class var indexes: [CloudIndex] { [.queryable("tags")] }
        }

        @Test func `declared indexes are there after the first save in development`() async throws {
            let dao = CloudDao(store: try SQLiteStore.inMemory())
            try await dao.save(Letter())
            let recordType = try #require(try await dao.schema()["Letter"])
            #expect(recordType.indexes == Set(Letter.declared))
            #expect(try await dao.query(Letter.self, tokens: "nothing").isEmpty)
        }

        @Test func `createRecordTypes makes the declared indexes, in production too`() async throws {
            for environment in [SQLiteStore.Environment.development, .production] {
                let dao = CloudDao(store: try SQLiteStore.inMemory(environment: environment))
                let schema = try await dao.createRecordTypes([Letter()])
                #expect(schema["Letter"]?.indexes == Set(Letter.declared))
                let letter = Letter()
                letter.text = "hello"
                try await dao.save(letter)
                #expect(try await dao.query(Letter.self, tokens: "hello").count == 1)
            }
        }

        @Test func `in production a save makes no index`() async throws {
            let dao = CloudDao(store: try SQLiteStore.inMemory(environment: .production))
            var schema = try await CloudDao(store: try SQLiteStore.inMemory()).createRecordTypes([Letter()])
            var bare = try #require(schema["Letter"])
            bare.indexes = []
            schema = CloudSchema(recordTypes: [bare])
            try await dao.extendSchema(schema)
            try await dao.save(Letter())
            #expect(try await dao.schema() == schema)
        }

        @Test func `an index on a field that the class lacks is refused before anything is written`() async throws {
            let dao = CloudDao(store: try SQLiteStore.inMemory())
            for object in [Wrong(), Unordered()] {
                let saved = await #expect(throws: CloudError.self) { try await dao.save([Message("m1"), object]) }
                let made = await #expect(throws: CloudError.self) { try await dao.createRecordTypes([object]) }
                for error in [saved, made] {
                    #expect(error?.code == .invalidArguments)
                    #expect(error?.field == (object is Wrong ? "lkes" : "tags"))
                    #expect(error?.message.contains("class \(type(of: object))") == true)
                }
            }
            #expect(try await dao.schema().recordTypes.isEmpty)
        }

        @Test func `the schema is asked for once for each class, and not for classes without indexes`() async throws {
            let store = CountingStore(try SQLiteStore.inMemory())
            let dao = CloudDao(store: store)
            for _ in 1...3 { try await dao.save([Letter(), Letter(), Message(UUID().uuidString)]) }
            #expect(store.extensions == 1)
        }
    }
}

/// Counts how often its schema was extended.
private final class CountingStore: CloudStore {
    private let base: SQLiteStore
    private let count = Mutex(0)

    init(_ base: SQLiteStore) { self.base = base }

    var extensions: Int { count.withLock { $0 } }
    var capabilities: CloudCapabilities { base.capabilities }

    func fetch(
        _ recordIDs: [CloudRecordID],
        desiredFields: [String]?
    ) async throws -> [Result<CloudRecord, CloudError>] {
        try await base.fetch(recordIDs, desiredFields: desiredFields)
    }

    func modify(_ modification: CloudModification) async throws -> CloudModificationResult {
        try await base.modify(modification)
    }

    func page(_ query: CloudQuery, after cursor: CloudCursor?, limit: Int) async throws -> CloudPage {
        try await base.page(query, after: cursor, limit: limit)
    }

    func currentUserRecordID() async throws -> CloudRecordID { try await base.currentUserRecordID() }

    func extendSchema(_ schema: CloudSchema) async throws {
        count.withLock { $0 += 1 }
        try await base.extendSchema(schema)
    }
}
