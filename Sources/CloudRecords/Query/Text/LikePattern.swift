/// A pattern of LIKE: `*` stands for any text, `?` for one Unicode scalar, a backslash takes away what follows it.
package struct LikePattern: Sendable {
    private enum Part {
        case scalar(Unicode.Scalar)
        case one
        case any
    }

    private let parts: [Part]
    private let options: TextOptions

    /// Makes a pattern that ignores case or diacritics as the options say.
    package init(_ text: String, _ options: TextOptions) {
        var parts: [Part] = []
        var isEscaped = false
        for scalar in TextFolding.folded(text, options).unicodeScalars {
            switch scalar {
            case _ where isEscaped:
                parts.append(.scalar(scalar))
                isEscaped = false
            case "\\": isEscaped = true
            case "*": if case .any = parts.last {} else { parts.append(.any) }
            case "?": parts.append(.one)
            default: parts.append(.scalar(scalar))
            }
        }
        // A backslash at the end stands for itself.
        if isEscaped { parts.append(.scalar("\\")) }
        self.parts = parts
        self.options = options
    }

    /// The text that everything which matches begins with.
    package var literalPrefix: String {
        var prefix = ""
        for part in parts {
            guard case .scalar(let scalar) = part else { break }
            prefix.unicodeScalars.append(scalar)
        }
        return prefix
    }

    /// Whether the whole text matches.
    /// - Complexity: O(*n* · *m*) for a text of *n* and a pattern of *m* scalars.
    package func matches(_ text: String) -> Bool {
        let scalars = Array(TextFolding.folded(text, options).unicodeScalars)
        var part = 0
        var position = 0
        // Where to go back to when what follows the last `*` does not match.
        var retry: (part: Int, position: Int)?
        while position < scalars.count {
            if part < parts.count, case .any = parts[part] {
                retry = (part, position)
                part += 1
            } else if part < parts.count, isMatch(parts[part], scalars[position]) {
                part += 1
                position += 1
            } else if let last = retry {
                retry = (last.part, last.position + 1)
                part = last.part + 1
                position = last.position + 1
            } else {
                return false
            }
        }
        return parts[part...].allSatisfy { if case .any = $0 { true } else { false } }
    }

    private func isMatch(_ part: Part, _ scalar: Unicode.Scalar) -> Bool {
        switch part {
        case .scalar(let expected): expected == scalar
        case .one: true
        case .any: false
        }
    }
}
