import CloudRecords

/// How one property is mapped otherwise than by its name and type.
///
/// ```swift
/// override class var fieldRules: [FieldRule] {
///     [.rename("from", to: "sender"), .ignore("scratch")]
/// }
/// ```
///
/// Rules belong to a class and are the same for all uses of it. Several rules may name one property. A rule that names
/// a property which the class lacks is an error at first use.
public struct FieldRule: Sendable {
    enum Action: Sendable {
        case rename(String)
        case ignore
        case exportOnly
        case importOnly
        case convert(any FieldCodec)
    }

    let property: String
    let action: Action

    /// Keeps the property in a field of another name.
    public static func rename(_ property: String, to field: String) -> FieldRule {
        FieldRule(property: property, action: .rename(field))
    }

    /// Keeps the property out of the record, both ways. Its type may be any.
    public static func ignore(_ property: String) -> FieldRule {
        FieldRule(property: property, action: .ignore)
    }

    /// Saves the property but never loads it.
    public static func exportOnly(_ property: String) -> FieldRule {
        FieldRule(property: property, action: .exportOnly)
    }

    /// Loads the property but never saves it.
    public static func importOnly(_ property: String) -> FieldRule {
        FieldRule(property: property, action: .importOnly)
    }

    /// Converts the property with closures of the app's own.
    ///
    /// - Parameters:
    ///   - property: The property's name.
    ///   - type: The type of the field, if it is known before the first value.
    ///   - encode: Gives the field's value; nil for null. Its parameter has the property's exact type.
    ///   - decode: Gives the property's value; it gets nil when the field is null.
    public static func convert<Value>(
        _ property: String,
        to type: CloudFieldType? = nil,
        encode: @escaping @Sendable (Value) throws -> CloudValue?,
        decode: @escaping @Sendable (CloudValue?) throws -> Value
    ) -> FieldRule {
        FieldRule(
            property: property,
            action: .convert(ConvertingCodec(fieldType: type, encoding: encode, decoding: decode))
        )
    }
}
