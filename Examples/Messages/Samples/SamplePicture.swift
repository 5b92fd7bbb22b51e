import Foundation

/// Draws a small picture and writes it as a PNG file, without any library.
struct SamplePicture {
    static let width = 64
    static let height = 48

    /// A sunset: colours that change from top to bottom, and a disc.
    static func png() -> Data {
        var pixels = Data()
        for row in 0..<height {
            pixels.append(0)  // Each row begins with its filter: none.
            for column in 0..<width {
                let isSun = square(row - 30) + square(column - 32) < square(12)
                let shade = UInt8(255 * row / height)
                pixels.append(contentsOf: isSun ? [255, 220, 80] : [shade, shade / 2, 160 - shade / 2])
            }
        }
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + Data([8, 2, 0, 0, 0])  // 8 bits, RGB
        return Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            + chunk("IHDR", header) + chunk("IDAT", zlib(pixels)) + chunk("IEND", Data())
    }

    private static func square(_ number: Int) -> Int { number * number }

    private static func bigEndian(_ number: UInt32) -> Data {
        Data([24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) })
    }

    private static func chunk(_ type: String, _ content: Data) -> Data {
        let body = Data(type.utf8) + content
        return bigEndian(UInt32(content.count)) + body + bigEndian(crc32(body))
    }

    /// The bytes in zlib's format, stored as they are.
    private static func zlib(_ content: Data) -> Data {
        let largestBlock = 65_535
        var stream = Data([0x78, 0x01])
        var rest = content[...]
        repeat {
            let block = rest.prefix(largestBlock)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            stream.append(rest.isEmpty ? 1 : 0)
            for number in [length, ~length] {
                stream.append(UInt8(truncatingIfNeeded: number))
                stream.append(UInt8(truncatingIfNeeded: number >> 8))
            }
            stream.append(block)
        } while !rest.isEmpty
        return stream + bigEndian(adler32(content))
    }

    private static func adler32(_ content: Data) -> UInt32 {
        var low: UInt32 = 1
        var high: UInt32 = 0
        for byte in content {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return high << 16 | low
    }

    private static func crc32(_ content: Data) -> UInt32 {
        var sum: UInt32 = 0xFFFF_FFFF
        for byte in content {
            sum ^= UInt32(byte)
            for _ in 0..<8 {
                sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1
            }
        }
        return ~sum
    }
}
