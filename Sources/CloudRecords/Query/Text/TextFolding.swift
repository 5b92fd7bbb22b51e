import Foundation

/// Folds text so that texts which differ only in case or diacritics become equal, byte by byte.
///
/// One definition for all stores: the evaluator calls it, and so does SQL through a registered function. It knows no
/// locale. Case is folded by the simple mappings of each scalar to upper and then to lower case, so that the two forms
/// of a small sigma, or ſ and s, are equal. Diacritics are the non-spacing marks of the canonical decomposition: é and
/// ç lose theirs, ł and ø, which have none, stay.
package enum TextFolding {
    package static func folded(_ text: String, _ options: TextOptions) -> String {
        if options.isEmpty { return text }
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return options.contains(.caseInsensitive) ? lowercasedASCII(text) : text
        }
        let source = options.contains(.diacriticInsensitive) ? text.decomposedStringWithCanonicalMapping : text
        var folded = ""
        folded.reserveCapacity(source.utf8.count)
        for scalar in source.unicodeScalars {
            if options.contains(.diacriticInsensitive), scalar.properties.generalCategory == .nonspacingMark {
                continue
            }
            if options.contains(.caseInsensitive) {
                for upper in scalar.properties.uppercaseMapping.unicodeScalars {
                    folded.unicodeScalars.append(contentsOf: upper.properties.lowercaseMapping.unicodeScalars)
                }
            } else {
                folded.unicodeScalars.append(scalar)
            }
        }
        return folded
    }

    private static func lowercasedASCII(_ text: String) -> String {
        guard text.utf8.contains(where: { (0x41...0x5A).contains($0) }) else { return text }
        return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
