/// The checksum of a cache file: XXH64, as <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md> defines it.
///
/// It tells damage from content, and is no protection against intent.
package enum Checksum {
    private static let prime1: UInt64 = 0x9E37_79B1_85EB_CA87
    private static let prime2: UInt64 = 0xC2B2_AE3D_27D4_EB4F
    private static let prime3: UInt64 = 0x1656_67B1_9E37_79F9
    private static let prime4: UInt64 = 0x85EB_CA77_C2B2_AE63
    private static let prime5: UInt64 = 0x27D4_EB2F_1656_67C5

    /// - Complexity: O(*n*), eight bytes at a time.
    package static func of(_ bytes: UnsafeRawBufferPointer, seed: UInt64 = 0) -> UInt64 {
        var position = 0
        var sum = seed &+ prime5
        if bytes.count >= 32 {
            var lanes = (seed &+ prime1 &+ prime2, seed &+ prime2, seed, seed &- prime1)
            while position + 32 <= bytes.count {
                lanes.0 = round(lanes.0, word(bytes, position))
                lanes.1 = round(lanes.1, word(bytes, position + 8))
                lanes.2 = round(lanes.2, word(bytes, position + 16))
                lanes.3 = round(lanes.3, word(bytes, position + 24))
                position += 32
            }
            sum = rotated(lanes.0, 1) &+ rotated(lanes.1, 7) &+ rotated(lanes.2, 12) &+ rotated(lanes.3, 18)
            for lane in [lanes.0, lanes.1, lanes.2, lanes.3] {
                sum = (sum ^ round(0, lane)) &* prime1 &+ prime4
            }
        }
        sum &+= UInt64(bytes.count)
        while position + 8 <= bytes.count {
            sum = rotated(sum ^ round(0, word(bytes, position)), 27) &* prime1 &+ prime4
            position += 8
        }
        if position + 4 <= bytes.count {
            let half = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self))
            sum = rotated(sum ^ UInt64(half) &* prime1, 23) &* prime2 &+ prime3
            position += 4
        }
        while position < bytes.count {
            sum = rotated(sum ^ UInt64(bytes[position]) &* prime5, 11) &* prime1
            position += 1
        }
        sum = (sum ^ sum >> 33) &* prime2
        sum = (sum ^ sum >> 29) &* prime3
        return sum ^ sum >> 32
    }

    package static func of(_ text: String, seed: UInt64 = 0) -> UInt64 {
        Array(text.utf8).withUnsafeBytes { of($0, seed: seed) }
    }

    @inline(__always)
    private static func word(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
        UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    @inline(__always)
    private static func round(_ sum: UInt64, _ word: UInt64) -> UInt64 {
        rotated(sum &+ word &* prime2, 31) &* prime1
    }

    @inline(__always)
    private static func rotated(_ word: UInt64, _ bits: UInt64) -> UInt64 { word << bits | word >> (64 - bits) }
}
