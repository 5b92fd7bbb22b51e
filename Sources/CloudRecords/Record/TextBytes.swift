import Foundation

/// Comparisons of texts by their UTF-8 bytes, which is by Unicode scalar values.
///
/// Swift's own `==` and `<` on strings are by canonical equivalence, and no store compares so.
enum TextBytes {
    static func areEqual(_ left: String, _ right: String) -> Bool {
        left.utf8.count == right.utf8.count && with(left, right) { isPrefix($0, of: $1) }
    }

    static func hasPrefix(_ text: String, _ prefix: String) -> Bool {
        with(text, prefix) { isPrefix($1, of: $0) }
    }

    static func hasSuffix(_ text: String, _ suffix: String) -> Bool {
        with(text, suffix) { text, suffix in
            text.count >= suffix.count
                && isPrefix(suffix, of: UnsafeRawBufferPointer(rebasing: text.suffix(suffix.count)))
        }
    }

    /// Whether a part of the text has the same bytes as the other one.
    static func contains(_ text: String, _ part: String) -> Bool {
        with(text, part) { text, part in
            guard let first = part.first else { return true }
            var rest = text[...]
            while rest.count >= part.count {
                let range = UnsafeRawBufferPointer(rebasing: rest)
                // Only where the rest is long enough for the part.
                guard
                    let start = range.baseAddress,
                    let found = memchr(start, Int32(first), range.count - part.count + 1)
                else { return false }
                rest = rest.dropFirst(start.distance(to: UnsafeRawPointer(found)))
                if isPrefix(part, of: UnsafeRawBufferPointer(rebasing: rest)) { return true }
                rest = rest.dropFirst()
            }
            return false
        }
    }

    /// Calls the body with the bytes of two texts.
    static func with<Result>(
        _ left: String,
        _ right: String,
        _ body: (UnsafeRawBufferPointer, UnsafeRawBufferPointer) -> Result
    ) -> Result {
        withBytes(of: left) { left in withBytes(of: right) { body(left, $0) } }
    }

    private static func withBytes<Result>(of text: String, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable({ body(UnsafeRawBufferPointer($0)) }) {
            return result
        }
        // A string of Objective-C, which has no UTF-8 bytes of its own.
        return Array(text.utf8).withUnsafeBytes(body)
    }

    private static func isPrefix(_ prefix: UnsafeRawBufferPointer, of text: UnsafeRawBufferPointer) -> Bool {
        guard prefix.count <= text.count else { return false }
        guard prefix.count > 0, let textStart = text.baseAddress, let prefixStart = prefix.baseAddress else {
            return true
        }
        return memcmp(textStart, prefixStart, prefix.count) == 0
    }
}
