/// Something that a query can find or sort quickly because the store keeps it in order.
///
/// Two indexes are equal if they keep the records in the same order: `.queryable("from", sortedBy: "likes")` equals
/// `.ordered(equal: [], sorted: [.init("from"), .init("likes")])`, because records that are equal in a field lie
/// together when they are sorted by it. Every order ends with the record name, which need not be named.
public enum CloudIndex: Sendable, Codable {
    /// A key of an order.
    public struct Key: Sendable, Hashable, Codable {
        /// The name of a field, or of a system field such as `creationDate`.
        public let field: String
        /// The direction.
        public let isAscending: Bool

        /// Makes a key.
        public init(_ field: String, isAscending: Bool = true) {
            self.field = field
            self.isAscending = isAscending
        }
    }

    /// Records that are equal in some fields, sorted by others; either list may be empty, but not both.
    ///
    /// An index can be read backwards, so that it serves the opposite directions too. For a location the direction
    /// plays no part: what is near is found.
    case ordered(equal: [String], sorted: [Key])

    /// The words of all text fields, for token search.
    case words

    /// Records with a value of a field, or a range of values.
    public static func queryable(_ field: String) -> CloudIndex { .ordered(equal: [], sorted: [Key(field)]) }

    /// Records with equal values of some fields, sorted by another one.
    public static func queryable(_ fields: String..., sortedBy key: String, isAscending: Bool = true) -> CloudIndex {
        .ordered(equal: fields, sorted: [Key(key, isAscending: isAscending)])
    }
}

extension CloudIndex: Hashable {
    /// The keys by which the records lie in order, each field once; empty for ``words``.
    package var keys: [Key] {
        guard case .ordered(let equal, let sorted) = self else { return [] }
        let isReversed = sorted.first.map { !$0.isAscending } ?? false
        var seen: Set<String> = []
        var keys =
            equal.map { Key($0) } + sorted.map { Key($0.field, isAscending: $0.isAscending != isReversed) }
        keys = keys.filter { seen.insert($0.field).inserted }
        if keys.count > 1, keys[keys.count - 1].field == SystemField.recordID.rawValue,
            keys[keys.count - 1].isAscending == keys[keys.count - 2].isAscending
        {
            keys.removeLast()
        }
        return keys
    }

    public static func == (left: CloudIndex, right: CloudIndex) -> Bool { left.keys == right.keys }

    public func hash(into hasher: inout Hasher) { hasher.combine(keys) }
}

extension CloudIndex: CustomStringConvertible {
    /// The names of the keys, each that descends with a word that says so: `from, likes descending`.
    public var description: String {
        if case .words = self { return "words" }
        return keys.map { $0.isAscending ? $0.field : "\($0.field) descending" }.joined(separator: ", ")
    }
}

extension CloudIndex {
    /// Checks that the fields exist and have an order.
    ///
    /// - Parameters:
    ///   - subject: What has the fields, as messages name it: "class Message" or "record type Message".
    ///   - type: The type of a field; nil if there is no such field.
    /// - Throws: ``CloudError/Code/invalidArguments`` naming the field.
    package func check(subject: String, type: (String) -> CloudFieldType?) throws {
        if case .words = self { return }
        guard !keys.isEmpty else {
            throw CloudError(
                .invalidArguments,
                "An index of \(subject) names no field.",
                remedy: "Name the fields by which records are looked for or sorted."
            )
        }
        for key in keys {
            switch SystemField(rawValue: key.field) {
            case .recordChangeTag: throw Self.failure(key.field, subject, "change tags have no order")
            case .some: continue
            case nil: break
            }
            guard let type = type(key.field) else {
                throw CloudError(
                    .invalidArguments,
                    "An index names the field \(key.field), but \(subject) has no field of this name.",
                    remedy: "Correct the name; a property with a rule .rename is indexed by its field's name.",
                    field: key.field
                )
            }
            switch type {
            case .string, .int64, .double, .date, .reference, .location: continue
            case .bytes, .asset, .list: throw Self.failure(key.field, subject, "no query looks for a \(type) in order")
            }
        }
    }

    private static func failure(_ field: String, _ subject: String, _ reason: String) -> CloudError {
        CloudError(
            .invalidArguments,
            "Field \(field) of \(subject) can't be indexed: \(reason).",
            remedy: "Leave it out of the index.",
            field: field
        )
    }
}
