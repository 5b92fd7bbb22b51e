/// The values of one record beside their layout.
///
/// The values may be a stretch of an array that holds a whole page of records: one allocation serves all of them.
/// A change copies the record's own stretch out first.
@usableFromInline
package struct RecordFields: Sendable {
    // What is inlined into other modules sees the stored properties.
    @usableFromInline package internal(set) var layout: FieldLayout
    @usableFromInline var storage: ContiguousArray<FieldState>
    @usableFromInline var start: Int

    /// Makes fields from one value for each name of the layout.
    ///
    /// A page of records passes one array to all of them, each with the start of its own stretch.
    @inlinable
    package init(layout: FieldLayout, storage: ContiguousArray<FieldState>, start: Int = 0) {
        precondition(start >= 0 && start + layout.count <= storage.count, "the stretch lies within the array")
        self.layout = layout
        self.storage = storage
        self.start = start
    }

    /// Makes fields that are all absent.
    package init(layout: FieldLayout) {
        self.init(layout: layout, storage: ContiguousArray(repeating: .absent, count: layout.count))
    }

    package var count: Int { layout.count }

    package subscript(index: Int) -> FieldState {
        get { storage[start + index] }
        set {
            detach()
            storage[index] = newValue
        }
    }

    /// Calls the body with direct access to the values, in the layout's order.
    @inlinable
    package func withValues<Result>(_ body: (UnsafeBufferPointer<FieldState>) throws -> Result) rethrows -> Result {
        try storage.withUnsafeBufferPointer { values in
            try body(UnsafeBufferPointer(rebasing: values[start..<(start + layout.count)]))
        }
    }

    /// Adds a field at the end, growing the layout.
    package mutating func append(_ name: String, type: CloudFieldType?, state: FieldState) {
        detach()
        layout = layout.adding(name, type: type)
        storage.append(state)
    }

    private mutating func detach() {
        guard start != 0 || storage.count != layout.count else { return }
        storage = ContiguousArray(storage[start..<(start + layout.count)])
        start = 0
    }
}
