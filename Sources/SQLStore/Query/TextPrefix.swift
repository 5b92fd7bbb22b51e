/// Texts that begin with a prefix, as a range of texts in the order of Unicode scalars, which is that of UTF-8 bytes.
enum TextPrefix {
    /// The smallest text that is larger than all that begin with the prefix; nil if there is none.
    static func successor(_ prefix: String) -> String? {
        var scalars = Array(prefix.unicodeScalars)
        while let last = scalars.popLast() {
            // The scalars skip the surrogates, and end at U+10FFFF.
            let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
            guard let scalar = Unicode.Scalar(next) else { continue }
            scalars.append(scalar)
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars)
            return String(text)
        }
        return nil
    }
}
