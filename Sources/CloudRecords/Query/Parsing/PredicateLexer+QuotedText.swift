extension PredicateLexer {
    /// Reads text in quotes, with the position at the quote that opens it.
    mutating func quotedText() throws -> String {
        let start = position
        let quote = source.scalars[start]
        var text = String.UnicodeScalarView()
        position += 1
        while let scalar = peek() {
            switch scalar {
            case quote:
                position += 1
                return String(text)
            case "\\":
                text.append(try escapedScalar())
            case "%":
                text.append(try percentSign())
            default:
                text.append(scalar)
                position += 1
            }
        }
        throw source.error(at: start, "expected a closing quote \(quote) for the text that starts here")
    }

    /// Reads a percent sign in quotes. A specifier or an interpolated value there would become text: that is nearly
    /// always a mistake, and one that opens the door to injection.
    private mutating func percentSign() throws -> Unicode.Scalar {
        if isBound(position) {
            throw source.error(
                at: position,
                "a value can't be interpolated inside quotes",
                remedy: "Leave out the quotes: the value is bound as it is."
            )
        }
        if peek(1) == "%" {
            position += 2
        } else if let specifier = specifier(at: position) {
            throw source.error(
                at: position,
                "the specifier %\(specifier.text) can't stand inside quotes",
                remedy: "Leave out the quotes, or write %% for a percent sign."
            )
        } else {
            position += 1
        }
        return "%"
    }

    private mutating func escapedScalar() throws -> Unicode.Scalar {
        let start = position
        position += 2
        switch peek(-1) {
        case "\\": return "\\"
        case "'": return "'"
        case "\"": return "\""
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "u":
            if let scalar = scalarByNumber() { return scalar }
            throw source.error(at: start, "expected the number of a Unicode scalar, as in \\u{1F600}")
        default:
            throw source.error(
                at: start,
                "expected one of \\\\ \\' \\\" \\n \\r \\t \\u{…}",
                remedy: "Write two backslashes for one."
            )
        }
    }

    /// Reads `{1F600}`.
    private mutating func scalarByNumber() -> Unicode.Scalar? {
        guard peek() == "{" else { return nil }
        position += 1
        var number: UInt32 = 0
        var digitCount = 0
        while let scalar = peek(), scalar != "}" {
            guard digitCount < 8, let digit = Character(scalar).hexDigitValue, scalar.isASCII else { return nil }
            number = number << 4 | UInt32(digit)
            digitCount += 1
            position += 1
        }
        guard digitCount > 0, peek() == "}" else { return nil }
        position += 1
        return Unicode.Scalar(number)
    }
}
