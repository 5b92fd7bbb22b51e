import Foundation

/// A type whose values are kept as text, which does not sort as they do: 10 comes before 9 then, and `high` before
/// `low`.
package struct UnsortedType: Sendable, Hashable {
    private let name: String

    /// Returns nil if values of the type sort as they are kept. Of optionals and collections it is about what is in them.
    package init?(_ type: Any.Type) {
        var type = type
        while let container = type as? any HoldingValues.Type { type = container.heldType }
        guard type == Decimal.self || (type as? any RawRepresentable.Type).map({ Self.isText($0) }) == true else {
            return nil
        }
        name = "\(type)"
    }

    private static func isText<Value: RawRepresentable>(_ type: Value.Type) -> Bool {
        Value.RawValue.self == String.self
    }

    /// The error of asking for an order of a field that has such values.
    package func error(orderOf field: String) -> CloudError {
        CloudError(
            .unsupported,
            "Field \(field) is kept as text, so a store can't order it as the type \(name) does.",
            remedy: "Keep what is to be ordered as a number, or compare by == and a list of values.",
            field: field
        )
    }
}

/// An optional or a collection, seen without the type of what is in it.
private protocol HoldingValues {
    static var heldType: Any.Type { get }
}

extension Optional: HoldingValues {
    fileprivate static var heldType: Any.Type { Wrapped.self }
}

extension Array: HoldingValues {
    fileprivate static var heldType: Any.Type { Element.self }
}

extension Set: HoldingValues {
    fileprivate static var heldType: Any.Type { Element.self }
}
