import CloudKitDao
import Foundation

/// What is repeated to count its instructions and allocations.
enum Operation: String, CaseIterable {
    case toRecord = "map.toRecord"
    case toObject = "map.toObject"
    case insertBatch = "sqlite.insertBatch"
    case updateBatch = "sqlite.updateBatch"
    case saveOne = "sqlite.saveOne"
    case fetchAll = "sqlite.fetchAll"
    case pageAll = "sqlite.pageAll"
    case filter = "sqlite.filter"
    case fetchMany = "sqlite.fetchMany"
    case fetchOne = "sqlite.fetchOne"
    case tokens = "sqlite.tokens"
    case evaluate = "predicate.eval"

    /// The objects of the store that the operations work on.
    static let storedCount = 1_000
    /// The objects of a batch.
    private static let batchCount = 200

    /// How many objects one repetition works on; what is counted is divided by it.
    var objects: Int {
        switch self {
        case .toRecord, .toObject, .evaluate, .fetchAll, .pageAll: Self.storedCount
        case .insertBatch, .updateBatch, .fetchMany: Self.batchCount
        case .filter: Self.storedCount / 100
        case .saveOne, .fetchOne, .tokens: 1
        }
    }

    /// The two numbers of repetitions whose difference is counted, so that what comes before drops out.
    var repetitions: (fewer: Int, more: Int) {
        switch self {
        case .saveOne, .fetchOne, .tokens: (20, 60)
        case .filter: (10, 30)
        default: (2, 6)
        }
    }

    /// Makes the store in a folder.
    static func prepare(_ folder: URL) async throws {
        let store = try SQLiteStore(path: path(in: folder))
        let dao = CloudDao(store: store)
        try await dao.save(Reading.numbered(0..<storedCount))
        _ = try await dao.query(Reading.self, limit: 1)
        _ = try await dao.query(Reading.self, where: \.category == "", limit: 1)
        await store.close()
        try FileManager.default.copyItem(atPath: path(in: folder), toPath: tokenPath(in: folder))
        let searched = try SQLiteStore(path: tokenPath(in: folder))
        _ = try await CloudDao(store: searched).query(Reading.self, tokens: Vocabulary.word(0), limit: 1)
        await searched.close()
    }

    private static func path(in folder: URL) -> String { folder.appending(path: "store.sqlite").path }

    private static func tokenPath(in folder: URL) -> String { folder.appending(path: "token-store.sqlite").path }

    /// Works in the store of a folder, which belongs to this process alone, and is made if there is none.
    func `repeat`(_ repetitions: Int, in folder: URL) async throws {
        if !FileManager.default.fileExists(atPath: Self.path(in: folder)) { try await Self.prepare(folder) }
        let path = self == .tokens ? Self.tokenPath(in: folder) : Self.path(in: folder)
        let store = try SQLiteStore(path: path)
        try await `repeat`(repetitions, on: CloudDao(store: store))
        await store.close()
    }

    private func `repeat`(_ repetitions: Int, on dao: CloudDao) async throws {
        let ids = (0..<Self.batchCount).map { CloudRecordID(Reading.recordName($0)) }
        switch self {
        case .toRecord:
            let objects = Reading.numbered(0..<Self.storedCount)
            for _ in 0..<repetitions { for object in objects { _ = try object.toRecord() } }
        case .toObject:
            let records = try Reading.numbered(0..<Self.storedCount).map { try $0.toRecord() }
            for _ in 0..<repetitions { for record in records { _ = try Reading(record: record) } }
        case .insertBatch:
            // Made beforehand, so that only the saving grows with the repetitions that are asked for.
            let batches = (0..<max(repetitions, self.repetitions.more)).map { number in
                let first = Self.storedCount + number * Self.batchCount
                return Reading.numbered(first..<first + Self.batchCount)
            }
            for batch in batches.prefix(repetitions) { try await dao.save(batch) }
        case .updateBatch:
            let objects = try await dao.fetch(Reading.self, ids).map { try $0.get() }
            for _ in 0..<repetitions {
                for object in objects { object.rank += 1 }
                try await dao.save(objects)
            }
        case .saveOne:
            let objects = Reading.numbered(
                Self.storedCount..<Self.storedCount + max(repetitions, self.repetitions.more)
            )
            for object in objects.prefix(repetitions) { try await dao.save(object) }
        case .fetchAll:
            for _ in 0..<repetitions { _ = try await dao.query(Reading.self) }
        case .pageAll:
            for _ in 0..<repetitions {
                for try await _ in dao.batches(of: Reading.self, batchSize: Self.batchCount) {}
            }
        case .filter:
            for _ in 0..<repetitions { _ = try await dao.query(Reading.self, where: \.category == "category 007") }
        case .fetchMany:
            for _ in 0..<repetitions { _ = try await dao.fetch(Reading.self, ids) }
        case .fetchOne:
            for number in 0..<repetitions { _ = try await dao.fetch(Reading.self, ids[number % ids.count]) }
        case .tokens:
            for _ in 0..<repetitions { _ = try await dao.query(Reading.self, tokens: Vocabulary.word(7)) }
        case .evaluate:
            let records = try Reading.numbered(0..<Self.storedCount).map { try $0.toRecord() }
            let predicate: CloudPredicate =
                "rank > 300 AND isChecked = 1 AND score < 500 AND category != 'category 007'"
            let compiled = try CompiledPredicate(predicate)
            for _ in 0..<repetitions { _ = records.count(where: compiled.matches) }
        }
    }
}
