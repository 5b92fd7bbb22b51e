/// The rules that names keep, each answering with what is wrong with a name.
package enum NameRule {
    /// The most characters that any name may have.
    package static let maximumLength = 255

    /// What is wrong with a name, and what to do about it.
    package struct Violation: Sendable, Hashable {
        /// What is wrong, as the end of a sentence that starts with the name.
        package let reason: String
        package let remedy: String
    }

    /// The rule of record types and field names: an ASCII letter, then ASCII letters, digits and underscores.
    ///
    /// Names that a record reserves for itself pass: queries know them as system fields.
    package static func violation(ofIdentifier name: String) -> Violation? {
        var length = 0
        for byte in name.utf8 {
            let isLegal = isLetter(byte) || (length > 0 && (isDigit(byte) || byte == UInt8(ascii: "_")))
            guard isLegal else {
                return Violation(
                    reason: length == 0
                        ? "does not start with an ASCII letter"
                        : "has a character other than ASCII letters, digits and underscores",
                    remedy: "Use a letter, then letters, digits and underscores, at most \(maximumLength) in all."
                )
            }
            length += 1
        }
        return lengthViolation(length)
    }

    /// The rule of the fields of a record: that of identifiers, without the names of a record's own properties.
    package static func violation(ofFieldName name: String) -> Violation? {
        if let violation = violation(ofIdentifier: name) { return violation }
        guard SystemField.reservedNames.contains(name) else { return nil }
        return Violation(
            reason: "is the name of a property that every record has",
            remedy: "Give the field another name, for instance with the field rule .rename."
        )
    }

    /// The rule of record and zone names: 1 to 255 printable ASCII characters, without an underscore at the start.
    ///
    /// - Parameter allowsUnderscore: Whether the name may start with an underscore, as those of user records do.
    package static func violation(ofRecordName name: String, allowsUnderscore: Bool = false) -> Violation? {
        // Every saved record comes by here, nearly always with a legal name.
        let isLegal = name.utf8.withContiguousStorageIfAvailable { bytes in
            isLegalRecordName(bytes, allowsUnderscore: allowsUnderscore)
        }
        return isLegal == true ? nil : explanation(ofRecordName: name, allowsUnderscore: allowsUnderscore)
    }

    private static func isLegalRecordName(_ bytes: UnsafeBufferPointer<UInt8>, allowsUnderscore: Bool) -> Bool {
        guard let first = bytes.first, bytes.count <= maximumLength else { return false }
        var hasOther = first == UInt8(ascii: "_") && !allowsUnderscore
        // No early exit, so that the loop can run on several bytes at once.
        for byte in bytes { hasOther = hasOther || byte &- 0x20 > 0x7E - 0x20 }
        return !hasOther
    }

    private static func explanation(ofRecordName name: String, allowsUnderscore: Bool) -> Violation? {
        var length = 0
        for byte in name.utf8 {
            guard (0x20...0x7E).contains(byte) else {
                return Violation(
                    reason: "has a character that is not printable ASCII",
                    remedy: "Use letters, digits, space and the punctuation of ASCII."
                )
            }
            if length == 0, byte == UInt8(ascii: "_"), !allowsUnderscore {
                return Violation(
                    reason: "starts with an underscore, which is reserved",
                    remedy: "Start the name with another character."
                )
            }
            length += 1
        }
        return lengthViolation(length)
    }

    private static func lengthViolation(_ length: Int) -> Violation? {
        if length == 0 {
            return Violation(reason: "is empty", remedy: "Give it 1 to \(maximumLength) characters.")
        }
        guard length > maximumLength else { return nil }
        return Violation(
            reason: "has \(length) characters",
            remedy: "Use at most \(maximumLength) characters."
        )
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        // Setting the bit of lower case maps A-Z to a-z and nothing else into that range.
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// A name from outside in quotes, escaped and cut short, so that any name can stand in a message.
    package static func quoted(_ name: String) -> String {
        let limit = 60
        let shown = name.unicodeScalars.count > limit ? String(name.unicodeScalars.prefix(limit)) + "…" : name
        return shown.debugDescription
    }
}
