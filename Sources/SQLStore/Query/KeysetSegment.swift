/// A stretch of a sorted result that one look into an index finds: equal in the first keys, a range in the next one.
///
/// What comes after a position is a sequence of such stretches, from the deepest to the shallowest: first the records
/// that are equal in all keys but the last one, then those equal in all but the last two, and so on. They are
/// disjoint and in order, so that reading them one after the other until the page is full gives the result without
/// sorting and without reading past what was read before.
package struct KeysetSegment: Sendable, Hashable {
    /// How a column of the order sorts.
    package struct Key: Sendable, Hashable {
        package let isAscending: Bool
        /// Whether there may be nulls, which come first in ascending order.
        package let isNullable: Bool

        package init(isAscending: Bool, isNullable: Bool) {
            self.isAscending = isAscending
            self.isNullable = isNullable
        }
    }

    package enum Range: Sendable, Hashable {
        case greater(than: SQLValue)
        case less(than: SQLValue)
        case hasValue
        case isNull
    }

    /// The values of the first keys; null stands for null.
    package let equal: [SQLValue]
    /// The range of the key after those.
    package let range: Range

    /// The stretches after the record with these values of the keys.
    package static func segments(after position: [SQLValue], keys: [Key]) -> [KeysetSegment] {
        var segments: [KeysetSegment] = []
        for index in keys.indices.reversed() where index < position.count {
            let equal = Array(position[..<index])
            for range in ranges(after: position[index], keys[index]) {
                segments.append(KeysetSegment(equal: equal, range: range))
            }
        }
        return segments
    }

    private static func ranges(after value: SQLValue, _ key: Key) -> [Range] {
        switch (value, key.isAscending) {
        case (.null, true): [.hasValue]
        case (.null, false): []
        case (_, true): [.greater(than: value)]
        case (_, false): key.isNullable ? [.less(than: value), .isNull] : [.less(than: value)]
        }
    }
}
