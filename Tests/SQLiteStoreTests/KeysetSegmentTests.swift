import SQLStore
import Testing

@Suite("Keyset segments")
struct KeysetSegments {
    private typealias Key = KeysetSegment.Key

    @Test("Segments go from the deepest to the shallowest key")
    func order() {
        let keys = [
            Key(isAscending: true, isNullable: false), Key(isAscending: false, isNullable: false),
            Key(isAscending: true, isNullable: false),
        ]
        let segments = KeysetSegment.segments(after: [.integer(1), .text("t"), .text("name")], keys: keys)
        #expect(segments.map(\.equal) == [[.integer(1), .text("t")], [.integer(1)], []])
        #expect(
            segments.map(\.range)
                == [.greater(than: .text("name")), .less(than: .text("t")), .greater(than: .integer(1))]
        )
    }

    @Test("Nulls come first ascending and last descending")
    func nulls() {
        let up = Key(isAscending: true, isNullable: true)
        let down = Key(isAscending: false, isNullable: true)
        #expect(KeysetSegment.segments(after: [.null], keys: [up]).map(\.range) == [.hasValue])
        #expect(KeysetSegment.segments(after: [.integer(1)], keys: [up]).map(\.range) == [.greater(than: .integer(1))])
        #expect(KeysetSegment.segments(after: [.null], keys: [down]).isEmpty)
        #expect(
            KeysetSegment.segments(after: [.integer(1)], keys: [down]).map(\.range)
                == [.less(than: .integer(1)), .isNull]
        )
    }

    @Test("Read one after the other, the segments give all that comes after a position, once and in order")
    func exhaustive() {
        let values: [SQLValue] = [.null, .integer(1), .integer(2)]
        for directions in 0..<8 {
            let keys = (0..<3).map { Key(isAscending: directions >> $0 & 1 == 0, isNullable: $0 < 2) }
            var rows: [[SQLValue]] = []
            for a in values {
                for b in values {
                    for c in values.dropFirst() { rows.append([a, b, c]) }
                }
            }
            rows.sort { isBefore($0, $1, keys) }
            for (index, row) in rows.enumerated() {
                let found = KeysetSegment.segments(after: row, keys: keys).flatMap { segment in
                    rows.filter { isIn($0, segment) }
                }
                #expect(found == Array(rows[(index + 1)...]))
            }
        }
    }

    private func isBefore(_ left: [SQLValue], _ right: [SQLValue], _ keys: [Key]) -> Bool {
        for (index, key) in keys.enumerated() where left[index] != right[index] {
            return (number(left[index]) < number(right[index])) == key.isAscending
        }
        return false
    }

    private func isIn(_ row: [SQLValue], _ segment: KeysetSegment) -> Bool {
        guard Array(row.prefix(segment.equal.count)) == segment.equal else { return false }
        let value = row[segment.equal.count]
        switch segment.range {
        case .greater(let bound): return value != .null && number(value) > number(bound)
        case .less(let bound): return value != .null && number(value) < number(bound)
        case .hasValue: return value != .null
        case .isNull: return value == .null
        }
    }

    private func number(_ value: SQLValue) -> Int64 {
        if case .integer(let number) = value { number } else { .min }
    }
}
