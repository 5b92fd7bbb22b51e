import CloudKitDaoTestSupport
import CloudRecords
import Foundation
import SQLiteStore
import Testing

/// The evaluator in memory and SQLite have one meaning: random predicates and orders over random records give the same
/// records in the same order.
///
/// A disagreement shows the seed of its set of records: PREDICATE_AGREEMENT_SEED runs that one alone.
/// PREDICATE_AGREEMENT_COUNT is the number of combinations of predicate, records and order.
@Suite struct PredicateAgreement {
    private static let environment = ProcessInfo.processInfo.environment
    private static let count = environment["PREDICATE_AGREEMENT_COUNT"].flatMap { Int($0) } ?? 20_000
    private static let onlySeed = environment["PREDICATE_AGREEMENT_SEED"].flatMap { UInt64($0) }

    private static let queriesPerSet = 200
    private static let cases = onlySeed == nil ? 8 : 1

    /// The seeds of the sets of records of one of the cases.
    private static func seeds(ofCase number: Int) -> [UInt64] {
        if let onlySeed { return [onlySeed] }
        let sets = (count + queriesPerSet * cases - 1) / (queriesPerSet * cases)
        return (0..<sets).map { UInt64(number * 1_000_000 + $0) }
    }

    @Test(arguments: 0..<cases)
    func `evaluator and SQLite agree on random predicates and orders`(number: Int) async throws {
        for seed in Self.seeds(ofCase: number) {
            guard try await Self.agree(seed) else { return }
        }
    }

    /// Whether all queries over one set of records agree; records the first that doesn't.
    private static func agree(_ seed: UInt64) async throws -> Bool {
        let folder = try TestFolder()
        let stores = try ["_ann", "_bob"].map { user in
            try SQLiteStore(
                path: folder.path("agreement.sqlite"),
                userRecordID: CloudRecordID(user),
                options: .init(isDurable: false),
                temporaryFolder: nil,
                clock: { Date(timeIntervalSinceReferenceDate: 700_000_000) }
            )
        }
        var randomRecords = RandomRecords(RandomValues(generator: SeededGenerator(seed: seed)))
        let records = try await randomRecords.fill(stores)
        var queries = RandomQueries(
            random: randomRecords.random,
            fields: randomRecords.fields,
            records: records,
            capabilities: stores[0].capabilities
        )
        // Each order needs its indexes: a few orders for many predicates.
        let orders = (0..<6).map { _ in queries.order() }
        for _ in 0..<queriesPerSet {
            let order = queries.random.generator.any(orders)
            let trial = Trial(
                records: records,
                query: CloudQuery(
                    recordType: RandomRecords.recordType,
                    predicate: CloudPredicate(queries.node()),
                    orderBy: order,
                    zoneID: queries.random.generator.once(in: 10)
                        ? queries.random.generator.any(RandomValues.zones + [RandomValues.missingZone]) : nil
                ),
                pageSize: queries.random.generator.number(1..<8)
            )
            guard let failure = try await trial.failure(stores[0]) else { continue }
            let smallest = try await trial.shrunk(stores[0])
            let detail = try await smallest.failure(stores[0]) ?? failure
            Issue.record("PREDICATE_AGREEMENT_SEED=\(seed)\n\(detail)\nfound as \(trial.query.predicate)")
            return false
        }
        return true
    }
}

/// A query that SQLite and the evaluator both answer.
private struct Trial {
    let records: [CloudRecord]
    var query: CloudQuery
    let pageSize: Int

    /// What is wrong, if anything is.
    func failure(_ store: SQLiteStore) async throws -> String? {
        let predicate = try CompiledPredicate(query.predicate)
        let order = RecordOrder(query.orderBy)
        let expected = records.filter { record in
            (query.zoneID.map { $0 == record.recordID.zoneID } ?? true) && predicate.matches(record)
        }.sorted(by: order.precedes).map(\.recordID)
        var found: [CloudRecordID] = []
        var pages = 0
        var cursor: CloudCursor?
        do {
            repeat {
                let page = try await store.page(query, after: cursor, limit: pageSize)
                found += page.records.map(\.recordID)
                cursor = page.cursor
                pages += 1
                if cursor != nil, page.records.count != pageSize {
                    return describe("page \(pages) has \(page.records.count) of \(pageSize) records", expected, found)
                }
            } while cursor != nil && found.count <= expected.count
        } catch {
            return describe("error: \(error)", expected, found)
        }
        if found != expected { return describe("different records", expected, found) }
        return pages == max(1, (expected.count + pageSize - 1) / pageSize)
            ? nil : describe("\(pages) pages of \(pageSize)", expected, found)
    }

    /// The smallest part of the predicate, and the fewest keys, that still fail.
    func shrunk(_ store: SQLiteStore) async throws -> Trial {
        var smallest = self
        search: while true {
            for query in smallest.smallerQueries {
                let trial = Trial(records: records, query: query, pageSize: pageSize)
                if try await trial.failure(store) != nil {
                    smallest = trial
                    continue search
                }
            }
            return smallest
        }
    }

    private var smallerQueries: [CloudQuery] {
        var queries: [CloudQuery] = []
        func add(_ change: (inout CloudQuery) -> Void) {
            var query = query
            change(&query)
            queries.append(query)
        }
        if query.zoneID != nil { add { $0.zoneID = nil } }
        for index in query.orderBy.keys.indices {
            var keys = query.orderBy.keys
            keys.remove(at: index)
            add { $0.orderBy = OrderBy(keys: keys) }
        }
        for node in query.predicate.node.smaller { add { $0.predicate = CloudPredicate(node) } }
        return queries
    }

    private func describe(_ problem: String, _ expected: [CloudRecordID], _ found: [CloudRecordID]) -> String {
        let differing = Set(expected).symmetricDifference(found)
        let shown = records.filter { differing.contains($0.recordID) }
        return """
            \(problem), in pages of \(pageSize)
            predicate: \(query.predicate.node.description)
                       \(String(reflecting: query.predicate.node).replacing("CloudRecords.", with: ""))
            order:     \(query.orderBy.keys) zone: \(query.zoneID?.description ?? "any")
            evaluator: \(expected)
            SQLite:    \(found)
            \(shown.map(\.description).joined(separator: "\n"))
            """
    }
}

extension CloudPredicate.Node {
    /// Nodes with one part less.
    fileprivate var smaller: [CloudPredicate.Node] {
        func parts(_ nodes: [CloudPredicate.Node], _ make: ([CloudPredicate.Node]) -> CloudPredicate.Node)
            -> [CloudPredicate.Node]
        {
            var result = nodes
            for index in nodes.indices {
                var fewer = nodes
                fewer.remove(at: index)
                result.append(make(fewer))
                for smaller in nodes[index].smaller {
                    var others = nodes
                    others[index] = smaller
                    result.append(make(others))
                }
            }
            return result
        }
        switch self {
        case .and(let nodes): return parts(nodes) { .and($0) }
        case .or(let nodes): return parts(nodes) { .or($0) }
        case .not(let node): return [node] + node.smaller.map { .not($0) }
        case .quantified(let quantifier, let field, let node):
            return node.smaller.map { .quantified(quantifier, field: field, $0) }
        case .oneOf(let field, let values):
            return values.indices.map { index in
                var fewer = values
                fewer.remove(at: index)
                return .oneOf(field: field, fewer)
            }
        case .everything: return []
        default: return [.everything]
        }
    }
}
