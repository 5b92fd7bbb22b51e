import Synchronization

/// Where the fields that a predicate or an order names are in records of a layout.
///
/// The names are numbered, and looked up once for each layout: records that share one cost no look-ups.
final class FieldPositions: Sendable {
    private final class Known: Sendable {
        let layout: FieldLayout
        let positions: [Int]

        init(layout: FieldLayout, positions: [Int]) {
            self.layout = layout
            self.positions = positions
        }
    }

    /// Records of a collection come from a few layouts: those of pages, and that of the class.
    private static let capacity = 4
    /// The position of a field that the layout lacks.
    private static let missing = -1

    private let names: [String]
    // Nearly all records have the first layout: for them no lock is taken.
    private let first = OnceReference<Known>()
    private let others = Mutex<[Known]>([])

    init(names: [String]) {
        self.names = names
    }

    /// Calls the body with the positions for a layout, in the order of the names.
    @inline(__always)
    private func with<Result>(_ layout: FieldLayout, _ body: (Known) -> Result) -> Result {
        first.with { $0.layout === layout ? body($0) : nil } ?? body(otherKnown(layout))
    }

    private func otherKnown(_ layout: FieldLayout) -> Known {
        others.withLock { others in
            for entry in others where entry.layout === layout { return entry }
            let entry = Known(layout: layout, positions: names.map { layout.index(of: $0) ?? Self.missing })
            if first.setIfUnset(entry) { return entry }
            if others.count == Self.capacity { others.removeFirst() }
            others.append(entry)
            return entry
        }
    }

    /// Calls the body with the record's fields under their numbers.
    @inline(__always)
    func withFields<Result>(of record: CloudRecord, _ body: (NumberedFields) -> Result) -> Result {
        if names.isEmpty {
            let none = UnsafeBufferPointer<Int>(start: nil, count: 0)
            return record.fields.withValues { body(NumberedFields(states: $0, positions: none)) }
        }
        return with(record.fields.layout) { known in
            record.fields.withValues { states in
                known.positions.withUnsafeBufferPointer { body(NumberedFields(states: states, positions: $0)) }
            }
        }
    }

    /// The fields of one record, valid within the call that passes them.
    struct NumberedFields {
        /// All fields, in the order of the record's layout.
        let states: UnsafeBufferPointer<FieldState>
        fileprivate let positions: UnsafeBufferPointer<Int>

        /// Where the field with a number is; nil if the layout lacks it.
        @inline(__always)
        func position(of number: Int) -> Int? {
            let position = positions[number]
            return position == FieldPositions.missing ? nil : position
        }

        /// What is known of the field with a number.
        subscript(number: Int) -> FieldState {
            position(of: number).map { states[$0] } ?? .absent
        }
    }
}
