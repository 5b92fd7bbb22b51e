/// Splits text into the words by which records are searched.
///
/// One definition for all stores. A word is a run of letters, digits and marks; everything else separates words,
/// underscores and apostrophes too. In scripts that are written without spaces (Chinese characters, kana) each
/// character is a word of its own. Words are folded regardless of case and diacritics. CloudKit's stop-words are no
/// words.
package enum TokenText {
    /// The words of a text, each once, in the order of their first appearance.
    package static func words(of text: String) -> [String] {
        var words: [String] = []
        var seen: Set<String> = []
        forEachWord(of: text) { word in
            if seen.insert(word).inserted { words.append(word) }
        }
        return words
    }

    /// Calls the body with each word of a text.
    package static func forEachWord(of text: String, _ body: (String) -> Void) {
        let folded = TextFolding.folded(text, [.caseInsensitive, .diacriticInsensitive])
        var word = ""
        func finish() {
            if !word.isEmpty, !stopWords.contains(word) { body(word) }
            word = ""
        }
        for scalar in folded.unicodeScalars {
            switch kind(of: scalar) {
            case .part: word.unicodeScalars.append(scalar)
            case .separator: finish()
            case .whole:
                finish()
                word.unicodeScalars.append(scalar)
                finish()
            }
        }
        finish()
    }

    private enum Kind {
        case part, separator, whole
    }

    private static func kind(of scalar: Unicode.Scalar) -> Kind {
        if scalar.value < 0x80 {
            let isWord =
                (0x61...0x7A).contains(scalar.value) || (0x30...0x39).contains(scalar.value)
                || (0x41...0x5A).contains(scalar.value)
            return isWord ? .part : .separator
        }
        switch scalar.value {
        // Hiragana, katakana, and Chinese characters with their extensions.
        case 0x3041...0x3096, 0x30A1...0x30FA, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFD:
            return .whole
        default:
            break
        }
        switch scalar.properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber, .nonspacingMark, .spacingMark:
            return .part
        default:
            return .separator
        }
    }

    /// The words that CloudKit leaves out of its token searches.
    private static let stopWords: Set<String> = [
        "a", "an", "and", "are", "as", "at", "be", "but", "by", "for", "if", "in", "into", "is", "it", "no", "not",
        "of", "on", "or", "such", "that", "the", "their", "then", "there", "these", "they", "this", "to", "was", "will",
        "with",
    ]
}
