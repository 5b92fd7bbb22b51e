import Foundation

extension CloudPredicate: CustomStringConvertible {
    /// The predicate as a format string.
    ///
    /// Parsing the description gives an equal predicate. Only assets, which no predicate can compare, have no spelling
    /// in a format: they stand in angle brackets.
    public var description: String { node.description }
}

extension CloudPredicate.Node: CustomStringConvertible {
    private enum Part {
        case node(CloudPredicate.Node)
        case text(String)
    }

    package var description: String {
        // A list of what is left to do and no recursion, so that deep trees can be printed too.
        var description = ""
        var left: [Part] = [.node(self)]
        while let part = left.popLast() {
            switch part {
            case .text(let text): description += text
            case .node(let node): left += node.descriptionParts.reversed()
            }
        }
        return description
    }

    private var descriptionParts: [Part] {
        switch self {
        case .quantified(let quantifier, _, let node):
            [.text("\(quantifier.rawValue) ")] + node.nestedParts
        case .not(let node):
            [.text("NOT ")] + node.nestedParts
        case .and(let nodes):
            nodes.isEmpty ? [.text("TRUEPREDICATE")] : Self.joined(nodes, by: " AND ")
        case .or(let nodes):
            nodes.isEmpty ? [.text("FALSEPREDICATE")] : Self.joined(nodes, by: " OR ")
        default:
            [.text(comparisonDescription)]
        }
    }

    /// The description as a part of another predicate's: in parentheses unless it is a single comparison.
    private var nestedParts: [Part] {
        switch self {
        case .and, .or, .not: [.text("("), .node(self), .text(")")]
        default: [.node(self)]
        }
    }

    private static func joined(_ nodes: [CloudPredicate.Node], by separator: String) -> [Part] {
        Array(nodes.map(\.nestedParts).joined(separator: [.text(separator)]))
    }

    /// The description of a node that has none below it.
    private var comparisonDescription: String {
        switch self {
        case .everything: "TRUEPREDICATE"
        case .nothing: "FALSEPREDICATE"
        case .compare(let field, let comparison, let value, let options):
            "\(format(field: field)) \(comparison.rawValue)\(options) \(format(value))"
        case .between(let field, let low, let high):
            "\(format(field: field)) BETWEEN {\(format(low)), \(format(high))}"
        case .oneOf(let field, let values):
            "\(format(field: field)) IN {\(values.map(format).joined(separator: ", "))}"
        case .beginsWith(let field, let text, let options):
            "\(format(field: field)) BEGINSWITH\(options) \(format(text: text))"
        case .endsWith(let field, let text, let options):
            "\(format(field: field)) ENDSWITH\(options) \(format(text: text))"
        case .like(let field, let pattern, let options):
            "\(format(field: field)) LIKE\(options) \(format(text: pattern))"
        case .contains(let field, let value, let options):
            "\(format(field: field)) CONTAINS\(options) \(format(value))"
        case .tokens(let words):
            "self CONTAINS \(format(text: words))"
        case .near(let field, let place, let metres):
            "distanceToLocation:fromLocation:(\(format(field: field)), \(format(.location(place)))) < \(metres)"
        case .malformed(let message, _, _):
            "<\(message)>"
        case .quantified, .not, .and, .or:
            ""
        }
    }

    private func format(field: String) -> String {
        PredicateKeyword(word: field) == nil ? field : "#\(field)"
    }

    private func format(_ value: CloudValue?) -> String {
        guard let value else { return "nil" }
        return switch value {
        case .string(let text): format(text: text)
        case .int64(let number): String(number)
        case .double(let number): String(number)
        case .date, .bytes, .location, .reference:
            PredicateCast.spelling(of: value, quoting: format(text:)) ?? ""
        case .asset(let asset): "<\(asset)>"
        case .list(let elements): "{\(elements.map(format).joined(separator: ", "))}"
        }
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
