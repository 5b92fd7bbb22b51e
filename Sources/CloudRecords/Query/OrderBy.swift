/// The order of a query's results.
///
/// ```swift
/// let order = OrderBy.ascending("subject").descending("creationDate")
/// ```
///
/// Null and absent fields come first in ascending order and last in descending order. Text is sorted by
/// Unicode scalar values. Every order ends with the record name as a tie-breaker, in the direction of the last key.
/// The fields may be system fields, see ``SystemField``.
public struct OrderBy: Sendable, Hashable, Codable {
    package enum Key: Sendable, Hashable, Codable {
        case field(String, ascending: Bool)
        /// Nearest first.
        case distance(String, from: CloudLocation)
    }

    package let keys: [Key]

    package init(keys: [Key]) {
        self.keys = keys
    }

    /// By record name only.
    public static let recordName = OrderBy(keys: [])

    /// By a field, smallest first.
    public static func ascending(_ field: String) -> OrderBy {
        OrderBy(keys: [.field(field, ascending: true)])
    }

    /// By a field, largest first.
    public static func descending(_ field: String) -> OrderBy {
        OrderBy(keys: [.field(field, ascending: false)])
    }

    /// By the distance of a location field from a place, nearest first.
    public static func distance(_ field: String, from location: CloudLocation) -> OrderBy {
        OrderBy(keys: [.distance(field, from: location)])
    }

    /// This order, and among equals by another field, smallest first.
    public func ascending(_ field: String) -> OrderBy {
        OrderBy(keys: keys + [.field(field, ascending: true)])
    }

    /// This order, and among equals by another field, largest first.
    public func descending(_ field: String) -> OrderBy {
        OrderBy(keys: keys + [.field(field, ascending: false)])
    }

    /// This order, and among equals by the distance of a location field from a place, nearest first.
    public func distance(_ field: String, from location: CloudLocation) -> OrderBy {
        OrderBy(keys: keys + [.distance(field, from: location)])
    }
}
