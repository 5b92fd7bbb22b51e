import Foundation

/// Mapping as it is mostly written without a plan: a walk with `Mirror` over the properties, into a dictionary.
enum MirrorWalk {
    static func fields(of object: Any) -> [String: FloorValue] {
        var fields: [String: FloorValue] = [:]
        for child in Mirror(reflecting: object).children {
            guard let label = child.label else { continue }
            switch child.value {
            case let value as String: fields[label] = .string(value)
            case let value as Int: fields[label] = .int64(Int64(value))
            case let value as Double: fields[label] = .double(value)
            case let value as Date: fields[label] = .date(value)
            case let value as Bool: fields[label] = .int64(value ? 1 : 0)
            default: fields[label] = .null
            }
        }
        return fields
    }
}
