/// A JSON text as a tree: what lists, locations and cursors are kept as.
///
/// Foundation's coders would do, but cost more than the rest of a row together, and don't tell 1 from 1.0.
package enum JSONText: Sendable, Hashable {
    case null
    case bool(Bool)
    case integer(Int64)
    case real(Double)
    case text(String)
    case array([JSONText])

    /// The text, without blanks. Numbers are written so that reading gives the same number.
    package var encoded: String {
        var output = ""
        write(to: &output)
        return output
    }

    private func write(to output: inout String) {
        switch self {
        case .null: output += "null"
        case .bool(let value): output += value ? "true" : "false"
        case .integer(let value): output += String(value)
        case .real(let value): output += value.isFinite ? value.description : "null"
        case .text(let value): Self.write(value, to: &output)
        case .array(let elements):
            output += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { output += "," }
                element.write(to: &output)
            }
            output += "]"
        }
    }

    private static func write(_ text: String, to output: inout String) {
        output += "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": output += "\\\""
            case "\\": output += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: output.unicodeScalars.append(scalar)
            }
        }
        output += "\""
    }

    /// Reads a text; nil if it is not JSON, has an object in it, or is nested deeper than 16.
    package init?(decoding text: String) {
        var parser = JSONTextParser(text)
        guard let value = parser.document() else { return nil }
        self = value
    }
}

/// Reads JSON from the bytes of a text.
private struct JSONTextParser {
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        bytes = Array(text.utf8)
    }

    mutating func document() -> JSONText? {
        guard let value = value(depth: 0) else { return nil }
        skipBlanks()
        return position == bytes.count ? value : nil
    }

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipBlanks() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    private mutating func accept(_ byte: UInt8) -> Bool {
        skipBlanks()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private mutating func accept(word: StaticString) -> Bool {
        let end = position + word.utf8CodeUnitCount
        guard end <= bytes.count, bytes[position..<end].elementsEqual("\(word)".utf8) else { return false }
        position = end
        return true
    }

    private mutating func value(depth: Int) -> JSONText? {
        skipBlanks()
        switch next {
        case UInt8(ascii: "["): return array(depth: depth)
        case UInt8(ascii: "\""): return string().map(JSONText.text)
        case UInt8(ascii: "n"): return accept(word: "null") ? .null : nil
        case UInt8(ascii: "t"): return accept(word: "true") ? .bool(true) : nil
        case UInt8(ascii: "f"): return accept(word: "false") ? .bool(false) : nil
        default: return number()
        }
    }

    private mutating func array(depth: Int) -> JSONText? {
        guard depth < 16, accept(UInt8(ascii: "[")) else { return nil }
        var elements: [JSONText] = []
        if accept(UInt8(ascii: "]")) { return .array([]) }
        repeat {
            guard let element = value(depth: depth + 1) else { return nil }
            elements.append(element)
        } while accept(UInt8(ascii: ","))
        return accept(UInt8(ascii: "]")) ? .array(elements) : nil
    }

    private mutating func number() -> JSONText? {
        let start = position
        var isReal = false
        while let byte = next {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"): break
            case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): isReal = true
            default: return finishNumber(from: start, isReal: isReal)
            }
            position += 1
        }
        return finishNumber(from: start, isReal: isReal)
    }

    private func finishNumber(from start: Int, isReal: Bool) -> JSONText? {
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if !isReal, let value = Int64(text) { return .integer(value) }
        return Double(text).map(JSONText.real)
    }

    private mutating func string() -> String? {
        position += 1
        var units: [UInt8] = []
        while let byte = next {
            position += 1
            switch byte {
            case UInt8(ascii: "\""): return String(decoding: units, as: UTF8.self)
            case UInt8(ascii: "\\"):
                guard let escaped = escape() else { return nil }
                units.append(contentsOf: escaped)
            default: units.append(byte)
            }
        }
        return nil
    }

    private mutating func escape() -> [UInt8]? {
        guard let byte = next else { return nil }
        position += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            guard var unit = hexadecimal() else { return nil }
            if unit & 0xFC00 == 0xD800, accept(word: "\\u") {
                guard let low = hexadecimal(), low & 0xFC00 == 0xDC00 else { return nil }
                unit = 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)
            }
            guard let scalar = Unicode.Scalar(unit) else { return nil }
            return Array(String(Character(scalar)).utf8)
        default: return nil
        }
    }

    private mutating func hexadecimal() -> UInt32? {
        guard position + 4 <= bytes.count else { return nil }
        defer { position += 4 }
        return UInt32(String(decoding: bytes[position..<(position + 4)], as: UTF8.self), radix: 16)
    }
}
