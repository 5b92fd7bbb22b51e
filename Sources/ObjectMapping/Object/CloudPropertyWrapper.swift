/// A property wrapper whose wrapped value is to be mapped.
///
/// The value is kept under the property's own name, and is read and written through the wrapper.
///
/// ```swift
/// @propertyWrapper struct Clamped: CloudPropertyWrapper {
///     private var value = 0
///     var wrappedValue: Int { get { value } set { value = min(max(newValue, 0), 100) } }
/// }
/// ```
public protocol CloudPropertyWrapper<Value> {
    /// The type of the wrapped value.
    associatedtype Value

    /// The wrapped value.
    var wrappedValue: Value { get set }
}
