import CloudRecords
import Foundation

/// Whether values of a type compare in a field as they do in Swift.
enum KeptOrder {
    /// Throws if a store would order the values of a type by their text, which is not the type's own order: 10 comes
    /// before 9 then, and `high` before `low`.
    static func check(_ type: Any.Type, of field: String) throws {
        let type = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard type == Decimal.self || (type as? any RawRepresentable.Type).map({ isText($0) }) == true else { return }
        throw CloudError(
            .unsupported,
            "Field \(field) is kept as text, so a store can't order it as the type \(type) does.",
            remedy: "Keep what is to be ordered as a number, or compare by == and a list of values.",
            field: field
        )
    }

    /// The same for sorting. A type without an order of its own, which no comparison takes, is sorted by its raw values.
    static func checkSorting(by type: Any.Type, of field: String) throws {
        let wrapped = (type as? any OptionalType.Type)?.wrappedType ?? type
        guard wrapped is any Comparable.Type else { return }
        try check(wrapped, of: field)
    }

    private static func isText<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
        Value.RawValue.self == String.self
    }
}
