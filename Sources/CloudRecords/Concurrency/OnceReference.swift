import Synchronization

/// A reference that is set once and then read by many threads, without a lock and without being counted.
///
/// Counting a reference from several threads costs more than all else that a look-up in a small cache does.
@usableFromInline
package struct OnceReference<Value: AnyObject & Sendable>: ~Copyable, Sendable {
    // Holds a count of its own from when it is set until this struct is destroyed.
    @usableFromInline let reference = Atomic<Unmanaged<Value>?>(nil)

    package init() {}

    deinit {
        reference.load(ordering: .acquiring)?.release()
    }

    /// Sets the reference, unless it was set before.
    /// - Returns: Whether it was set now.
    package func setIfUnset(_ value: Value) -> Bool {
        let retained = Unmanaged.passRetained(value)
        let isSet = reference.compareExchange(expected: nil, desired: retained, ordering: .acquiringAndReleasing)
            .exchanged
        if !isSet { retained.release() }
        return isSet
    }

    /// Calls the body with the object, if it is set.
    @inlinable @inline(__always)
    package func with<Result>(_ body: (Value) throws -> Result?) rethrows -> Result? {
        // Sound because what was set stays alive as long as this struct, which is borrowed until the body returns.
        try reference.load(ordering: .acquiring)?._withUnsafeGuaranteedRef { try body($0) }
    }
}
