import CloudRecords
import Foundation

/// A value by which subscriptions are found that want a field to be equal to it.
///
/// Values that predicates take for equal are equal keys. Keys may also be equal of values that are not, as of texts that
/// differ in their bytes only: the predicate decides.
enum EqualityKey: Hashable, Sendable {
    case text(String)
    case integer(Int64)
    case real(Double)
    case date(Double)
    case bytes(Data)
    case record(CloudRecordID)

    /// A field and the value that it has to have.
    typealias Pair = (field: String, key: EqualityKey)

    /// Nil for a value that can't be looked up.
    init?(_ value: CloudValue) {
        switch value {
        case .string(let text): self = .text(text)
        case .int64(let number): self = .integer(number)
        case .double(let number):
            // Numbers are equal by their values, whatever their types.
            if let integer = Int64(exactly: number) { self = .integer(integer) } else { self = .real(number) }
        case .date(let date): self = .date(date.timeIntervalSinceReferenceDate)
        case .bytes(let bytes): self = .bytes(bytes)
        case .reference(let reference): self = .record(reference.recordID)
        case .location, .asset, .list: return nil
        }
    }

    /// The values of which a record must have one, if the predicate is to match it; nil if it need not have any.
    ///
    /// - Complexity: O(*n*) in the size of the predicate, whose depth is limited.
    static func keys(of node: CloudPredicate.Node) -> [Pair]? {
        switch node {
        case .nothing: return []
        case .compare(let field, .equal, let value?, let options) where options.isEmpty:
            return key(field, value).map { [$0] }
        case .oneOf(let field, let values):
            return all(values) { value in value.flatMap { key(field, $0) }.map { [$0] } }
        case .and(let nodes):
            // One condition is enough to look for: that of the fewest values.
            return nodes.compactMap(keys(of:)).min { $0.count < $1.count }
        case .or(let nodes):
            return all(nodes, keys(of:))
        default:
            return nil
        }
    }

    private static func key(_ field: String, _ value: CloudValue) -> Pair? {
        // System fields are not among a record's fields, and some have rules of their own.
        guard SystemField(rawValue: field) == nil, let key = EqualityKey(value) else { return nil }
        return (field, key)
    }

    /// The keys of all elements; nil if one of them has none.
    private static func all<Element>(_ elements: [Element], _ keys: (Element) -> [Pair]?) -> [Pair]? {
        var all: [Pair] = []
        for element in elements {
            guard let found = keys(element) else { return nil }
            all += found
        }
        return all
    }
}
