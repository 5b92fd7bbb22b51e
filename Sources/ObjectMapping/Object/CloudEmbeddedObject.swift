/// The base class of objects that are kept inside another object's record.
///
/// A property `address` of an `Address` subclass with a property `street` becomes the field `address__street`.
/// An optional property has one more field under its own name, which is 1 while there is an object: so nil is kept
/// apart from an object with empty properties. On load, an object that is there already is filled in place, so that
/// what its owner's initialiser set up and the store doesn't know stays.
///
/// ```swift
/// final class Address: CloudEmbeddedObject {
///     var street = ""
/// }
/// final class Invoice: CloudDataObject {
///     var billing = Address()
///     var delivery: Address?
/// }
/// ```
nonisolated open class CloudEmbeddedObject {
    /// Makes an object with the properties' initial values.
    public required init() {}

    /// What is to be mapped otherwise than by name and type, see ``FieldRule``.
    open class var fieldRules: [FieldRule] { [] }
}
