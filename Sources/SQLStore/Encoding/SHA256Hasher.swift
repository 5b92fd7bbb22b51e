#if canImport(CryptoKit)
import CryptoKit

/// The SHA-256 of bytes that come piece by piece.
package struct SHA256Hasher {
    private var hasher = SHA256()

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        hasher.update(bufferPointer: bytes)
    }

    /// The digest as 64 hexadecimal digits.
    package func hexadecimalDigest() -> String {
        HexadecimalText.text(hasher.finalize())
    }
}
#else
/// The SHA-256 of bytes that come piece by piece, as FIPS 180-4 defines it.
package struct SHA256Hasher {
    private var state: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19,
    ]
    // What is left of the bytes before the next whole block.
    private var pending: [UInt8] = []
    private var byteCount: UInt64 = 0

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        byteCount += UInt64(bytes.count)
        var rest = bytes[...]
        if !pending.isEmpty {
            let taken = rest.prefix(64 - pending.count)
            pending.append(contentsOf: taken)
            rest = rest.dropFirst(taken.count)
            guard pending.count == 64 else { return }
            pending.withUnsafeBytes { process($0) }
            pending.removeAll(keepingCapacity: true)
        }
        let whole = rest.prefix(rest.count & ~63)
        process(UnsafeRawBufferPointer(rebasing: whole))
        pending.append(contentsOf: rest.dropFirst(whole.count))
    }

    /// The digest as 64 hexadecimal digits.
    package func hexadecimalDigest() -> String {
        var last = self
        let bitCount = byteCount &* 8
        let zeros = (119 - pending.count) % 64
        var padding: [UInt8] = [0x80]
        padding.append(contentsOf: repeatElement(0, count: zeros))
        withUnsafeBytes(of: bitCount.bigEndian) { padding.append(contentsOf: $0) }
        padding.withUnsafeBytes { last.update($0) }
        let digest = last.state.flatMap { word in withUnsafeBytes(of: word.bigEndian) { Array($0) } }
        return HexadecimalText.text(digest)
    }

    /// Takes whole blocks of 64 bytes into the state.
    private mutating func process(_ blocks: UnsafeRawBufferPointer) {
        guard let start = blocks.baseAddress else { return }
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 64) { schedule in
            guard let schedule = schedule.baseAddress else { return }
            roundConstants.withUnsafeBufferPointer { constants in
                guard let constants = constants.baseAddress else { return }
                state.withUnsafeMutableBufferPointer { state in
                    guard let state = state.baseAddress else { return }
                    var offset = 0
                    while offset < blocks.count {
                        processBlock(start + offset, state, schedule, constants)
                        offset &+= 64
                    }
                }
            }
        }
    }
}

// Assets are hashed in debug builds too, of which the tests of large ones are made: pointers instead of arrays, loops
// without ranges and shifts that aren't checked make that ten times faster, for nothing else is inlined there.
private func processBlock(
    _ block: UnsafeRawPointer,
    _ state: UnsafeMutablePointer<UInt32>,
    _ schedule: UnsafeMutablePointer<UInt32>,
    _ constants: UnsafePointer<UInt32>
) {
    var index = 0
    while index < 16 {
        schedule[index] = UInt32(bigEndian: block.loadUnaligned(fromByteOffset: index &* 4, as: UInt32.self))
        index &+= 1
    }
    while index < 64 {
        let early = schedule[index &- 15]
        let late = schedule[index &- 2]
        let first = (early &>> 7 | early &<< 25) ^ (early &>> 18 | early &<< 14) ^ early &>> 3
        let second = (late &>> 17 | late &<< 15) ^ (late &>> 19 | late &<< 13) ^ late &>> 10
        schedule[index] = schedule[index &- 16] &+ first &+ schedule[index &- 7] &+ second
        index &+= 1
    }
    var a = state[0]
    var b = state[1]
    var c = state[2]
    var d = state[3]
    var e = state[4]
    var f = state[5]
    var g = state[6]
    var h = state[7]
    index = 0
    while index < 64 {
        let choice = (e & f) ^ (~e & g)
        let majority = (a & b) ^ (a & c) ^ (b & c)
        let upper = (e &>> 6 | e &<< 26) ^ (e &>> 11 | e &<< 21) ^ (e &>> 25 | e &<< 7)
        let lower = (a &>> 2 | a &<< 30) ^ (a &>> 13 | a &<< 19) ^ (a &>> 22 | a &<< 10)
        let first = h &+ upper &+ choice &+ constants[index] &+ schedule[index]
        h = g
        g = f
        f = e
        e = d &+ first
        d = c
        c = b
        b = a
        a = first &+ lower &+ majority
        index &+= 1
    }
    state[0] &+= a
    state[1] &+= b
    state[2] &+= c
    state[3] &+= d
    state[4] &+= e
    state[5] &+= f
    state[6] &+= g
    state[7] &+= h
}
#endif

private let roundConstants: [UInt32] = [
    0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4, 0xab1c_5ed5,
    0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe, 0x9bdc_06a7, 0xc19b_f174,
    0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f, 0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da,
    0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7, 0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967,
    0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc, 0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85,
    0xa2bf_e8a1, 0xa81a_664b, 0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070,
    0x19a4_c116, 0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
    0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7, 0xc671_78f2,
]

private enum HexadecimalText {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        for byte in bytes {
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }
}
