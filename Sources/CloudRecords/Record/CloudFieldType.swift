/// The type of a field, as the schema knows it.
///
/// A field keeps the type of its first value. Bool, all integers and enums over integers are ``int64``;
/// UUID, URL, Decimal and JSON are ``string``.
public enum CloudFieldType: Sendable, Hashable, Codable {
    case string
    case int64
    case double
    case date
    case bytes
    case location
    case reference
    case asset
    /// A list of one type of element; nil as long as no element has been seen.
    indirect case list(of: CloudFieldType?)

    /// Whether a value of another type may go into a field of this type: only lists without a known element do so.
    package func accepts(_ other: CloudFieldType) -> Bool {
        switch (self, other) {
        case (.list(of: nil), .list), (.list, .list(of: nil)): true
        default: self == other
        }
    }
}

extension CloudFieldType: CustomStringConvertible {
    /// The type's name in CloudKit's schema language, for instance `LIST<STRING>`.
    public var description: String {
        switch self {
        case .string: "STRING"
        case .int64: "INT64"
        case .double: "DOUBLE"
        case .date: "TIMESTAMP"
        case .bytes: "BYTES"
        case .location: "LOCATION"
        case .reference: "REFERENCE"
        case .asset: "ASSET"
        case .list(of: let element?): "LIST<\(element)>"
        case .list(of: nil): "LIST"
        }
    }

    /// The name with the article that it takes in a sentence.
    package var nameWithArticle: String {
        switch self {
        case .int64, .asset: "an \(self)"
        default: "a \(self)"
        }
    }
}
