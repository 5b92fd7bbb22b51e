/// Cuts the text of a predicate into tokens, one at a time and each once.
struct PredicateLexer {
    let source: PredicateSource
    var position = 0
    /// How many of a format's arguments were taken.
    var argumentCount = 0
    /// The type of the argument that was taken last, see ``PredicateToken/unsortedType``.
    var unsortedType: UnsortedType?

    init(_ source: PredicateSource) {
        self.source = source
    }

    /// Returns the next token; at the end of the text ``PredicateToken/Kind/end``, again and again.
    mutating func next() throws -> PredicateToken {
        while let scalar = peek(), Self.isSpace(scalar) { position += 1 }
        let start = position
        unsortedType = nil
        let kind = try nextKind()
        return PredicateToken(kind: kind, range: start..<position, unsortedType: unsortedType)
    }

    /// The scalar at some distance from the position.
    func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        let index = position + distance
        return index < source.scalars.count ? source.scalars[index] : nil
    }

    private mutating func nextKind() throws -> PredicateToken.Kind {
        guard let scalar = peek() else { return .end }
        switch scalar {
        case "'", "\"":
            let start = position
            return .value(try checked(.string(try quotedText()), at: start))
        case "%":
            return try argument()
        case "#":
            return .field(try reservedName())
        case "$":
            throw source.unsupported(
                "the variable \(source.excerpt(from: position))",
                at: position,
                remedy: "Put the value into the predicate."
            )
        case "0"..."9":
            return .value(try number())
        case "-", ".":
            if Self.isDigit(peek(1)) || (scalar == "-" && peek(1) == "." && Self.isDigit(peek(2))) {
                return .value(try number())
            }
        default:
            break
        }
        if Self.startsWord(scalar) {
            let word = word()
            return PredicateKeyword(word: word).map { .keyword($0) } ?? .name(word)
        }
        return try symbol()
    }

    // MARK: Words

    static func isDigit(_ scalar: Unicode.Scalar?) -> Bool {
        scalar.map { ("0"..."9").contains($0) } ?? false
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case " ", "\t"..."\r": true
        default: !scalar.isASCII && scalar.properties.isWhitespace
        }
    }

    private static func startsWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "_": true
        // Letters beyond ASCII are read as part of a name, so that the error can be about the whole name.
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    private static func continuesWord(_ scalar: Unicode.Scalar) -> Bool {
        startsWord(scalar) || isDigit(scalar)
    }

    private mutating func word() -> String {
        let start = position
        while let scalar = peek(), Self.continuesWord(scalar) { position += 1 }
        return source.text(start..<position)
    }

    private mutating func reservedName() throws -> String {
        let start = position
        position += 1
        guard let scalar = peek(), Self.startsWord(scalar) else {
            throw source.error(at: position, "expected a field name after #")
        }
        let name = word()
        try checkFieldName(name, at: start)
        return name
    }

    /// Throws if no field has such a name.
    func checkFieldName(_ name: String, at position: Int) throws {
        guard let violation = NameRule.violation(ofIdentifier: name) else { return }
        throw source.error(
            at: position,
            "expected a field name, and \(NameRule.quoted(name)) \(violation.reason)",
            remedy: violation.remedy
        )
    }

    // MARK: Numbers

    private mutating func number() throws -> CloudValue {
        let start = position
        if peek() == "-" { position += 1 }
        skipDigits()
        var isInteger = true
        if peek() == ".", Self.isDigit(peek(1)) {
            isInteger = false
            position += 1
            skipDigits()
        }
        if peek() == "e" || peek() == "E" {
            let hasSign = peek(1) == "+" || peek(1) == "-"
            if Self.isDigit(peek(hasSign ? 2 : 1)) {
                isInteger = false
                position += hasSign ? 2 : 1
                skipDigits()
            }
        }
        if let scalar = peek(), Self.continuesWord(scalar) || scalar == "." {
            let found = source.excerpt(position..<position + 1)
            throw source.error(at: position, "expected the end of the number, found \"\(found)\"")
        }
        let text = source.text(start..<position)
        if isInteger {
            guard let value = Int64(text) else {
                throw source.error(
                    at: start,
                    "expected an integer of 64 bits, found \(source.excerpt(from: start))",
                    remedy: "Write it with a decimal point, or compare with text."
                )
            }
            return .int64(value)
        }
        guard let value = Double(text), value.isFinite else {
            throw source.error(at: start, "expected a number in the range of Double")
        }
        return .double(value)
    }

    private mutating func skipDigits() {
        while Self.isDigit(peek()) { position += 1 }
    }

    // MARK: Symbols

    private mutating func symbol() throws -> PredicateToken.Kind {
        if let kind = Self.symbolOfTwo(peek(), peek(1)) {
            position += 2
            return kind
        }
        if let kind = Self.symbolOfOne(peek()) {
            position += 1
            return kind
        }
        let found = source.excerpt(position..<position + 1)
        throw source.error(at: position, "expected a field name, a value or an operator, found \"\(found)\"")
    }

    private static func symbolOfTwo(_ first: Unicode.Scalar?, _ second: Unicode.Scalar?) -> PredicateToken.Kind? {
        switch (first, second) {
        case ("=", "="): .comparison(.equal)
        case ("!", "="), ("<", ">"): .comparison(.notEqual)
        case ("<", "="), ("=", "<"): .comparison(.lessOrEqual)
        case (">", "="), ("=", ">"): .comparison(.greaterOrEqual)
        case ("&", "&"): .symbol(.and)
        case ("|", "|"): .symbol(.or)
        default: nil
        }
    }

    private static func symbolOfOne(_ scalar: Unicode.Scalar?) -> PredicateToken.Kind? {
        switch scalar {
        case "=": .comparison(.equal)
        case "<": .comparison(.less)
        case ">": .comparison(.greater)
        default: scalar.flatMap { PredicateToken.Symbol(rawValue: String($0)) }.map { .symbol($0) }
        }
    }
}
