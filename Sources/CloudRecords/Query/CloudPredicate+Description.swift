import Foundation

extension CloudPredicate: CustomStringConvertible {
    /// The predicate as a format string.
    ///
    /// Where its values are numbers, text and nil, parsing the description gives an equal predicate. Dates, bytes,
    /// references, locations and assets, which a format can't spell, stand in angle brackets.
    public var description: String { node.description }
}

extension CloudPredicate.Node: CustomStringConvertible {
    package var description: String {
        switch self {
        case .everything: "TRUEPREDICATE"
        case .nothing: "FALSEPREDICATE"
        case .compare(let field, let comparison, let value):
            "\(format(field: field)) \(comparison.rawValue) \(format(value))"
        case .between(let field, let low, let high):
            "\(format(field: field)) BETWEEN {\(format(low)), \(format(high))}"
        case .oneOf(let field, let values):
            "\(format(field: field)) IN {\(values.map(format).joined(separator: ", "))}"
        case .beginsWith(let field, let text):
            "\(format(field: field)) BEGINSWITH \(format(text: text))"
        case .contains(let field, let value):
            "\(format(field: field)) CONTAINS \(format(value))"
        case .tokens(let words):
            "self CONTAINS \(format(text: words))"
        case .near(let field, let place, let metres):
            "distanceToLocation:fromLocation:(\(format(field: field)), \(format(.location(place)))) < \(metres)"
        case .not(let node):
            "NOT \(node.nestedDescription)"
        case .and(let nodes):
            nodes.isEmpty ? "TRUEPREDICATE" : nodes.map(\.nestedDescription).joined(separator: " AND ")
        case .or(let nodes):
            nodes.isEmpty ? "FALSEPREDICATE" : nodes.map(\.nestedDescription).joined(separator: " OR ")
        case .malformed(let message, _, _):
            "<\(message)>"
        }
    }

    /// The description as a part of another predicate's: in parentheses unless it is a single comparison.
    private var nestedDescription: String {
        switch self {
        case .and, .or, .not: "(\(description))"
        default: description
        }
    }

    private func format(field: String) -> String {
        PredicateKeyword(word: field) == nil ? field : "#\(field)"
    }

    private func format(_ value: CloudValue?) -> String {
        switch value {
        case nil: "nil"
        case .string(let text): format(text: text)
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .date(let date): "<\(format(date: date))>"
        case .bytes(let data): "<\(data.count) bytes>"
        case .location(let location): "<\(location)>"
        case .reference(let reference): "<\(reference.recordID)>"
        case .asset(let asset): "<\(asset)>"
        case .list(let elements): "{\(elements.map(format).joined(separator: ", "))}"
        }
    }

    private func format(date: Date) -> String {
        // Calendars trap far outside this range.
        guard (-62_135_596_800.0...253_402_300_799.0).contains(date.timeIntervalSince1970) else {
            return "\(date.timeIntervalSince1970) seconds after 1970"
        }
        return date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func format(text: String) -> String {
        var quoted = "'"
        for scalar in text.unicodeScalars {
            switch scalar {
            case "'": quoted += "\\'"
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "%": quoted += "%%"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                quoted += "\\u{\(String(scalar.value, radix: 16))}"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "'"
    }
}
