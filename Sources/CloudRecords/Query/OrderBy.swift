/// The order of a query's results.
///
/// ```swift
/// let order = OrderBy.ascending("subject").descending("creationDate")
/// ```
///
/// Null and absent fields come first in ascending order and last in descending order. Text is sorted by
/// Unicode scalar values, so that `Z` comes before `a`: no order disregards case or diacritics. Keep the text folded in a
/// field of its own to sort by it. Every order ends with the record name as a tie-breaker, in the direction of the last key.
/// Records of one name in several zones follow each other in the same direction: the default zone first, then by zone
/// name and by owner name.
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

    /// By the distance of a location field from a place, nearest first. Records without a location come last.
    ///
    /// No index gives this order: the SQL stores compute the distance of each record that matches, and sort all of them
    /// for each page. On a large collection join it with a condition that leaves few, such as a radius
    /// (`distanceToLocation:fromLocation:(place, %@) < 5000`), which an index finds.
    /// - Complexity: O(*m* log *k*) for each page of *k* of *m* records that match.
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
