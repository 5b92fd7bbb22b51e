import CloudRecords

/// The type of a field without the element type of a list: what the loop over a row's columns switches on.
package enum ColumnKind: UInt8, Sendable {
    case string, int64, double, date, bytes, location, reference, asset, list

    package init(_ type: CloudFieldType) {
        self =
            switch type {
            case .string: .string
            case .int64: .int64
            case .double: .double
            case .date: .date
            case .bytes: .bytes
            case .location: .location
            case .reference: .reference
            case .asset: .asset
            case .list: .list
            }
    }

    /// What the field's own column holds.
    package var storage: ColumnStorage {
        switch self {
        case .string, .location, .reference, .asset, .list: .text
        case .int64: .integer
        case .double, .date: .real
        case .bytes: .blob
        }
    }
}

extension CloudFieldType {
    /// Reads the description of a type, as the schema's own tables keep it; nil if it is none.
    package init?(description: String) {
        switch description {
        case "STRING": self = .string
        case "INT64": self = .int64
        case "DOUBLE": self = .double
        case "TIMESTAMP": self = .date
        case "BYTES": self = .bytes
        case "LOCATION": self = .location
        case "REFERENCE": self = .reference
        case "ASSET": self = .asset
        case "LIST": self = .list(of: nil)
        default:
            guard
                description.hasPrefix("LIST<"), description.hasSuffix(">"),
                let element = CloudFieldType(description: String(description.dropFirst(5).dropLast()))
            else { return nil }
            self = .list(of: element)
        }
    }
}
