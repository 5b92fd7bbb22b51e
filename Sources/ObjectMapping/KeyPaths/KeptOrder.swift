import CloudRecords

/// Whether values of a type compare in a field as they do in Swift.
enum KeptOrder {
    /// Throws if a store would order the values of a type by their text, which is not the type's own order.
    static func check(_ type: Any.Type, of field: String) throws {
        if let unsorted = UnsortedType(type) { throw unsorted.error(orderOf: field) }
    }

    /// The same for sorting. A type without an order of its own, which no comparison takes, is sorted by its raw values.
    static func checkSorting(by type: Any.Type, of field: String) throws {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard wrapped is any Comparable.Type else { return }
        try check(wrapped, of: field)
    }
}
