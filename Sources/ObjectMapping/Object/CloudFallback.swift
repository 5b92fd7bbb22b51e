/// An enum that has a case for raw values which this build does not know.
///
/// A newer version of an app may have stored a raw value that an older one lacks. Into a property of such an enum
/// it loads as ``fallback``; the stored value is kept and written back unless the property is changed.
public protocol CloudFallback: RawRepresentable {
    /// The case that stands for an unknown raw value.
    static var fallback: Self { get }
}
