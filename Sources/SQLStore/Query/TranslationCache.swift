import CloudRecords
import Synchronization

/// The translations of the queries that were asked last, so that the pages of one are translated once.
final class TranslationCache: Sendable {
    private struct Key: Hashable {
        /// By bytes, as predicates compare: two texts that Swift takes for equal may be different ones to a store.
        let fingerprint: String
        let desiredFields: [String]?
        let generation: Int64
    }

    /// The queries of an app are few; a program that makes up queries must not fill the memory.
    private static let capacity = 64
    /// The terms of the largest predicate that is kept.
    private static let largestPredicate = 500

    private let known = Mutex<[Key: QueryTranslation]>([:])

    /// The translation of a query for a state of the schema.
    func translation(
        _ request: PageRequest,
        generation: Int64,
        _ make: () throws -> QueryTranslation
    ) throws -> QueryTranslation {
        let key = Key(
            fingerprint: request.fingerprint,
            desiredFields: request.query.desiredFields,
            generation: generation
        )
        if let translation = known.withLock({ $0[key] }) { return translation }
        let translation = try make()
        guard request.query.predicate.node.hasTerms(atMost: Self.largestPredicate) else { return translation }
        known.withLock { known in
            if known.count >= Self.capacity { known.removeAll() }
            known[key] = translation
        }
        return translation
    }
}

extension CloudPredicate.Node {
    /// Whether there are no more terms and values in the predicate than so many.
    fileprivate func hasTerms(atMost limit: Int) -> Bool {
        var count = 0
        var left = [self]
        while let node = left.popLast(), count <= limit {
            switch node {
            case .not(let node), .quantified(_, _, let node): left.append(node)
            case .and(let nodes), .or(let nodes):
                count += nodes.count
                if count <= limit { left += nodes }
            case .oneOf(_, let values): count += values.count
            default: count += 1
            }
        }
        return count <= limit
    }
}
