import Synchronization

/// Where the fields that a predicate or an order names are in records of a layout.
///
/// The names are numbered, and looked up once for each layout: records that share one cost no look-ups.
final class FieldPositions: Sendable {
    private struct Known {
        let layout: FieldLayout
        let positions: [Int]
    }

    /// Records of a collection come from a few layouts: those of pages, and that of the class.
    private static let capacity = 4
    /// The position of a field that the layout lacks.
    private static let missing = -1

    private let names: [String]
    private let known = Mutex<[Known]>([])

    init(names: [String]) {
        self.names = names
    }

    /// The positions for a layout, in the order of the names.
    func positions(in layout: FieldLayout) -> [Int] {
        if names.isEmpty { return [] }
        return known.withLock { known in
            for entry in known where entry.layout === layout { return entry.positions }
            let positions = names.map { layout.index(of: $0) ?? Self.missing }
            if known.count == Self.capacity { known.removeFirst() }
            known.append(Known(layout: layout, positions: positions))
            return positions
        }
    }

    /// Calls the body with the record's fields under their numbers.
    func withFields<Result>(of record: CloudRecord, _ body: (NumberedFields) -> Result) -> Result {
        let positions = positions(in: record.layout)
        return record.fields.withValues { states in
            positions.withUnsafeBufferPointer { body(NumberedFields(states: states, positions: $0)) }
        }
    }

    /// The fields of one record, valid within the call that passes them.
    struct NumberedFields {
        /// All fields, in the order of the record's layout.
        let states: UnsafeBufferPointer<FieldState>
        fileprivate let positions: UnsafeBufferPointer<Int>

        /// What is known of the field with a number.
        subscript(number: Int) -> FieldState {
            let position = positions[number]
            return position == FieldPositions.missing ? .absent : states[position]
        }
    }
}
