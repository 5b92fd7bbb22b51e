import CloudRecords
import Foundation

/// A short text that is the same for equal queries, in every process and at every time, and for no two others.
struct QueryFingerprint {
    private var bytes: [UInt8] = []

    /// The fingerprint of a query. The fields to return play no part.
    static func text(_ query: CloudQuery) -> String {
        var fingerprint = QueryFingerprint()
        fingerprint.add("query 1")
        fingerprint.add(query.recordType)
        fingerprint.add(query.zoneID.map { "\($0.zoneName)\u{1F}\($0.ownerName)" })
        fingerprint.add(query.predicate.node)
        fingerprint.add(query.orderBy.keys.count)
        for key in query.orderBy.keys {
            switch key {
            case .field(let field, let isAscending):
                fingerprint.add(isAscending ? "+" : "-")
                fingerprint.add(field)
            case .distance(let field, let location):
                fingerprint.add("distance")
                fingerprint.add(field)
                fingerprint.add(.location(location))
            }
        }
        var hasher = SHA256Hasher()
        fingerprint.bytes.withUnsafeBytes { hasher.update($0) }
        return String(hasher.hexadecimalDigest().prefix(32))
    }

    // Each part is preceded by its length or count, so that no two trees give the same bytes.

    private mutating func add(_ count: Int) {
        withUnsafeBytes(of: UInt64(count).littleEndian) { bytes.append(contentsOf: $0) }
    }

    private mutating func add(_ text: String) {
        add(text.utf8.count)
        bytes.append(contentsOf: text.utf8)
    }

    private mutating func add(_ text: String?) {
        add(text == nil ? 0 : 1)
        if let text { add(text) }
    }

    private mutating func add(_ value: CloudValue) {
        add(value.fieldType.description)
        switch value {
        case .list(let elements):
            add(elements.count)
            for element in elements { add(element) }
        case .asset(let asset): add(asset.contentName ?? asset.fileURL.absoluteString)
        default: add(ValueText.json(value).encoded)
        }
    }

    private mutating func add(_ value: CloudValue?) {
        add(value == nil ? 0 : 1)
        if let value { add(value) }
    }

    private mutating func add(_ options: TextOptions) {
        add(Int(options.rawValue))
    }

    private mutating func add(_ operation: String, _ field: String, _ text: String, _ options: TextOptions) {
        add(operation)
        add(field)
        add(text)
        add(options)
    }

    private mutating func add(_ node: CloudPredicate.Node) {
        switch node {
        case .everything: add("all")
        case .nothing: add("none")
        case .compare(let field, let comparison, let value, let options):
            add("compare")
            add(field)
            add(comparison.rawValue)
            add(value)
            add(options)
        case .between(let field, let low, let high):
            add("between")
            add(field)
            add(low)
            add(high)
        case .oneOf(let field, let values):
            add("oneOf")
            add(field)
            add(values.count)
            for value in values { add(value) }
        case .beginsWith(let field, let prefix, let options):
            add("beginsWith", field, prefix, options)
        case .endsWith(let field, let suffix, let options):
            add("endsWith", field, suffix, options)
        case .like(let field, let pattern, let options):
            add("like", field, pattern, options)
        case .contains(let field, let value, let options):
            add("contains")
            add(field)
            add(value)
            add(options)
        case .quantified(let quantifier, let field, let node):
            add(quantifier.rawValue)
            add(field)
            add(node)
        case .tokens(let words):
            add("tokens")
            add(words)
        case .near(let field, let location, let metres):
            add("near")
            add(field)
            add(.location(location))
            add(.double(metres))
        case .not(let node):
            add("not")
            add(node)
        case .and(let nodes):
            add("and")
            add(nodes.count)
            for node in nodes { add(node) }
        case .or(let nodes):
            add("or")
            add(nodes.count)
            for node in nodes { add(node) }
        case .malformed(let message, _, _):
            add("malformed")
            add(message)
        }
    }
}
