/// The change tag of a record: the text of its sequence number to the base of 36.
package enum ChangeTag {
    /// The tag of a sequence number.
    package static func text(_ sequence: Int64) -> String {
        // Thirteen digits are enough for 63 bits, and are kept inside the string without an allocation.
        String(unsafeUninitializedCapacity: 14) { buffer in
            var rest = sequence.magnitude
            var count = 0
            repeat {
                let (quotient, digit) = rest.quotientAndRemainder(dividingBy: 36)
                buffer[count] = UInt8(truncatingIfNeeded: digit < 10 ? 48 + digit : 87 + digit)
                count += 1
                rest = quotient
            } while rest > 0
            var digits = UnsafeMutableBufferPointer(rebasing: buffer[..<count])
            digits.reverse()
            return count
        }
    }

    /// The sequence number of a tag; nil if no record of the store can have it.
    package static func sequence(_ text: String) -> Int64? {
        guard let sequence = Int64(text, radix: 36), sequence > 0, ChangeTag.text(sequence) == text else { return nil }
        return sequence
    }
}
