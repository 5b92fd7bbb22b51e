/// What is known of one field of a record.
public enum FieldState: Sendable, Hashable {
    /// Not known here: the field was not fetched, or never set. Saving leaves the stored value alone.
    case absent
    /// Known to be empty. Saving clears the stored value.
    case null
    /// Known to hold this value.
    case value(CloudValue)

    /// The value, if there is one.
    public var value: CloudValue? {
        if case .value(let value) = self { value } else { nil }
    }
}
